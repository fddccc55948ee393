// Any bytes as the options of a header: what comes before the damage is kept, and the quick way agrees with the whole.
#include <cstddef>
#include <cstdint>

#include "core/base/invariant.h"
#include "core/wire/flow/tcp_option_list.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tcpscope;
  const std::span<const std::byte> input = std::as_bytes(std::span(bytes, size));
  const TcpOptionList list = TcpOptionList::parse(input, false);
  TCPSCOPE_INVARIANT(!list.isCut);
  TCPSCOPE_INVARIANT(list.sackBlocks().size() <= TcpOptionList::kMaxSackBlocks);
  const auto lone = loneTimestamps(input);
  TCPSCOPE_INVARIANT(!lone || (lone == list.timestamps && !list.isDamaged));
  // Cut anywhere, it knows no more than the whole, and what is missing is no fault unless it was damaged before.
  const TcpOptionList cut = TcpOptionList::parse(input.first(size / 2), true);
  TCPSCOPE_INVARIANT(cut.isCut);
  TCPSCOPE_INVARIANT(!cut.isDamaged || list.isDamaged);
  TCPSCOPE_INVARIANT(!cut.sackPermitted || list.sackPermitted);
  TCPSCOPE_INVARIANT(!cut.timestamps || list.timestamps);
  TCPSCOPE_INVARIANT(cut.sackBlockCount == 0 || cut.sackBlockCount == list.sackBlockCount);
  return 0;
}
