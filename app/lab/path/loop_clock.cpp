#include "app/lab/path/loop_clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <ctime>
#include <string_view>

namespace tcpscope::lab {

Moment pathClock() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Moment::fromNanoseconds(time.tv_sec * kNanosecondsPerSecond + time.tv_nsec);
}

void sleepUntil(Moment moment) {
  const std::int64_t nanoseconds = moment.nanoseconds();
  const timespec until{nanoseconds / kNanosecondsPerSecond, nanoseconds % kNanosecondsPerSecond};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

Nanoseconds waitedForProcessor() {
  const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return Nanoseconds(0);
  std::array<char, 128> buffer{};
  const ssize_t size = read(file, buffer.data(), buffer.size());
  close(file);
  const std::string_view text(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t space = text.find(' ');
  Nanoseconds::rep waited = 0;
  if (space != std::string_view::npos) std::from_chars(text.data() + space + 1, text.data() + text.size(), waited);
  return Nanoseconds(waited);
}

}  // namespace tcpscope::lab
