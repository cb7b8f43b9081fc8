// Takes one barrel too few.
use std::io::{read_to_string, stdin};

fn main() {
    let input = read_to_string(stdin()).unwrap();
    let mut numbers = input.split_ascii_whitespace().map(|word| word.parse::<u64>().unwrap());
    for _ in 0..numbers.next().unwrap() {
        let n = numbers.next().unwrap() as usize;
        let k = numbers.next().unwrap() as usize;
        let mut a: Vec<u64> = numbers.by_ref().take(n).collect();
        a.sort_unstable_by(|x, y| y.cmp(x));
        println!("{}", a[..k].iter().sum::<u64>());
    }
}
