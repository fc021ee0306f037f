//! The JSON schema of the report, for `--schema`. Each line of `--format jsonl`
//! conforms to it, whether it is a row or the summary.

use super::Outcome;
use clap::ValueEnum;
use serde_json::{Map, Value, json};

/// Returns the schema (JSON Schema, draft 2020-12).
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of --format jsonl: a row for each URL, then the summary",
        "oneOf": [{ "$ref": "#/$defs/row" }, { "$ref": "#/$defs/last" }],
        "$defs": { "row": row(), "last": last(), "summary": summary() },
    })
}

fn row() -> Value {
    let outcomes: Vec<&str> =
        Outcome::value_variants().iter().map(|it| it.name()).collect();
    let all = [
        (
            "path",
            text(
                "with --serve: the URL without http:// and host, if it is in the folder",
            ),
        ),
        ("url", text("the URL, normalised; or a link as it was written, cut if long")),
        ("outcome", json!({ "enum": outcomes })),
        ("status", or_null("integer", "of the response; null if none came whole")),
        ("next_url", or_null("string", "the target of a redirect")),
        ("error", or_null("string", "what went wrong, if the status does not say it")),
        ("content_type", or_null("string", "type/subtype of the body")),
        ("encoding", or_null("string", "the charset with which links were searched")),
        (
            "size",
            or_null(
                "integer",
                "bytes of the body; null for a redirect, and if it was not read",
            ),
        ),
        ("num_links", count("links of the page, foreign ones included")),
        ("num_new_links", count("URLs of the crawl that were found here first")),
        ("links", texts("the links, with --links")),
        ("attempts", count("requests sent, and connections that failed before one")),
        ("elapsed_ms", time("how long the last attempt took")),
        ("depth", count("the fewest links from a root")),
        ("found_on", texts("a page that links here; all of them for a failure")),
        (
            "via",
            texts(
                "for a failure behind redirects: the URLs from the link on the first page \
                 of found_on to this URL",
            ),
        ),
    ];
    object(&all, &["path", "links", "via"])
}

fn last() -> Value {
    object(&[("summary", json!({ "$ref": "#/$defs/summary" }))], &[])
}

fn summary() -> Value {
    let all = [
        ("stage", text("the program's name")),
        ("urls", count("rows: the sum of the next four")),
        ("ok", count("rows that are ok")),
        ("redirect", count("rows that are redirect")),
        ("http-error", count("rows that are http-error")),
        ("failed", count("all other rows")),
        ("bytes", count("the length of all bodies")),
        ("elapsed_ms", time("how long the crawl took")),
        ("max_tasks", count("connections that were allowed at once")),
        ("peak_tasks", count("connections that were open at once")),
        ("complete", json!({ "type": "boolean", "description": "nothing was left" })),
        ("left", count("URLs that are known and were not fetched")),
        ("excluded", count("URLs that --exclude kept out")),
        ("unsearched", count("pages not searched: compressed, untyped or feeds")),
    ];
    object(&all, &[])
}

/// Returns the schema of an object with exactly these properties. All are required,
/// except those in `optional`.
fn object(properties: &[(&str, Value)], optional: &[&str]) -> Value {
    let names = properties.iter().map(|(name, _)| *name);
    let required: Vec<&str> = names.filter(|name| !optional.contains(name)).collect();
    let properties = properties.iter().map(|(name, is)| (name.to_string(), is.clone()));
    json!({
        "type": "object",
        "properties": properties.collect::<Map<_, _>>(),
        "required": required,
        "additionalProperties": false,
    })
}

fn text(what: &str) -> Value {
    json!({ "type": "string", "description": what })
}

fn or_null(kind: &str, what: &str) -> Value {
    json!({ "type": [kind, "null"], "description": what })
}

fn count(what: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": what })
}

fn time(what: &str) -> Value {
    json!({ "type": "number", "minimum": 0, "description": what })
}

fn texts(what: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_named_as_in_the_rows() {
        for outcome in Outcome::value_variants() {
            let in_rows = serde_json::to_value(outcome).expect("a word");
            assert_eq!(in_rows, outcome.name());
        }
    }
}
