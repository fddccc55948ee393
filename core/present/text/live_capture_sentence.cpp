#include "core/present/text/live_capture_sentence.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/escape.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/sentences.h"
#include "core/present/text/system_error_sentence.h"

namespace tcpscope {

std::string sentence(const LiveCaptureError& error) {
  const std::string object = forTerminal(error.object);
  const std::string said = error.reason.empty() ? std::string() : fmt::format(" ({})", forTerminal(error.reason));
  switch (error.kind) {
    case LiveCaptureErrorKind::missingRight:
      return fmt::format(
          "capturing on {} requires the right to open packet sockets: run tcpscope as root, or allow your group to use "
          "dumpcap "
          "(install wireshark-common, 'sudo dpkg-reconfigure wireshark-common', 'sudo usermod -aG wireshark $USER') "
          "and log in again",
          object);
    case LiveCaptureErrorKind::noSuchInterface:
      return fmt::format("there is no interface {}{}; 'ip link' lists them, and 'any' is all of them", object, said);
    case LiveCaptureErrorKind::interfaceIsDown:
      return fmt::format("the interface {} is down; 'ip link set {} up' brings it up", object, object);
    case LiveCaptureErrorKind::interfaceFailed:
      return fmt::format("the interface {} delivers no more packets{}", object, said);
    case LiveCaptureErrorKind::badFilter:
      return fmt::format("'{}' is not a filter of pcap-filter(7){}", object, said);
    case LiveCaptureErrorKind::elsewhere:
      return "the packets of this connection pass another host or network namespace: run 'tcpscope-cli capture' there, "
             "and open the file here";
    case LiveCaptureErrorKind::failed:
      break;
  }
  return fmt::format("cannot capture on {}{}", object, said);
}

std::string sentence(const LiveCaptureState& state) {
  if (state.packets == 0) return {};
  std::string text = fmt::format("{} captured", countOfPackets(state.packets));
  if (state.connectionPackets != state.packets) {
    text += fmt::format(", {} of them of this connection", state.connectionPackets);
  }
  if (!state.dropped) {
    text += state.phase == LiveCapturePhase::ended ? "; drops unknown" : "; dumpcap reports drops when it ends";
  } else if (*state.dropped == 0) {
    text += ", none dropped";
  } else {
    text += fmt::format("; {} dropped by the capture, not by the network: verdicts have a lower confidence",
                        *state.dropped);
  }
  if (state.discarded > 0) text += fmt::format("; the oldest {} were dropped to save memory", state.discarded);
  text += fmt::format(". Their times match the kernel's clock to within {}", formatTime(toSeconds(state.clockError)));
  if (state.clockStep != Nanoseconds(0)) {
    text += fmt::format(", but the wall clock was set by {} since", formatTime(std::abs(toSeconds(state.clockStep))));
  }
  return text + '.';
}

std::string sentence(const SavedCapture& saved) {
  if (saved.error) return sentence(*saved.error);
  return fmt::format("{} saved in {}.", countOfPackets(saved.packets), forPlainText(saved.file));
}

}  // namespace tcpscope
