// Prints the right answer and then indexes past the end. Expected: runtime_error (a panic, exit code 101).
use std::io::read_to_string;

fn main() {
    let input = read_to_string(std::io::stdin()).unwrap();
    let numbers: Vec<usize> = input.split_whitespace().map(|word| word.parse().unwrap()).collect();
    println!("{}", numbers.iter().sum::<usize>());
    println!("{}", numbers[numbers[0]]);
}
