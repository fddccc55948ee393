// Any bytes as another program's measurement: one that is read has a sentence and figures in their ranges, and is the
// same when it is written and read once more.
#include <cstdint>
#include <string_view>

#include "core/base/invariant.h"
#include "core/present/json/probe_document.h"
#include "core/present/text/probe_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tcpscope;
  const auto analysis = parseProbe({reinterpret_cast<const char*>(bytes), size});
  if (!analysis) return 0;
  TCPSCOPE_INVARIANT(!analysis->lossRatio || (*analysis->lossRatio >= 0.0 && *analysis->lossRatio <= 1.0));
  TCPSCOPE_INVARIANT(!shortVerdict(*analysis).empty());
  const auto again = parseProbe(toJson(*analysis, UntrustedText("x"), WallTime()));
  TCPSCOPE_INVARIANT(again && again->verdict == analysis->verdict && again->faults == analysis->faults);
  TCPSCOPE_INVARIANT(sentence(*again) == sentence(*analysis));
  return 0;
}
