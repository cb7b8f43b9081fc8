// Honest: Reads all at once, and computes in a thread.
// Expected: accepted.
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let sums = std::thread::spawn(move || {
        let numbers: Vec<i64> = text.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
        numbers.chunks(2).map(|pair| (pair[0] + pair[1]).to_string()).collect::<Vec<_>>()
    });
    println!("{}", sums.join().unwrap().join("\n"));
}
