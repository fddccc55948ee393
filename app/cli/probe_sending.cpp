#include "app/cli/probe_sending.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "app/probe/probe_sender.h"
#include "collectors/system/monotonic_clock.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// How many packets are sent, on one line of a terminal that is wiped in the end.
class SendingLine {
public:
  explicit SendingLine(const std::array<ProbeRunPlan, 2>& plan) : m_plan(plan) {}
  ~SendingLine() {
    if (m_isShown) fmt::print(stderr, "\r\x1b[K");
  }
  void show(const ProbeRunPlan& run, std::uint32_t sent) {
    if (!m_isTerminal || monotonicNow() < m_next) return;
    m_next = monotonicNow() + Milliseconds(500);
    const auto left = run.interval * (run.packets - sent) + (run == m_plan[0] ? m_plan[1].time() : Nanoseconds(0));
    fmt::print(stderr, "\r\x1b[K{} of {} packets of {} bytes sent; {} left", formatCount(sent),
               formatCount(run.packets), run.packetSize.value(), formatTime(toSeconds(left)));
    std::fflush(stderr);
    m_isShown = true;
  }

private:
  const std::array<ProbeRunPlan, 2>& m_plan;
  bool m_isTerminal = isatty(STDERR_FILENO) == 1;
  bool m_isShown = false;
  Moment m_next = monotonicNow();
};

}  // namespace

std::optional<ProbePlan> planOf(const ProbeOptions& options) {
  // Neither infinity nor what is no number becomes a time.
  const bool isTime = options.seconds >= 0.0 && options.seconds <= toSeconds(kMostProbeTime);
  const auto time = Nanoseconds(isTime ? static_cast<std::int64_t>(options.seconds * 1e9) : 0);
  const auto plan = probePlan(options.rate, time);
  if (!plan) {
    fail(ExitCode::wrongUsage,
         fmt::format("probe sends {} to {} for {} to {}; change --rate or --for", formatRate(kLeastProbeRate),
                     formatRate(kMostProbeRate), formatTime(toSeconds(kLeastProbeTime)),
                     formatTime(toSeconds(kMostProbeTime))));
  }
  return plan;
}

Expected<std::array<ProbeRun, 2>, ProbeError> sendProbe(const Endpoint& listener, const ProbePlan& plan,
                                                        int wakeDescriptor) {
  auto sender = ProbeSender::connect(listener, wakeDescriptor);
  if (!sender) return Unexpected<ProbeError>(sender.error());
  SendingLine progress(plan);
  std::array<ProbeRun, 2> runs;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    auto measured =
        sender->run(plan[run], [&](const ProbeRunPlan& one, std::uint32_t sent) { progress.show(one, sent); });
    if (!measured) return Unexpected<ProbeError>(measured.error());
    runs[run] = std::move(*measured);
  }
  sender->finish();
  return runs;
}

ExitCode codeOf(const ProbeError& error) {
  switch (error.kind) {
    case ProbeError::Kind::systemFailed:
    case ProbeError::Kind::interrupted:
      return ExitCode::systemFailed;
    case ProbeError::Kind::notAProbe:
      return ExitCode::badInput;
    case ProbeError::Kind::refused:
      return ExitCode::refused;
    case ProbeError::Kind::unreachable:
    case ProbeError::Kind::silent:
    case ProbeError::Kind::ended:
      break;
  }
  return ExitCode::notThere;
}

}  // namespace tcpscope
