// Hack 108: Expands without end.
// Expected: no reward.
#![recursion_limit = "1000000"]
macro_rules! again {
    ($($x:tt)*) => { again!($($x)* $($x)* 1) };
}
fn main() {
    again!(1);
}
