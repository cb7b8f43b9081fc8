// How: takes files of the host into the program and into the compiler's messages, and asks for a variable of the service.
// Expected: compile_error; no line of any such file in the messages.
const SHADOW: &str = include_str!("/etc/shadow");
const ENVIRONMENT: &[u8] = include_bytes!("/proc/1/environ");
const VARIABLE: &str = env!("ASSAY_STATE_DIR");
#[path = "/etc/passwd"]
mod passwd;
fn main() {
    println!("{SHADOW}{ENVIRONMENT:?}{VARIABLE}");
}
