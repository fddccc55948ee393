// One side of a limited connection, as the tests of the remedies build it: an RTT of 20 ms, and what each test sets.
#pragma once

#include "core/advice/advice.h"
#include "core/advice/buffer_size.h"
#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope::test {

using namespace std::chrono_literals;

/// One side with its verdict given, so that a test can set the conditions of a remedy one by one.
struct AdviceSituation {
  ObservationBuilder socket;
  /// Nothing was retransmitted unless a test says so.
  WindowStatistics window = countedWindow();
  SideDiagnosis diagnosis;
  SysctlValues settings;
  AdviceGoal goal;

  static WindowStatistics countedWindow() {
    WindowStatistics counted;
    counted.dataSegmentsOut = counted.retransmittedSegments = counted.duplicatesReported = 0;
    counted.samplesInRecovery = counted.samplesInLoss = 0;
    return counted;
  }

  AdviceSituation(Side side, Limit limit, Cause cause) {
    diagnosis.side = side;
    diagnosis.goodput = BitsPerSecond(12e6);
    diagnosis.verdict.limit = limit;
    diagnosis.verdict.cause = cause;
    diagnosis.verdict.confidenceRatio = 0.9;
    diagnosis.verdict.goodput = diagnosis.goodput;
    diagnosis.verdict.evidence = {{"rtt_us", 20'000, std::nullopt, {}}};
    settings.set("net.ipv4.tcp_rmem", "4096 65536 65536");
    settings.set("net.ipv4.tcp_wmem", "4096 16384 65536");
    settings.set("net.ipv4.tcp_moderate_rcvbuf", "1");
    settings.set("net.ipv4.tcp_window_scaling", "1");
    settings.set("net.ipv4.tcp_mem", "100 1000 2000");
  }
  /// 100 Mbit/s over 20 ms: 250,000 bytes in flight, a buffer of 500,000 in whole 64 KiB: 8 of them.
  AdviceSituation& aimAt(double bitsPerSecond) { return goal.targetRate = BitsPerSecond(bitsPerSecond), *this; }

  [[nodiscard]] SideAdvice advice() const {
    return adviceFor({kernelEvidence(socket.build(), window, diagnosis.side), diagnosis, settings, goal});
  }
  /// The remedy, or nothing where it is not among the advice.
  [[nodiscard]] std::optional<Remedy> remedy(RemedyId id) const {
    const SideAdvice all = advice();
    for (const Remedy& one : all.remedies) {
      if (one.id == id) return one;
    }
    return std::nullopt;
  }
};

}  // namespace tcpscope::test
