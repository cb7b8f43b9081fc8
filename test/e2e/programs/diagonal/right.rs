use std::io::Read;

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let numbers: Vec<i64> = input.split_whitespace().map(|word| word.parse().unwrap()).collect();
    for query in numbers[1..].chunks(3) {
        let &[n, m, k] = query else { panic!("a query of {} numbers", query.len()) };
        let answer = match (n.max(m) > k, (n + m) % 2, (k - n) % 2) {
            (true, _, _) => -1,
            (_, 1, _) => k - 1,
            (_, _, 0) => k,
            _ => k - 2,
        };
        println!("{answer}");
    }
}
