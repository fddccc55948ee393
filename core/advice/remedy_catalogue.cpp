#include "core/advice/remedies.h"

#include <array>

namespace tcpscope {

namespace {

constexpr std::array kRemedies = {
    RemedyRow{RemedyId::lockedReceiveBuffer, remedies::lockedReceiveBuffer},
    RemedyRow{RemedyId::lockedSendBuffer, remedies::lockedSendBuffer},
    RemedyRow{RemedyId::autoTuningOff, remedies::autoTuningOff},
    RemedyRow{RemedyId::windowScalingOff, remedies::windowScalingOff},
    RemedyRow{RemedyId::receiveBufferLimit, remedies::receiveBufferLimit},
    RemedyRow{RemedyId::sendBufferLimit, remedies::sendBufferLimit},
    RemedyRow{RemedyId::receiverElsewhere, remedies::receiverElsewhere},
    RemedyRow{RemedyId::sackOff, remedies::sackOff},
    RemedyRow{RemedyId::pacingLimit, remedies::pacingLimit},
    RemedyRow{RemedyId::mtuBlackHole, remedies::mtuBlackHole},
    RemedyRow{RemedyId::randomLoss, remedies::randomLoss},
    RemedyRow{RemedyId::unsentData, remedies::unsentData, AdviceAim::latency},
    RemedyRow{RemedyId::ecnOff, remedies::ecnOff},
    RemedyRow{RemedyId::timestampsOff, remedies::timestampsOff},
    RemedyRow{RemedyId::rememberedThreshold, remedies::rememberedThreshold},
    RemedyRow{RemedyId::jumboFrames, remedies::jumboFrames},
    RemedyRow{RemedyId::parallelStreams, remedies::parallelStreams},
    RemedyRow{RemedyId::congestionWindowClamp, remedies::congestionWindowClamp},
    RemedyRow{RemedyId::windowClamp, remedies::windowClamp},
    RemedyRow{RemedyId::initialWindow, remedies::initialWindow},
    RemedyRow{RemedyId::connectionReuse, remedies::connectionReuse},
    RemedyRow{RemedyId::idleRestart, remedies::idleRestart},
    RemedyRow{RemedyId::smallSegments, remedies::smallSegments},
    RemedyRow{RemedyId::smallWrites, remedies::smallWrites},
    RemedyRow{RemedyId::delayedAcks, remedies::delayedAcks},
    RemedyRow{RemedyId::applicationWindow, remedies::applicationWindow},
};

constexpr bool followsTheEnumeration() {
  for (std::size_t index = 0; index < kRemedies.size(); ++index) {
    if (static_cast<std::size_t>(kRemedies[index].id) != index) return false;
  }
  return kRemedies.size() == static_cast<std::size_t>(RemedyId::count);
}
static_assert(followsTheEnumeration(), "one row a remedy, in the order of RemedyId");

}  // namespace

std::span<const RemedyRow> remedyCatalogue() {
  return kRemedies;
}

}  // namespace tcpscope
