//! What a HEAD request gets: the head of the response, and not its body.

use super::Act;

/// What is done about a HEAD request: the same, without the bytes of the body.
pub(super) fn without_body(acts: Vec<Act>) -> Vec<Act> {
    let (mut sent, mut is_over) = (Vec::new(), false);
    let mut cut = |mut bytes: Vec<u8>| {
        let before = sent.len();
        sent.extend_from_slice(&bytes);
        if is_over {
            bytes.clear();
        } else if let Some(end) = end_of_head(&sent) {
            bytes.truncate(end - before);
            is_over = true;
        }
        bytes
    };
    let acts = acts.into_iter().map(|act| match act {
        Act::Send(bytes) => Act::Send(cut(bytes)),
        Act::Drip(bytes, pause) => Act::Drip(cut(bytes), pause),
        act => act,
    });
    acts.collect()
}

/// Where the head of a response ends, after all interim ones. `None` if it does not, or
/// if this is not HTTP.
fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let mut fields = [httparse::EMPTY_HEADER; 300];
    let mut response = httparse::Response::new(&mut fields);
    let httparse::Status::Complete(end) = response.parse(bytes).ok()? else {
        return None;
    };
    match response.code {
        Some(100..200) => Some(end + end_of_head(&bytes[end..])?),
        _ => Some(end),
    }
}
