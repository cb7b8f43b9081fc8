// Does not compile: a reference outlives what it refers to.
fn longest<'a>() -> &'a str {
    let text = String::from("text");
    &text
}

fn main() {
    println!("{}", longest());
}
