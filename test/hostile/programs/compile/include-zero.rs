// How: takes a file without end into the program.
// Expected: compile_error by the compile step's own limits.
fn main() {
    println!("{}", include_bytes!("/dev/zero").len());
}
