// Any bytes as a router's list of drops: the same log whatever the pieces it is read in, in order, and analysed.
#include <cstdint>
#include <string_view>

#include "core/base/invariant.h"
#include "core/present/json/drop_log_document.h"
#include "core/present/text/drop_log_text.h"

using namespace tcpscope;

namespace {

Expected<DropLog, DropLogError> readInPieces(std::string_view bytes, std::size_t piece) {
  DropLogReader reader;
  for (std::size_t at = 0; at < bytes.size(); at += piece) reader.take(bytes.substr(at, piece));
  return reader.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto whole = readInPieces(text, size == 0 ? 1 : size);
  const auto pieces = readInPieces(text, 3);
  TCPSCOPE_INVARIANT(whole.has_value() == pieces.has_value());
  if (!whole) {
    TCPSCOPE_INVARIANT(whole.error().kind == pieces.error().kind && whole.error().line == pieces.error().line);
    TCPSCOPE_INVARIANT(!sentence(whole.error()).empty());
    return 0;
  }
  std::vector<LossSummary> losses;
  for (const DropsOfLink& link : whole->links) {
    for (std::size_t drop = 1; drop < link.drops.size(); ++drop) {
      TCPSCOPE_INVARIANT(link.drops[drop - 1] <= link.drops[drop]);
    }
    losses.push_back(summarizeDropLog(link.drops, Milliseconds(20)));
    TCPSCOPE_INVARIANT(!linesOf(link, losses.back()).empty());
  }
  TCPSCOPE_INVARIANT(!toJson(*whole, losses, UntrustedText("drops.csv")).empty());
  return 0;
}
