#include "collectors/host/task_stat.h"

#include <array>
#include <limits>

#include "collectors/host/file_values.h"

namespace tcpscope {

namespace {

/// Takes the next word off the text; empty at the end of its line.
std::string_view takeWord(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \n"));
  text.remove_prefix(word.size());
  return word;
}

std::optional<Nanoseconds> fromTicks(std::string_view word, std::int64_t ticksPerSecond) {
  const auto ticks = numberIn<std::int64_t>(word);
  const std::int64_t tick = Nanoseconds(std::chrono::seconds(1)).count() / ticksPerSecond;
  if (!ticks || *ticks < 0 || *ticks > std::numeric_limits<std::int64_t>::max() / 2 / tick) return std::nullopt;
  return Nanoseconds(*ticks * tick);
}

}  // namespace

std::optional<TaskStat> taskStatIn(std::string_view text, std::int64_t ticksPerSecond) {
  // Fields as proc(5) numbers them; the third is the first behind the name.
  constexpr std::size_t kState = 3;
  constexpr std::size_t kMajorFaults = 12;
  constexpr std::size_t kUserTime = 14;
  constexpr std::size_t kSystemTime = 15;
  constexpr std::size_t kBegun = 22;
  constexpr std::size_t kDiskWait = 42;
  // Behind the name are numbers alone: what counts begins behind the last parenthesis.
  const std::size_t nameBegin = text.find('(');
  const std::size_t nameEnd = text.rfind(')');
  if (nameEnd == std::string_view::npos || nameBegin >= nameEnd || ticksPerSecond <= 0) return std::nullopt;
  std::string_view rest = text.substr(nameEnd + 1);
  std::array<std::string_view, kDiskWait + 1> field;
  for (std::size_t number = kState; number <= kDiskWait; ++number) field.at(number) = takeWord(rest);
  const auto user = fromTicks(field[kUserTime], ticksPerSecond);
  const auto system = fromTicks(field[kSystemTime], ticksPerSecond);
  const auto begun = fromTicks(field[kBegun], ticksPerSecond);
  if (field[kState].size() != 1 || !user || !system || !begun) return std::nullopt;
  TaskStat stat;
  stat.name = UntrustedText(std::string(text.substr(nameBegin + 1, nameEnd - nameBegin - 1)));
  stat.state = field[kState].front();
  stat.begun = *begun;
  stat.ran = *user + *system;
  stat.majorFaults = numberIn<std::uint64_t>(field[kMajorFaults]);
  stat.waitedForDisk = fromTicks(field[kDiskWait], ticksPerSecond);
  return stat;
}

std::optional<Nanoseconds> processorWaitIn(std::string_view schedstatText) {
  std::string_view rest = schedstatText;
  takeWord(rest);
  const auto waited = numberIn<std::int64_t>(takeWord(rest));
  const auto timesRun = numberIn<std::uint64_t>(takeWord(rest));
  if (!waited || *waited < 0 || timesRun.value_or(0) == 0) return std::nullopt;
  return Nanoseconds(*waited);
}

}  // namespace tcpscope
