// Any bytes through every escaper: what comes out is valid UTF-8 without control characters, and harmless in its sink.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/escape.h"
#include "core/base/invariant.h"
#include "core/base/utf8.h"

namespace {

bool isCleanUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t before = text.size();
    const char32_t character = tcpscope::takeCharacter(text);
    const bool isControl = character < 0x20 || (character >= 0x7F && character < 0xA0);
    // A byte that is no UTF-8 would be read as the replacement character from one byte instead of three.
    const bool isBroken = character == tcpscope::kReplacementCharacter && before - text.size() == 1;
    const bool turnsDirection = character >= 0x202A && character <= 0x202E;
    if (isControl || isBroken || turnsDirection) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  for (const std::string& escaped :
       {tcpscope::forPlainText(text), tcpscope::forTerminal(text), tcpscope::forHtml(text), tcpscope::forMarkdown(text),
        tcpscope::forJson(text), tcpscope::forCsv(text), tcpscope::forFileName(text)}) {
    TCPSCOPE_INVARIANT(isCleanUtf8(escaped));
  }
  TCPSCOPE_INVARIANT(tcpscope::forHtml(text).find_first_of("<>\"'") == std::string::npos);
  const std::string file = tcpscope::forFileName(text);
  TCPSCOPE_INVARIANT(!file.empty() && file.size() <= 100 && file.front() != '.' && file.find('/') == std::string::npos);
  return 0;
}
