#include "collectors/system/kernel_counters.h"

#include <algorithm>
#include <charconv>

namespace tcpscope {

namespace {

/// Takes the text up to the separator off the front.
std::string_view takeUpTo(std::string_view& text, char separator) {
  const std::size_t length = std::min(text.find(separator), text.size());
  const std::string_view front = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return front;
}

}  // namespace

std::vector<KernelCounter> kernelCounters(std::string_view text, std::string_view protocol) {
  std::vector<KernelCounter> counters;
  while (!text.empty()) {
    std::string_view names = takeUpTo(text, '\n');
    std::string_view values = takeUpTo(text, '\n');
    if (takeUpTo(names, ' ') != protocol || takeUpTo(values, ' ') != protocol) continue;
    while (!names.empty() && !values.empty()) {
      KernelCounter counter{takeUpTo(names, ' '), 0};
      const std::string_view value = takeUpTo(values, ' ');
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), counter.value);
      if (error == std::errc() && end == value.data() + value.size()) counters.push_back(counter);
    }
  }
  return counters;
}

}  // namespace tcpscope
