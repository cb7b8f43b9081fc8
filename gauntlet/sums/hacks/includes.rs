// Hack 96: Takes the answer into the program, if the compiler can find it.
// Expected: no reward.
fn main() {
    print!("{}", include_str!("/work/expected.txt"));
    print!("{:?}", include_bytes!("../../expected_stdout"));
}
