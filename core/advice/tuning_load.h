// The loads that call for different tunings of TCP, and which of them a connection is.
//
// After section 5 of Weigle and Feng, "A Comparison of TCP Automatic Tuning Techniques for Distributed Computing"; what
// to use for each is in core/present/text/tuning_guide.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/units.h"

namespace tcpscope {

enum class TuningLoad : std::uint8_t {
  shortTransfers,
  bulkTransfers,
  parallelStreams,
  localNetwork,
  veryLongPath,
  oneToMany,
  manyToOne,
  oneProgramWithoutRights,
  manyProgramsWithoutRights,
  otherSystem,
};

inline constexpr std::array kTuningLoads = {
    TuningLoad::shortTransfers,
    TuningLoad::bulkTransfers,
    TuningLoad::parallelStreams,
    TuningLoad::localNetwork,
    TuningLoad::veryLongPath,
    TuningLoad::oneToMany,
    TuningLoad::manyToOne,
    TuningLoad::oneProgramWithoutRights,
    TuningLoad::manyProgramsWithoutRights,
    TuningLoad::otherSystem,
};

/// What is known of a connection that carries data.
struct LoadFacts {
  /// Connections between the same two addresses that carry data at the same time, this one included.
  std::size_t streams = 1;
  /// Of the path, without queues as far as that is known.
  std::optional<double> rttSeconds;
  /// Of its bulk, and the rate at which it was carried.
  std::optional<double> bytes;
  std::optional<BitsPerSecond> rate;
};

/// Nothing where the facts do not decide it. Rights, and what other hosts do, no connection shows.
std::optional<TuningLoad> loadOf(const LoadFacts& facts);

}  // namespace tcpscope
