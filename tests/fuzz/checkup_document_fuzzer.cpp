// Any bytes as another host's check-up: one that is read has a finding for each row, and is the same when it is written
// and read once more.
#include <cstdint>
#include <string_view>

#include "core/base/invariant.h"
#include "core/present/json/checkup_document.h"
#include "core/present/text/checkup_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tcpscope;
  const auto checkup = parseCheckup({reinterpret_cast<const char*>(bytes), size});
  if (!checkup) return 0;
  const auto again = parseCheckup(toJson(checkup->rows, checkup->window, WallTime()));
  TCPSCOPE_INVARIANT(again && again->rows.size() == checkup->rows.size());
  for (std::size_t row = 0; row < checkup->rows.size(); ++row) {
    TCPSCOPE_INVARIANT(finding(again->rows[row]) == finding(checkup->rows[row]));
    TCPSCOPE_INVARIANT(hopList(again->rows[row]) == hopList(checkup->rows[row]));
  }
  return 0;
}
