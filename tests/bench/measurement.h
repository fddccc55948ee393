// What every benchmark shares: processor time, medians of alternating runs, and the one form in which a figure is
// printed.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tcpscope::bench {

/// Processor time of the calling thread so far, in seconds, kernel's part included.
double threadCpuSeconds();
/// Of the whole process.
double processCpuSeconds();
double wallSeconds();
/// Resident memory of this process in bytes.
std::size_t residentBytes();

/// What a call costs the calling thread, in seconds of processor time.
double threadCpuOf(const std::function<void()>& work);

/// `values` must not be empty.
double median(std::vector<double> values);
/// The value that `share` (0…1) of the values do not exceed.
double quantile(std::vector<double> values, double share);

struct Figure {
  std::string name;
  /// As text with unit; the peer's is empty where there is none.
  std::string ours;
  std::string peer;
  /// What is held against the target.
  double value = 0.0;
  /// "ratio", "ms", "%", …
  std::string unit;
  /// Absent: the figure is only printed.
  std::optional<double> target;
  bool moreIsBetter = false;
};

/// One line on standard output, fields apart by tabs, as tests/bench/run reads it.
void publish(const Figure& figure);

/// Ends the program: the system did not do what the benchmark needs.
[[noreturn]] void giveUp(const char* what);

/// Small numbers, to see that everything still runs: --quick among the arguments.
bool isQuick(int argc, char** argv);

}  // namespace tcpscope::bench
