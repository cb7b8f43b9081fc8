// Prints without end.
use std::io::Write;

fn main() {
    let line = "1 2 3 ".repeat(10_000);
    while std::io::stdout().write_all(line.as_bytes()).is_ok() {}
}
