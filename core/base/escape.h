// Escapes untrusted text for output: one function for each kind of output.
//
// Each takes any bytes. Bytes that are no UTF-8 become U+FFFD; control characters, line ends included, and characters
// that change the direction of writing or are invisible are removed, so that a name can neither act on a terminal nor
// look like another one. What is left is escaped for the sink.
#pragma once

#include <string>
#include <string_view>

#include "core/base/untrusted_text.h"

namespace tcpscope {

/// A label that shows plain text and knows no markup.
std::string forPlainText(std::string_view text);
std::string forPlainText(const UntrustedText& text);

/// A terminal: what is left holds no control sequence.
std::string forTerminal(std::string_view text);
std::string forTerminal(const UntrustedText& text);

/// Text or a quoted attribute of HTML.
std::string forHtml(std::string_view text);
std::string forHtml(const UntrustedText& text);

/// Text of Markdown (GitHub Flavored Markdown 0.29), within a line: in a paragraph, an item or a cell of a table.
std::string forMarkdown(std::string_view text);
std::string forMarkdown(const UntrustedText& text);

/// Inside the quotes of a JSON string; the quotes are the caller's.
std::string forJson(std::string_view text);
std::string forJson(const UntrustedText& text);

/// One field of CSV (RFC 4180), with quotes where it needs them. A field that a spreadsheet would take for a formula
/// gets an apostrophe in front.
std::string forCsv(std::string_view text);
std::string forCsv(const UntrustedText& text);

/// One word for a POSIX shell, whatever is in it; words that mean nothing to one stay as they are.
std::string forShell(std::string_view text);
std::string forShell(const UntrustedText& text);

/// One component of a path: no separators, no leading dot, at most 100 bytes, never empty.
std::string forFileName(std::string_view text);
std::string forFileName(const UntrustedText& text);

}  // namespace tcpscope
