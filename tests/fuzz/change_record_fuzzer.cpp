// Any text is a change of the journal that is written back byte by byte as it was read, or none.
#include <cstddef>
#include <cstdint>

#include "core/base/invariant.h"
#include "core/changes/change_record.h"
#include "core/changes/persisted_settings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tcpscope;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  auto record = readChangeRecord(text);
  if (!record) return 0;
  TCPSCOPE_INVARIANT(writeChangeRecord(*record) == text);
  record->state = ChangeState::confirmed;
  record->persist = true;
  TCPSCOPE_INVARIANT(!persistedSettings({*record}).empty());
  return 0;
}
