// How: a constant whose computation never ends.
// Expected: compile_error by the compile step's own limits.
#![allow(long_running_const_eval)]
const NEVER: u64 = {
    let mut n = 0u64;
    while n < u64::MAX {
        n += 1;
    }
    n
};
fn main() {
    println!("{NEVER}");
}
