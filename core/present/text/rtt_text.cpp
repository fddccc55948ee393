#include "core/present/text/rtt_text.h"

#include "core/present/text/quantity_text.h"

namespace tcpscope {

std::string_view marking(RttSource source) {
  return source == RttSource::old ? " (old)" : "";
}

std::string rttText(double seconds, RttSource source) {
  return formatTime(seconds) + std::string(marking(source));
}

std::string_view sentence(RttSource source) {
  switch (source) {
    case RttSource::smoothed:
      return "Smoothed RTT, measured with the data that this end sends.";
    case RttSource::receiver:
      return "The receiver's estimate, from arriving data: this end sends none, so that its smoothed RTT is old.";
    case RttSource::old:
      return "Old: measured when this end last sent data. The peer went on sending, which gave no newer estimate.";
  }
  return "";
}

}  // namespace tcpscope
