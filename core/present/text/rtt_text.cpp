#include "core/present/text/rtt_text.h"

#include "core/present/text/quantity_text.h"

namespace tcpscope {

std::string_view ageMarking(bool isOld) {
  return isOld ? " (old)" : "";
}

std::string rttText(double seconds, bool isOld) {
  return formatTime(seconds) + std::string(ageMarking(isOld));
}

std::string_view rttExplanation(bool isOld) {
  if (!isOld) return "Smoothed RTT, measured with the data that this end sends.";
  return "Old: only data that this end sends measures the RTT, and it has sent none for a while. "
         "The other end, or a capture, shows the current one.";
}

}  // namespace tcpscope
