/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * eigen: what Eigen computes of matrices, for scripts/compare-time.
 *
 *	eigen work		solves, multiplies and finds eigenvalues; prints a checksum
 *	eigen [NAME ROUNDS]	sides of pairs, as in rounds.h
 */
#include <eigen3/Eigen/Dense>

#include "tests/bench/time/rounds.h"

namespace
{

using Eigen::MatrixXd;

MatrixXd left, right, result;

MatrixXd filled(size_t side)
{
	MatrixXd matrix(side, side);
	uint64_t state = 1;

	for (size_t i = 0; i < side * side; i++)
		matrix.data()[i] = random_below(&state, 1000) / 8.0 - 50;
	return matrix;
}

/* Blocks are chosen by the sizes of caches, which would be others under a tool. */
void set_up(size_t side)
{
	Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 8 << 20);
	left = right = filled(side);
	result = MatrixXd::Zero(side, side);
}

uint64_t work()
{
	uint64_t sum = 0;

	set_up(600);
	for (int i = 0; i < 4; i++) {
		result.noalias() = left * right.transpose();
		right = left.partialPivLu().solve(result);
		sum = checksum_add(sum, (uint64_t)(int64_t)(result(7, 5) + right(5, 7)));
	}
	left = filled(300);
	left += left.transpose().eval();
	const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(left);
	const Eigen::HouseholderQR<MatrixXd> decomposition(left);
	return checksum_add(sum, (uint64_t)(int64_t)(solver.eigenvalues().maxCoeff() +
						     decomposition.matrixQR().norm()));
}

uint64_t multiply_blocked(uint64_t)
{
	result.noalias() = left * right;
	return (uint64_t)(int64_t)result(1, 1);
}

/* Each element by itself. */
uint64_t multiply_lazily(uint64_t)
{
	result.noalias() = left.lazyProduct(right);
	return (uint64_t)(int64_t)result(1, 1);
}

/* Columns lie in one piece. */
uint64_t norm_of_columns(uint64_t turns)
{
	double sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (int i = 0; i < left.cols(); i++)
			sum += left.col(i).norm();
	return (uint64_t)sum;
}

uint64_t norm_of_rows(uint64_t turns)
{
	double sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (int i = 0; i < left.rows(); i++)
			sum += left.row(i).norm();
	return (uint64_t)sum;
}

const struct rounds sides[] = {
	{ "eigen-product-fast", 1, multiply_blocked, set_up, 300 },
	{ "eigen-product-slow", 1, multiply_lazily, set_up, 300 },
	{ "eigen-order-fast", 4, norm_of_columns, set_up, 800 },
	{ "eigen-order-slow", 4, norm_of_rows, set_up, 800 },
};

} /* namespace */

int main(int argc, char **argv)
{
	if (argc == 2)
		return report("eigen", work());
	return rounds_main(sides, sizeof(sides) / sizeof(sides[0]), argc, argv);
}
