// Tuning daemons, which set sysctls while the machine runs and may override other settings: plain values.
#pragma once

#include <cstdint>
#include <vector>

namespace tcpscope {

enum class OtherTuner : std::uint8_t { tuned, bpftune };

enum class TunerEvidence : std::uint8_t {
  /// A process of its name runs.
  process,
  /// Only its folder below /run exists: installed, and possibly active.
  runFolder,
};

struct FoundTuner {
  OtherTuner tuner = OtherTuner::tuned;
  TunerEvidence evidence = TunerEvidence::process;

  bool operator==(const FoundTuner&) const = default;
};

struct OtherTuners {
  /// In the order of the enumeration, none twice.
  std::vector<FoundTuner> found;
  /// False: not every process may be looked at here, so that none found does not mean that there is none.
  bool sawAllProcesses = false;
};

}  // namespace tcpscope
