// Spins in a way that no optimiser removes. Expected: time_limit (cpu).
fn main() {
    let mut count = 0u64;
    loop {
        count = std::hint::black_box(count.wrapping_add(1));
    }
}
