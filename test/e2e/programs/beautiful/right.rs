use std::io::{self, BufRead};

fn main() {
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    let t: usize = lines.next().unwrap().trim().parse().unwrap();
    for _ in 0..t {
        let n: usize = lines.next().unwrap().trim().parse().unwrap();
        let mut position = vec![0; n + 1];
        for (i, word) in lines.next().unwrap().split_whitespace().enumerate() {
            position[word.parse::<usize>().unwrap()] = i;
        }
        let (mut left, mut right) = (n, 0);
        let answer: String = (1..=n)
            .map(|m| {
                left = left.min(position[m]);
                right = right.max(position[m]);
                if right - left + 1 == m { '1' } else { '0' }
            })
            .collect();
        println!("{answer}");
    }
}
