// Who sends to whom, from which port to which: fixed by the scenario alone, so that both programs and the lab's owner
// know a connection by its ports.
#pragma once

#include <vector>

#include "app/lab/scenario/scenario.h"
#include "core/base/expected.h"
#include "core/model/endpoint.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// Connections of a whole run.
inline constexpr std::size_t kMostTransfers = 16384;
inline constexpr std::size_t kMostTraffic = 256;

struct TrafficPlan {
  TrafficSettings settings;
  /// Numbers of PathSettings::hosts.
  std::size_t sender = 0;
  std::size_t receiver = 0;
  IpAddress source;
  Endpoint destination;
  /// Its connections have the slots firstSlot … firstSlot + slotCount − 1 of the run's transfer table.
  std::size_t firstSlot = 0;
  std::size_t slotCount = 0;

  /// `stream` counts from 0 within the traffic.
  [[nodiscard]] Endpoint sourceOf(std::size_t stream) const;
  /// The slot of the connection from this port; nothing where it is none of this traffic.
  [[nodiscard]] std::optional<std::size_t> slotOf(std::uint16_t sourcePort) const;
};

/// One plan for each traffic, in the scenario's order. Errors: tooMany; setUpFailed with the name of a host that the
/// path does not have.
Expected<std::vector<TrafficPlan>, LabError> planTraffic(const Scenario& scenario);

/// Of the transfer table that they share.
std::size_t slotsOf(const std::vector<TrafficPlan>& plans);

}  // namespace tcpscope::lab
