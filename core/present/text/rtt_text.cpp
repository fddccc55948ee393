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
  return isOld ? "Old: measured when this end last sent data, since when the peer went on sending. Look at the other "
                 "end, "
                 "or capture packets, for the RTT of now."
               : "Smoothed RTT, measured with the data that this end sends.";
}

}  // namespace tcpscope
