// Probes of which the truth is known: sent on time, lost by a drawn process.
#pragma once

#include <array>

#include "core/wire/probe/probe_analysis.h"
#include "tests/core/wire/loss/drawn_losses.h"

namespace tcpscope {

/// Five minutes, 46,875 packets a run, 31 an RTT.
inline std::array<ProbeRunPlan, 2> drawnPlan() {
  return *probePlan(kDefaultProbeRate, kDefaultProbeTime);
}

inline ProbeRun drawnRun(const ProbeRunPlan& plan, const Positions& lost) {
  ProbeRun run;
  run.plan = plan;
  for (std::uint32_t packet = 0; packet < plan.packets; ++packet) {
    run.sent.times.push_back(Moment() + plan.interval * packet);
  }
  run.sent.rtts.assign(20, kDrawnRtt);
  run.received.arrived.assign(plan.packets, true);
  for (const std::size_t packet : lost) run.received.arrived[packet] = false;
  run.received.packets = plan.packets - lost.size();
  run.received.span = plan.time();
  return run;
}

inline std::array<ProbeRun, 2> probeLostByChance(double small, double large, std::uint64_t seed) {
  const auto plan = drawnPlan();
  return {drawnRun(plan[0], lostByChance(plan[0].packets, small, seed)),
          drawnRun(plan[1], lostByChance(plan[1].packets, large, seed + 1000))};
}

inline std::array<ProbeRun, 2> probeLostInBursts(std::uint64_t seed) {
  const auto plan = drawnPlan();
  const TwoStates path{0.0005, 0.2, 0.8};
  return {drawnRun(plan[0], lostInBursts(plan[0].packets, path, seed)),
          drawnRun(plan[1], lostInBursts(plan[1].packets, path, seed + 1000))};
}

}  // namespace tcpscope
