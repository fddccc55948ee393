#include "core/present/text/obsolete_setting_text.h"

namespace tcpscope {

std::string_view sentence(ObsoleteReason reason) {
  switch (reason) {
    case ObsoleteReason::recyclingGone:
      return "Removed in Linux 4.12: it refused connections of clients that share an address behind NAT. Leave it out.";
    case ObsoleteReason::chosenElsewhere:
      return "Gone since Linux 2.6.14: net.ipv4.tcp_congestion_control chooses the congestion control.";
    case ObsoleteReason::gone:
      return "Removed from the kernel long ago: setting it fails and changes nothing. Leave it out.";
    case ObsoleteReason::ignored:
      return "The kernel still shows it and ignores it: setting it changes nothing. Leave it out.";
    case ObsoleteReason::measuredInstead:
      return "Since Linux 6.6 the kernel measures how much of a buffer is window, and ignores this. The buffer's size "
             "is what counts: net.ipv4.tcp_rmem.";
    case ObsoleteReason::reuseIsNotSpeed:
      return "It lets outgoing connections use ports again sooner, and makes no transfer faster. Set it only where "
             "ports run out.";
    case ObsoleteReason::protectionLowered:
      return "This limit only holds off attacks; below it nothing becomes faster, and above it the kernel drops "
             "connections before their time. Do not lower it.";
    case ObsoleteReason::computedAtBoot:
      return "The kernel computes it at boot from the machine's memory, in pages, not bytes: figures of another "
             "machine make the kernel save memory too early or run out of it. The buffers of a connection are "
             "net.ipv4.tcp_rmem and net.ipv4.tcp_wmem.";
    case ObsoleteReason::notForTcp:
      return "It is for other protocols: TCP's buffers begin with the second number of net.ipv4.tcp_rmem and "
             "net.ipv4.tcp_wmem.";
    case ObsoleteReason::sackOff:
      return "Without selective acknowledgments (RFC 2018) lost packets are repaired one a round trip. Leave them on.";
    case ObsoleteReason::duplicateSackOff:
      return "Without duplicate selective acknowledgments (RFC 2883) a sender cannot tell that it repeated packets "
             "needlessly. Leave them on.";
    case ObsoleteReason::timestampsOff:
      return "Without timestamps (RFC 7323) round trips are measured less well, and fast connections cannot tell old "
             "packets from new ones. Leave them on.";
    case ObsoleteReason::windowScalingOff:
      return "Without window scaling (RFC 7323) no window above 64 KiB can be told to the sender. Leave it on.";
    case ObsoleteReason::autoTuningOff:
      return "Without auto-tuning receive buffers stay at the size that they begin with. Leave it on.";
    case ObsoleteReason::resetsClients:
      return "It ends connections with an error that would have come through a moment later, when the program is slow "
             "to accept them. Make the program faster, or its queue longer.";
    case ObsoleteReason::count:
      break;
  }
  return "";
}

}  // namespace tcpscope
