fn main() {
    println!("YES");
}
