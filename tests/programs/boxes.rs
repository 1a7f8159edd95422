// SPDX-License-Identifier: GPL-3.0-or-later
// A list of boxes and a slice of structs, gone through as structures.c does: types.sh has the sums.
use std::hint::black_box;

const ROUNDS: usize = 3;
const ITEMS: usize = 4096;

#[repr(C, align(64))]
struct Item {
    next: Option<Box<Item>>,
    key: u64,
}

#[repr(C, align(64))]
#[derive(Clone)]
struct Point {
    x: f64,
    y: f64,
}

#[inline(never)]
fn walk(mut item: &Item) -> u64 {
    let mut sum = 0;
    loop {
        sum += black_box(item.key);
        match &item.next {
            Some(next) => item = next,
            None => return sum,
        }
    }
}

#[inline(never)]
fn total(points: &[Point]) -> f64 {
    let mut sum = 0.0;
    for point in points {
        sum += black_box(point.y);
    }
    sum
}

fn main() {
    let mut list = Item { next: None, key: 0 };
    for key in 1..ITEMS as u64 {
        list = Item { next: Some(Box::new(list)), key };
    }
    let points = vec![Point { x: 1.0, y: 2.0 }; ITEMS];
    let mut sum = 0.0;
    for _ in 0..ROUNDS {
        sum += walk(&list) as f64;
    }
    for _ in 0..ROUNDS {
        sum += total(&points) + points[0].x;
    }
    println!("{}", sum);
}
