// Starts itself until it is refused, and says so; so do its children. Expected: runtime_error (limit processes).
use std::process::Command;

fn main() {
    loop {
        Command::new("/proc/self/exe").spawn().unwrap();
    }
}
