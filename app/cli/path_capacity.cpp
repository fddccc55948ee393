#include "app/cli/path_capacity.h"

#include "app/cli/interruption.h"
#include "app/session/capacity_capture.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

void learnCapacities(const CommandOptions& options, ConnectionWatch& watch) {
  // Some ten RTTs of a long path.
  constexpr Nanoseconds kSpan = std::chrono::milliseconds(1500);
  constexpr Nanoseconds kEvery = std::chrono::milliseconds(50);
  if (options.from || options.sshAddress() || options.networkNamespace) return;
  CapacityCapture capture(watch.details);
  if (capture.isEmpty()) return;
  const Interruption interruption;
  const Moment end = monotonicNow() + kSpan;
  while (monotonicNow() < end) {
    if (interruption.waitUntil(monotonicNow() + kEvery) == Interruption::Wake::interrupted) break;
    capture.take();
  }
  capture.teach(watch.details);
}

}  // namespace tcpscope
