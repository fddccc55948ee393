// How much of its processors a virtual machine did not get: what a test of real time has to know before it judges.
#pragma once

#include <cstdint>

namespace tcpscope::test {

/// From its construction on, after /proc/stat (proc(5), "steal").
class StolenTime {
public:
  StolenTime();
  /// Share of all processors' time that the hypervisor gave to others, 0…1; 0 where it is not reported.
  [[nodiscard]] double ratio() const;

private:
  struct Ticks {
    std::uint64_t stolen = 0;
    std::uint64_t all = 0;
  };
  static Ticks now();

  Ticks m_start;
};

}  // namespace tcpscope::test
