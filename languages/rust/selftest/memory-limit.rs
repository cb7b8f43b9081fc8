// Keeps 4 MiB blocks of written memory until the limit. Expected: memory_limit.
fn main() {
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    loop {
        blocks.push(std::hint::black_box(vec![1u8; 4 << 20]));
    }
}
