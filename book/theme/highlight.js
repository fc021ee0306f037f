// Listings have their colors when the book is built: see book/tool/src/html/highlight.rs. This
// stands for mdBook's copy of highlight.js, which its book.js would call.
window.hljs = { configure() {}, highlightBlock() {} };
