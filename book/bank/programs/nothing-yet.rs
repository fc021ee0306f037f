//! What a non-blocking read returns while the peer is silent, and when it has closed.

use std::io::{self, ErrorKind, Read};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

fn main() -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let peer = TcpStream::connect(listener.local_addr()?)?;
    let (mut socket, _) = listener.accept()?;
    socket.set_nonblocking(true)?;
    println!("the peer is silent: {:?}", read(&mut socket).unwrap_err());
    drop(peer);
    // The end is on its way. A blocking read waits for it.
    socket.set_nonblocking(false)?;
    socket.peek(&mut [0])?;
    socket.set_nonblocking(true)?;
    println!("the peer has closed: {:?}", read(&mut socket));
    Ok(())
}

fn read(socket: &mut TcpStream) -> Result<usize, ErrorKind> {
    socket.read(&mut [0; 16]).map_err(|error| error.kind())
}
