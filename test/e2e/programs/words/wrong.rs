// The right answer, and then a panic.
fn main() {
    println!("1\n3 \n-1\n0\n\n2\n1 2 ");
    let none: Option<i32> = None;
    none.expect("a value");
}
