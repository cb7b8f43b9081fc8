use std::io::{self, Read, Write};

fn main() -> io::Result<()> {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let mut numbers = input.split_ascii_whitespace().map(|word| word.parse::<usize>().unwrap());
    let mut out = io::BufWriter::new(io::stdout().lock());
    for _ in 0..numbers.next().unwrap() {
        let n = numbers.next().unwrap();
        let s: Vec<Vec<usize>> = (0..3).map(|_| numbers.by_ref().take(n).collect()).collect();
        let mut p: Vec<usize> = Vec::with_capacity(n);
        for i in 0..n {
            let fits = |x: &usize| i == 0 || (*x != p[i - 1] && (i < n - 1 || *x != p[0]));
            let value = s.iter().map(|row| row[i]).find(fits).expect("three values, two taken");
            p.push(value);
            write!(out, "{value} ")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
