// The clocks of a host, in memory that all processes of a round share: a step is one for its timers as well.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "app/changes/execute/sysctl_changer.h"

namespace tcpscope {

class SteppedClock {
public:
  SteppedClock() {
    void* const memory = mmap(nullptr, sizeof(Steps), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    m_steps = new (memory) Steps;
  }
  SteppedClock(const SteppedClock&) = delete;
  SteppedClock& operator=(const SteppedClock&) = delete;
  ~SteppedClock() { munmap(m_steps, sizeof(Steps)); }

  [[nodiscard]] ChangeClocks clocks() const {
    return {[steps = m_steps] { return bootTime() + Nanoseconds(steps->bootNanoseconds); },
            [steps = m_steps] { return steps->wallSeconds.load(); }};
  }
  /// As over a suspend: CLOCK_BOOTTIME never goes back.
  void suspend(Nanoseconds length) const { m_steps->bootNanoseconds += length.count(); }
  void setWall(std::int64_t seconds) const { m_steps->wallSeconds = seconds; }

private:
  struct Steps {
    std::atomic<std::int64_t> bootNanoseconds{0};
    std::atomic<std::int64_t> wallSeconds{1'764'000'000};
  };
  Steps* m_steps = nullptr;
};

}  // namespace tcpscope
