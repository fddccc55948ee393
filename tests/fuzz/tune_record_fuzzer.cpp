// Any bytes are a record of a tuned connection or none; an accepted one is, to the byte, what would be written of it,
// and an undo can be planned from it.
#include <cstddef>
#include <cstdint>

#include "core/base/invariant.h"
#include "core/changes/tune_plan.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tcpscope;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto record = parseTuneRecord(text);
  if (!record) return 0;
  TCPSCOPE_INVARIANT(record->options.size() <= kSocketOptions);
  TCPSCOPE_INVARIANT(writeTuneRecord(*record) == text);
  // Nothing was changed since: all is restored, nothing left alone.
  OptionValues now;
  for (const RecordedOption& option : record->options) now[option.option] = option.after.value_or(option.before);
  TCPSCOPE_INVARIANT(planUndo(*record, now).leftAlone.empty());
  // And where nothing is known of the socket, nothing is written.
  TCPSCOPE_INVARIANT(planUndo(*record, {}).leftAlone.size() <= record->options.size());
  return 0;
}
