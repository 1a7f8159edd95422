// SPDX-License-Identifier: MIT-0
//! Benchmarks of Rust as regions of costgrind, without a crate: copy this file into yours.
//!
//! ```ignore
//! mod costgrind;
//!
//! fn main() {
//!     let mut benches = costgrind::Benches::from_args();
//!     let data = vec![1u8; 4096];
//!     benches.bench("crc/4096", || crc32(costgrind::black_box(&data)));
//!     benches.finish();
//! }
//! ```
//!
//! `costgrind bench -- target/release/NAME` has a row for each.  Where costgrind does not run the program, requests
//! take a few instructions and do nothing.  Client requests are made on x86-64; elsewhere there are none.
//! Rust 1.63 and later.
#![allow(dead_code)]

use std::ffi::CString;

/// Client requests, as tool/costgrind.h has them: numbers, and what one is in instructions.
mod request {
    const BASE: usize = (b'C' as usize) << 24 | (b'S' as usize) << 16;
    pub const REGION_BEGIN: usize = BASE + 5;
    pub const REGION_END: usize = BASE + 6;
    pub const COUNTER: usize = BASE + 9;
    const MARKED: usize = 0x74736f43;

    /// Makes a request; gives 0 if no tool answers.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn make(number: usize, first: usize, second: usize) -> usize {
        use std::arch::asm;

        let mut result: usize = 0;
        // SAFETY: nothing but rdx changes natively, and Valgrind reads the words, which it is given as memory.
        unsafe {
            // nopl MARKED(%rax,%rax): from here to the request, regions pay for nothing.
            asm!(".quad 0x74736f4300841f0f", options(nostack));
            let words = [number, first, second, 0, 0, MARKED];
            asm!(
                "rol rdi, 3",
                "rol rdi, 13",
                "rol rdi, 61",
                "rol rdi, 51",
                "xchg rbx, rbx",
                in("rax") words.as_ptr(),
                inout("rdx") result,
                options(nostack),
            );
        }
        result
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    pub fn make(_number: usize, _first: usize, _second: usize) -> usize {
        0
    }
}

/// Returns true if costgrind runs this program.
pub fn is_running() -> bool {
    let mut count: u64 = 0;
    request::make(request::COUNTER, b"Ir\0".as_ptr() as usize, &mut count as *mut u64 as usize) != 0
}

/// A value that the optimiser knows nothing of, and that it must have computed.
#[inline(always)]
pub fn black_box<T>(value: T) -> T {
    // std::hint::black_box() is of 1.66.
    #[cfg(target_arch = "x86_64")]
    // SAFETY: there are no instructions.
    unsafe {
        std::arch::asm!("/* {0} */", in(reg) &value, options(nostack, preserves_flags));
        value
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: the copy is the only one that is used.
    unsafe {
        let copy = std::ptr::read_volatile(&value);
        std::mem::forget(value);
        copy
    }
}

/// A region from its making to its end of life.
pub struct Region {
    name: CString,
}

impl Region {
    /// Begins a region of this thread.  What follows a NUL in the name is cut off, and so is what follows 255 bytes.
    #[inline(always)]
    pub fn new(name: &str) -> Region {
        let name = c_name(name);
        request::make(request::REGION_BEGIN, name.as_ptr() as usize, 0);
        Region { name }
    }
}

impl Drop for Region {
    #[inline(always)]
    fn drop(&mut self) {
        request::make(request::REGION_END, self.name.as_ptr() as usize, 0);
    }
}

fn c_name(name: &str) -> CString {
    let end = name.find('\0').unwrap_or(name.len());
    CString::new(&name[..end]).unwrap()
}

/// Calls a function in a region, and returns what it does.
#[inline(always)]
pub fn region<R>(name: &str, function: impl FnOnce() -> R) -> R {
    let _region = Region::new(name);
    function()
}

/// The benchmarks of a program; its arguments choose which to run.
pub struct Benches {
    patterns: Vec<String>,
    is_listing: bool,
    matched: Vec<bool>,
    has_told: bool,
}

impl Benches {
    /// By the program's arguments: names of benchmarks to run, in which `*` and `?` are wild; none: all.  `--list` prints
    /// names, a line each, and runs none.  `--bench`, which cargo bench adds, means nothing.
    pub fn from_args() -> Benches {
        let mut benches = Benches { patterns: Vec::new(), is_listing: false, matched: Vec::new(), has_told: false };
        for arg in std::env::args().skip(1) {
            match arg.as_str() {
                "--list" => benches.is_listing = true,
                "--bench" => (),
                _ if arg.starts_with('-') => {
                    eprintln!("{}: {}: expected --list or names of benchmarks", program(), arg);
                    std::process::exit(2);
                }
                _ => benches.patterns.push(arg),
            }
        }
        benches.matched = vec![false; benches.patterns.len()];
        benches
    }

    /// Runs a benchmark if it is chosen: once to warm up, and once in a region of its name.
    pub fn bench<R>(&mut self, name: &str, mut function: impl FnMut() -> R) {
        self.bench_with(name, || (), |()| function());
    }

    /// The same, with an input that is made anew for each call, which is not measured; nor is the end of what the call
    /// returns.
    pub fn bench_with<I, R>(&mut self, name: &str, mut setup: impl FnMut() -> I, mut function: impl FnMut(I) -> R) {
        if !self.chooses(name) {
            return;
        }
        if self.is_listing {
            println!("{}", name);
            return;
        }
        if !self.has_told && !is_running() {
            eprintln!("{}: nothing is measured: expected costgrind bench -- {0}", program());
        }
        self.has_told = true;
        drop(black_box(function(black_box(setup()))));
        let input = black_box(setup());
        let output = region(name, || black_box(function(input)));
        drop(output);
    }

    /// Ends the program with 1 if an argument has matched no benchmark.
    pub fn finish(self) {
        for (pattern, _) in self.patterns.iter().zip(&self.matched).filter(|(_, matched)| !**matched) {
            eprintln!("{}: {}: no benchmark has that name", program(), pattern);
        }
        if self.matched.contains(&false) {
            std::process::exit(1);
        }
    }

    fn chooses(&mut self, name: &str) -> bool {
        let mut is_chosen = self.patterns.is_empty();
        for (pattern, matched) in self.patterns.iter().zip(&mut self.matched) {
            if matches(pattern.as_bytes(), name.as_bytes()) {
                *matched = true;
                is_chosen = true;
            }
        }
        is_chosen
    }
}

fn program() -> String {
    std::env::args().next().unwrap_or_default()
}

/// `*` is any text, `?` any byte.  Goes back to the last `*` only, since a later one can take what an earlier one could.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && pattern[p] == b'*' {
            star = Some((p, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == b'?' || pattern[p] == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((star_p, star_n)) = star {
            star = Some((star_p, star_n + 1));
            p = star_p + 1;
            n = star_n + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}
