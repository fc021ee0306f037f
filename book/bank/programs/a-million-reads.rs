//! What non-blocking reads return until something arrives.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

fn main() -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut peer = TcpStream::connect(listener.local_addr()?)?;
    let (mut socket, _) = listener.accept()?;
    socket.set_nonblocking(true)?;
    let mut chunk = [0; 16];
    let is_empty = |error: &io::Error| error.kind() == ErrorKind::WouldBlock;
    let mut finds_nothing =
        |_: &u32| socket.read(&mut chunk).is_err_and(|it| is_empty(&it));
    let empty = (0..1000).filter(|number| finds_nothing(number)).count();
    println!("1000 reads: {empty} times WouldBlock");
    peer.write_all(b"hello")?;
    let count = loop {
        match socket.read(&mut chunk) {
            Err(error) if is_empty(&error) => {}
            result => break result?,
        }
    };
    println!("and then {count} bytes");
    Ok(())
}
