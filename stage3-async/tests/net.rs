//! What this connection has beside the rules of every machine (`tests/src/machine`).

use stage3_async::{Executor, TcpStream};
use std::io::Write;
use std::net::TcpListener;
use std::time::{Duration, Instant};

#[test]
fn a_connection_is_unused_until_something_comes() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    let executor = Executor::new().expect("a selector can be made");
    let reactor = executor.reactor().clone();
    let quiet = executor.block_on(async {
        let mut stream = TcpStream::connect(address, &reactor).await?;
        let (mut server, _) = listener.accept()?;
        server.write_all(b"asked for")?;
        stream.read_with(|_| ()).await?;
        let before = stream.is_unused();
        server.write_all(b"not asked for")?;
        reactor.sleep_until(Instant::now() + Duration::from_nanos(1)).await;
        let after = stream.is_unused();
        stream.read_with(|_| ()).await?;
        let read = stream.is_unused();
        drop(server);
        reactor.sleep_until(Instant::now() + Duration::from_nanos(1)).await;
        Ok::<_, std::io::Error>([before, after, read, stream.is_unused()])
    });
    let quiet = quiet.expect("not stuck").expect("it reads");
    assert_eq!(quiet, [true, false, true, false]);
}
