// How: as all.py, by std::net, which has no abstract sockets everywhere.
// Expected: exited 0, "tried"; nothing arrives.
use std::io::Write;
use std::net::{TcpStream, UdpSocket};

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = a[1].as_bytes();
    for place in [format!("127.0.0.1:{}", a[2]), format!("[::1]:{}", a[5])] {
        if let Ok(mut stream) = TcpStream::connect(place) {
            let _ = stream.write_all(text);
        }
    }
    for (own, place) in [
        ("0.0.0.0:0", format!("127.0.0.1:{}", a[3])),
        ("0.0.0.0:0", format!("127.0.0.1:{}", a[4])),
        ("[::]:0", format!("[::1]:{}", a[6])),
    ] {
        if let Ok(socket) = UdpSocket::bind(own) {
            let _ = socket.send_to(text, place);
        }
    }
    println!("tried");
}
