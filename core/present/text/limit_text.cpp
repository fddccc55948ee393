#include "core/present/text/sentences.h"

namespace tcpscope {

std::string_view shortName(Limit limit) {
  switch (limit) {
    case Limit::receiver:
      return "receive window";
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
  return "unknown";
}

std::string_view explanation(Limit limit) {
  switch (limit) {
    case Limit::receiver:
      return "Receive-window limited: the sender had data, but the receiver's advertised window (rwnd) did not allow "
             "it "
             "to send. At the sender this is the kernel's rwnd_limited time; at the receiver, the time in which the "
             "window was exhausted while the application read without delay.";
    case Limit::sendBuffer:
      return "Send-buffer limited: the application had more to write, but the send buffer was full of data that was "
             "not yet acknowledged. This is the kernel's sndbuf_limited time, which misses a part, plus the time in "
             "which the buffer was full although neither window was.";
    case Limit::network:
      return "Data was in flight, or waited for the congestion window or for pacing: the path sets the rate. This is "
             "what remains of the kernel's busy time after all other limits.";
    case Limit::recovery:
      return "Fast recovery: the sender retransmitted lost data after duplicate acknowledgments. Taken from the CA "
             "state (tcpi_ca_state) of each sample.";
    case Limit::timeout:
      return "The sender waited for a retransmission timeout (RTO) or recovered from one. This is the kernel's "
             "total_rto_time (Linux 6.7 and later); before that, the CA state of each sample.";
    case Limit::application:
      return "Application-limited: the sending application provided no data although it had sent before or, on the "
             "receiving side, the receiving application did not read what had arrived. Time that was not busy between "
             "transfers, and busy time in which the window was open and nothing was queued.";
    case Limit::idle:
      return "No data moved in this direction.";
    case Limit::unknown:
      break;
  }
  return "The limit is unknown: the kernel reports too little, or only the peer can show it.";
}

}  // namespace tcpscope
