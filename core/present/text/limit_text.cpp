#include "core/present/text/sentences.h"

namespace tcpscope {

std::string_view shortName(Limit limit) {
  switch (limit) {
    case Limit::receiver:
      return "receiver's window";
    case Limit::sendBuffer:
      return "send buffer";
    case Limit::network:
      return "network";
    case Limit::recovery:
      return "loss recovery";
    case Limit::timeout:
      return "timeouts";
    case Limit::application:
      return "application";
    case Limit::idle:
      return "idle";
    case Limit::unknown:
      break;
  }
  return "not known";
}

std::string_view explanation(Limit limit) {
  switch (limit) {
    case Limit::receiver:
      return "Data was ready, and the window that the receiving end advertises did not allow to send it. Sending: the "
             "kernel's own clock (rwnd_limited). Receiving: the window here was used up while the program read at "
             "once.";
    case Limit::sendBuffer:
      return "The program had more to write, and the send buffer was full of data not yet acknowledged. The kernel's "
             "own clock (sndbuf_limited), which misses a part, plus the time in which the buffer was found full while "
             "both windows had room.";
    case Limit::network:
      return "Data was on its way or waited for the congestion window or for pacing: the path sets the rate. What is "
             "left of the kernel's busy time after all other limits.";
    case Limit::recovery:
      return "Lost data was being sent again after duplicate acknowledgments (fast recovery). From the state of "
             "congestion avoidance at each sample.";
    case Limit::timeout:
      return "The sender waited for, and recovered from, retransmission timeouts. The kernel's own clock "
             "(total_rto_time, Linux 6.7 and later), before that the state at each sample.";
    case Limit::application:
      return "The program had nothing to send, although it had sent before, or, on the receiving side, did not read "
             "what had arrived. Time that was not busy beside data, and busy time in which the window had room and "
             "nothing waited.";
    case Limit::idle:
      return "No data moved in this direction.";
    case Limit::unknown:
      break;
  }
  return "What held the connection back cannot be told from this end: the kernel reports too little, or the answer "
         "lies with the other end.";
}

}  // namespace tcpscope
