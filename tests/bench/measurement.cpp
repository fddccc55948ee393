#include "tests/bench/measurement.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string_view>

namespace tcpscope::bench {

namespace {

double clockSeconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double threadCpuSeconds() {
  return clockSeconds(CLOCK_THREAD_CPUTIME_ID);
}

double processCpuSeconds() {
  return clockSeconds(CLOCK_PROCESS_CPUTIME_ID);
}

double wallSeconds() {
  return clockSeconds(CLOCK_MONOTONIC);
}

std::size_t residentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

double threadCpuOf(const std::function<void()>& work) {
  const double before = threadCpuSeconds();
  work();
  return threadCpuSeconds() - before;
}

double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

double quantile(std::vector<double> values, double share) {
  const double rank = std::ceil(share * static_cast<double>(values.size())) - 1.0;
  const auto index = static_cast<std::ptrdiff_t>(std::max(rank, 0.0));
  std::nth_element(values.begin(), values.begin() + index, values.end());
  return values[static_cast<std::size_t>(index)];
}

void publish(const Figure& figure) {
  const std::string target =
      figure.target ? fmt::format("{} {:g}", figure.moreIsBetter ? "≥" : "≤", *figure.target) : "-";
  const bool met =
      figure.target && (figure.moreIsBetter ? figure.value >= *figure.target : figure.value <= *figure.target);
  fmt::print("FIGURE\t{}\t{}\t{}\t{:.3g} {}\t{}\t{}\n", figure.name, figure.ours,
             figure.peer.empty() ? "-" : figure.peer, figure.value, figure.unit, target,
             figure.target ? (met ? "yes" : "NO") : "-");
  std::fflush(stdout);
}

void giveUp(const char* what) {
  std::perror(what);
  std::exit(EXIT_FAILURE);
}

bool isQuick(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc,
                     [](const char* argument) { return std::string_view(argument) == "--quick"; });
}

}  // namespace tcpscope::bench
