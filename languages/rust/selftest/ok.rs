// Reads two integers and prints their sum. Expected: accepted; a program that prints nothing is not.
use std::io::read_to_string;

fn main() {
    let input = read_to_string(std::io::stdin()).unwrap();
    let sum: i64 = input.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!("{sum}");
}
