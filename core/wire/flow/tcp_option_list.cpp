#include "core/wire/flow/tcp_option_list.h"

#include <algorithm>

namespace tcpscope {

namespace {

// IANA's registry of TCP option kinds.
constexpr unsigned kEnd = 0;
constexpr unsigned kNoOperation = 1;
constexpr unsigned kMss = 2;
constexpr unsigned kWindowScale = 3;
constexpr unsigned kSackPermitted = 4;
constexpr unsigned kSack = 5;
constexpr unsigned kTimestamps = 8;
constexpr unsigned kMultipath = 30;
constexpr unsigned kFastOpen = 34;
constexpr unsigned kAccurateEcn0 = 172;
constexpr unsigned kAccurateEcn1 = 174;
constexpr unsigned kExperiment1 = 253;
constexpr unsigned kExperiment2 = 254;
// Experiment identifiers of RFC 6994.
constexpr unsigned kFastOpenExperiment = 0xF989;
constexpr unsigned kAccurateEcnExperiment0 = 0xACC0;
constexpr unsigned kAccurateEcnExperiment1 = 0xACC1;

using Body = std::span<const std::byte>;

unsigned byteAt(Body body, std::size_t at) {
  return std::to_integer<unsigned>(body[at]);
}

void takeSack(TcpOptionList& list, Body body) {
  const std::size_t blocks = body.size() / 8;
  if (blocks == 0 || body.size() % 8 != 0 || list.sackBlockCount != 0) list.isDamaged = true;
  if (list.sackBlockCount != 0) return;
  list.sackBlockCount = static_cast<std::uint8_t>(std::min(blocks, TcpOptionList::kMaxSackBlocks));
  for (std::size_t block = 0; block < list.sackBlockCount; ++block) {
    list.sack[block] = {wordAt(body, block * 8), wordAt(body, block * 8 + 4)};
  }
}

void takeExperiment(TcpOptionList& list, Body body) {
  const unsigned experiment = body.size() < 2 ? 0 : byteAt(body, 0) << 8 | byteAt(body, 1);
  if (experiment == kFastOpenExperiment) {
    list.fastOpenCookieBytes = static_cast<std::uint8_t>(body.size() - 2);
  } else if (experiment == kAccurateEcnExperiment0 || experiment == kAccurateEcnExperiment1) {
    list.accurateEcn = true;
  } else {
    ++list.others;
  }
}

/// An option whose body has one length only; false where it has another.
bool takeFixed(TcpOptionList& list, unsigned kind, Body body) {
  switch (kind) {
    case kMss:
      if (body.size() != 2) return false;
      list.mssBytes = static_cast<std::uint16_t>(byteAt(body, 0) << 8 | byteAt(body, 1));
      return true;
    case kWindowScale:
      if (body.size() != 1) return false;
      list.windowScale = static_cast<std::uint8_t>(byteAt(body, 0));
      return true;
    case kSackPermitted:
      if (!body.empty()) return false;
      list.sackPermitted = true;
      return true;
    default:
      if (body.size() != 8) return false;
      list.timestamps = TcpTimestamps{wordAt(body, 0), wordAt(body, 4)};
      return true;
  }
}

void take(TcpOptionList& list, unsigned kind, Body body) {
  switch (kind) {
    case kMss:
    case kWindowScale:
    case kSackPermitted:
    case kTimestamps:
      if (!takeFixed(list, kind, body)) list.isDamaged = true;
      return;
    case kSack:
      return takeSack(list, body);
    case kMultipath:
      list.multipath = true;
      return;
    case kFastOpen:
      list.fastOpenCookieBytes = static_cast<std::uint8_t>(body.size());
      return;
    case kAccurateEcn0:
    case kAccurateEcn1:
      list.accurateEcn = true;
      return;
    case kExperiment1:
    case kExperiment2:
      return takeExperiment(list, body);
    default:
      ++list.others;
  }
}

}  // namespace

TcpOptionList TcpOptionList::parse(std::span<const std::byte> bytes, bool isCut) {
  TcpOptionList list;
  list.isCut = isCut;
  while (!bytes.empty()) {
    const unsigned kind = byteAt(bytes, 0);
    if (kind == kEnd) break;
    if (kind == kNoOperation) {
      bytes = bytes.subspan(1);
      continue;
    }
    const std::size_t length = bytes.size() < 2 ? 0 : byteAt(bytes, 1);
    const bool endsEarly = bytes.size() < 2 || length > bytes.size();
    if (endsEarly || length < 2) {
      if (!endsEarly || !isCut) list.isDamaged = true;
      break;
    }
    take(list, kind, bytes.subspan(2, length - 2));
    bytes = bytes.subspan(length);
  }
  return list;
}

}  // namespace tcpscope
