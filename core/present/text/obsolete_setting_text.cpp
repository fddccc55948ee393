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
      return "It allows outgoing connections to reuse ports sooner, and makes no transfer faster. Set it only where "
             "ports run out.";
    case ObsoleteReason::protectionLowered:
      return "This limit protects against attacks: lowering it makes nothing faster, and the kernel then drops "
             "connections too early. Do not lower it.";
    case ObsoleteReason::computedAtBoot:
      return "The kernel computes it at boot from the machine's memory, in pages, not bytes: values from another "
             "machine cause memory pressure too early, or exhaust memory. The buffers of a connection are "
             "net.ipv4.tcp_rmem and net.ipv4.tcp_wmem.";
    case ObsoleteReason::notForTcp:
      return "It is for other protocols: the initial size of TCP's buffers is the second value of net.ipv4.tcp_rmem "
             "and net.ipv4.tcp_wmem.";
    case ObsoleteReason::sackOff:
      return "Without SACK (RFC 2018) only one lost segment per RTT is repaired. Leave it on.";
    case ObsoleteReason::duplicateSackOff:
      return "Without duplicate selective acknowledgments (RFC 2883) a sender does not learn of spurious "
             "retransmissions. Leave it on.";
    case ObsoleteReason::timestampsOff:
      return "Without timestamps (RFC 7323) RTT samples are less accurate, and fast connections have no protection "
             "against wrapped sequence numbers. Leave them on.";
    case ObsoleteReason::windowScalingOff:
      return "Without window scaling (RFC 7323) no window above 64 KiB can be advertised. Leave it on.";
    case ObsoleteReason::autoTuningOff:
      return "Without autotuning receive buffers keep their initial size. Leave it on.";
    case ObsoleteReason::resetsClients:
      return "When an application is slow to accept, it resets connections that would have succeeded a moment later. "
             "Make the application faster, or increase its backlog.";
    case ObsoleteReason::count:
      break;
  }
  return "";
}

}  // namespace tcpscope
