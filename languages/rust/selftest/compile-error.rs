// A value used after it was moved. Expected: compile_error.
fn main() {
    let first = String::from("x");
    let second = first;
    println!("{first}{second}");
}
