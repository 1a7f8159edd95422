/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ray tracer: mirroring spheres above a chequered floor, one light, shadows,
 * reflections of reflections.  Floating point in small structures that are
 * passed by value, a loop over few data that stay in the first-level cache, and
 * branches that go the same way most of the time.
 */
#include <math.h>

#include "tests/bench/bench.h"

enum {
	WIDTH = 232,
	HEIGHT = 174,
	SAMPLES = 2, /* in each direction of a pixel */
	SPHERES = 30,
	MAX_DEPTH = 5,
};

static const double FAR = 1e9;
static const double NEAR = 1e-6; /* nearer, a ray meets the surface that it comes from */

struct vector {
	double x, y, z;
};

struct ray {
	struct vector origin;
	struct vector direction; /* of length 1 */
};

struct sphere {
	struct vector centre;
	double radius;
	struct vector colour; /* red, green and blue, 0 to 1 */
	double mirror;        /* the share of light that is reflected */
};

struct scene {
	struct sphere spheres[SPHERES];
	struct vector light;
};

/* Where a ray ends. */
struct hit {
	double distance; /* FAR: nowhere */
	struct vector point;
	struct vector rules;
	struct vector colour;
	double mirror;
};

static struct vector add(struct vector a, struct vector b)
{
	return (struct vector){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static struct vector subtract(struct vector a, struct vector b)
{
	return (struct vector){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static struct vector scale(struct vector a, double factor)
{
	return (struct vector){ a.x * factor, a.y * factor, a.z * factor };
}

static double product(struct vector a, struct vector b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vector unit(struct vector a)
{
	return scale(a, 1 / sqrt(product(a, a)));
}

static double random_unit(uint64_t *seed)
{
	return random_next(seed) / 4294967296.0;
}

static void scene_init(struct scene *scene)
{
	uint64_t seed = 7;

	for (int i = 0; i < SPHERES; i++) {
		double radius = 0.3 + 0.7 * random_unit(&seed);

		scene->spheres[i] = (struct sphere){
			.centre = { 10 * random_unit(&seed) - 5, radius + random_unit(&seed),
				    10 * random_unit(&seed) - 2 },
			.radius = radius,
			.colour = { random_unit(&seed), random_unit(&seed), random_unit(&seed) },
			.mirror = 0.2 + 0.6 * random_unit(&seed),
		};
	}
	scene->light = (struct vector){ -8, 12, -6 };
}

/* The distance at which the ray enters the sphere, or FAR. */
NOINLINE static double meet_sphere(const struct sphere *sphere, const struct ray *ray)
{
	struct vector to_centre = subtract(sphere->centre, ray->origin);
	double along = product(to_centre, ray->direction);
	double root =
		along * along - product(to_centre, to_centre) + sphere->radius * sphere->radius;
	double distance;

	if (root < 0)
		return FAR;
	root = sqrt(root);
	distance = along - root;
	if (distance > NEAR)
		return distance;
	distance = along + root;
	return distance > NEAR ? distance : FAR;
}

/* The floor is where y is 0. */
static double meet_floor(const struct ray *ray)
{
	double distance;

	if (ray->direction.y > -NEAR)
		return FAR;
	distance = -ray->origin.y / ray->direction.y;
	return distance > NEAR ? distance : FAR;
}

static void floor_hit(struct hit *hit)
{
	double tile = floor(hit->point.x) + floor(hit->point.z);
	double shade = floor(tile / 2) * 2 == tile ? 0.9 : 0.2;

	hit->rules = (struct vector){ 0, 1, 0 };
	hit->colour = (struct vector){ shade, shade, shade };
	hit->mirror = 0.1;
}

static struct hit find_hit(const struct scene *scene, const struct ray *ray)
{
	struct hit hit = { .distance = meet_floor(ray) };
	const struct sphere *nearest = NULL;

	for (int i = 0; i < SPHERES; i++) {
		double distance = meet_sphere(&scene->spheres[i], ray);

		if (distance < hit.distance) {
			hit.distance = distance;
			nearest = &scene->spheres[i];
		}
	}
	hit.point = add(ray->origin, scale(ray->direction, hit.distance));
	if (nearest) {
		hit.rules = unit(subtract(hit.point, nearest->centre));
		hit.colour = nearest->colour;
		hit.mirror = nearest->mirror;
	} else if (hit.distance < FAR) {
		floor_hit(&hit);
	}
	return hit;
}

static int in_shadow(const struct scene *scene, struct vector point)
{
	struct vector to_light = subtract(scene->light, point);
	struct ray ray = { point, unit(to_light) };
	double distance = sqrt(product(to_light, to_light));

	for (int i = 0; i < SPHERES; i++) {
		if (meet_sphere(&scene->spheres[i], &ray) < distance)
			return 1;
	}
	return 0;
}

/* The light that comes along the ray, backwards. */
NOINLINE static struct vector trace(const struct scene *scene, const struct ray *ray, int depth)
{
	static const struct vector sky = { 0.3, 0.5, 0.9 };
	struct hit hit = find_hit(scene, ray);
	double brightness = 0.15;
	struct vector colour;
	struct ray reflected;

	if (hit.distance >= FAR)
		return scale(sky, 0.4 + 0.6 * ray->direction.y);
	if (!in_shadow(scene, hit.point)) {
		double slant = product(hit.rules, unit(subtract(scene->light, hit.point)));

		brightness += slant > 0 ? 0.85 * slant : 0;
	}
	colour = scale(hit.colour, brightness * (1 - hit.mirror));
	if (depth == MAX_DEPTH)
		return colour;
	reflected.origin = hit.point;
	reflected.direction = unit(
		subtract(ray->direction, scale(hit.rules, 2 * product(hit.rules, ray->direction))));
	return add(colour, scale(trace(scene, &reflected, depth + 1), hit.mirror));
}

static struct vector pixel(const struct scene *scene, int column, int row)
{
	struct vector colour = { 0, 0, 0 };

	for (int i = 0; i < SAMPLES * SAMPLES; i++) {
		int across = i % SAMPLES;
		int down = i / SAMPLES;
		double x = column + (across + 0.5) / SAMPLES - WIDTH / 2.0;
		double y = HEIGHT / 2.0 - row - (down + 0.5) / SAMPLES;
		struct ray ray = {
			.origin = { 0, 3, -9 },
			.direction = unit((struct vector){ x / WIDTH, y / WIDTH - 0.15, 0.8 }),
		};

		colour = add(colour, trace(scene, &ray, 0));
	}
	return scale(colour, 1.0 / (SAMPLES * SAMPLES));
}

/* As in a picture file.  The last bits of what was computed make no difference. */
static uint64_t level(double light)
{
	double clipped = light < 0 ? 0 : light > 1 ? 1 : light;

	return (uint64_t)(clipped * 255 + 0.5);
}

int main(void)
{
	struct scene scene;
	uint64_t sum = 0;

	scene_init(&scene);
	for (int row = 0; row < HEIGHT; row++) {
		for (int column = 0; column < WIDTH; column++) {
			struct vector colour = pixel(&scene, column, row);

			sum = checksum_add(sum, level(colour.x) << 16 | level(colour.y) << 8 |
							level(colour.z));
		}
	}
	return report("raytrace", sum);
}
