// How clustered losses were elsewhere, for a reader to hold a drop log against: the shares that "Packet Loss
// Burstiness: Measurements and Implications for Distributed Applications" (Wei, Cao, Low 2007, sections 3.2.1 to 3.2.3)
// gives.
//
// They come from drop records of routers and from probes at a constant rate. A capture of TCP must not stand beside
// them: it holds the sender's own bursts.
#pragma once

#include <array>
#include <cstdint>

#include "core/wire/loss/loss.h"

namespace tcpscope {

enum class BurstSetting : std::uint8_t { simulation, emulation, internet };

struct ReferenceBurst {
  BurstSetting setting = BurstSetting::simulation;
  /// Of the losses, clustered within `limitRtt` RTTs.
  double ratio = 0.0;
  double limitRtt = 0.0;
};

/// NS-2 (more than), Dummynet (about; its clock ticked once a millisecond, half an RTT of its shortest flows),
/// PlanetLab.
inline constexpr std::array kReferenceBursts = {
    ReferenceBurst{BurstSetting::simulation, 0.95, kHundredthRtt},
    ReferenceBurst{BurstSetting::emulation, 0.80, kHundredthRtt},
    ReferenceBurst{BurstSetting::internet, 0.40, kHundredthRtt},
    ReferenceBurst{BurstSetting::internet, 0.60, kWholeRtt},
};

}  // namespace tcpscope
