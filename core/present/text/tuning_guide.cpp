#include "core/present/text/tuning_guide.h"

#include <array>

namespace tcpscope {

std::string_view tuningGuideIntroduction() {
  return "What to use on a Linux host of today, by the kind of load, beside the guidelines of Weigle and Feng, \"A "
         "Comparison of TCP Automatic Tuning Techniques for Distributed Computing\" (section 5), which compared Linux "
         "2.4 with Dynamic Right-Sizing (DRS). DRS has been part of Linux since 2.6.7: the kernel estimates how much "
         "arrives in one RTT and increases the receive buffer to fit. For most loads the choice is made, and what is "
         "left to choose are limits.";
}

TuningGuideRow guideRow(TuningLoad load) {
  switch (load) {
    case TuningLoad::shortTransfers:
      return {"Many short transfers: web and media servers",
              "The kernel's defaults. Keep the first two numbers of net.ipv4.tcp_rmem and tcp_wmem as they are; reuse "
              "connections.",
              "A transfer that ends within slow start is limited by RTTs, not by buffers, and a server's memory is "
              "their number times the buffer of each.",
              "A verdict of slow start, with what reuse and a larger initial window save; Problems; TCP memory in "
              "Check-up.",
              "Linux 2.4 autotuning, which sizes buffers by the memory that the host has left."};
    case TuningLoad::bulkTransfers:
      return {
          "A few large transfers: backup, replication, bulk data",
          "Autotuning on (net.ipv4.tcp_moderate_rcvbuf = 1), no SO_RCVBUF or SO_SNDBUF in the program, and the third "
          "number of tcp_rmem at the receiver and of tcp_wmem at the sender at twice the bandwidth-delay product.",
          "Below that limit the rate is window / RTT, however fast the path is. The limit costs no memory until a "
          "connection needs it.",
          "A verdict of the receive window or the send buffer, with the size to set; tcpscope-cli calc; Paths keeps "
          "the sizes for the next connection.",
          "Dynamic Right-Sizing, which makes the advertised window follow the bandwidth-delay product."};
    case TuningLoad::parallelStreams:
      return {
          "Parallel streams of one transfer",
          "First one connection with limits as for large transfers. Parallel streams only where loss limits each of "
          "them and the others on the path agree.",
          "Streams multiply the window and the growth after a loss. They also take the share of other flows, and "
          "the transfer ends with the slowest of them.",
          "\"What if: parallel connections\" in Advice, by the loss model; tcpscope-cli lab compare 003 shows the "
          "cost for other flows.",
          "Linux 2.4 autotuning, where users are willing to tune the number of streams; with DRS more streams "
          "made it slower."};
    case TuningLoad::localNetwork:
      return {"A local network: an RTT of a few milliseconds at most",
              "The kernel's defaults. Where several Gbit/s are not reached, first the host's processor time and "
              "adapter, then the third numbers of tcp_rmem and tcp_wmem.",
              "The bandwidth-delay product is small, but scheduling, interrupts and bursts need buffers of their own.",
              "Check-up of links, rings and softirq; tcpscope-cli lab compare 000, Figure 5.",
              "Buffers near 1 MB, far above the product of 64 KB; larger ones made it slower again."};
    case TuningLoad::veryLongPath:
      return {
          "Large transfers over an RTT of 100 ms and more",
          "Limits as for large transfers, and a congestion control for such paths: CUBIC, the default, or BBR where "
          "losses do not come from a full queue.",
          "Once the buffers suffice, recovery after a loss decides: Reno takes one RTT for each segment of half "
          "the window.",
          "A verdict of the network with Mathis' and CUBIC's bounds; the advice on congestion control; "
          "tcpscope-cli lab compare 003.",
          "Transfers of gigabytes, and a modified TCP such as Vegas: tuned by hand, DRS and Linux 2.4 performed "
          "the same."};
    case TuningLoad::oneToMany:
      return {"One sender to many receivers",
              "Autotuning at both ends; at the sender, a third number of tcp_wmem that fits the longest path, "
              "net.ipv4.tcp_mem for the sum of all connections, and net.ipv4.tcp_notsent_lowat for programs with much "
              "unsent data.",
              "The one host divides its memory and processor among all connections, each of the many serves one. A "
              "connection takes rate × RTT: at the same rate, the longest path takes most.",
              "Check-up of TCP memory; tcpscope-cli lab run one_to_many states memory and processor time of each host.",
              "Infer it from the memory and processor time of the one host."};
    case TuningLoad::manyToOne:
      return {"Many senders to one receiver: scatter and gather",
              "Autotuning at the receiver, with net.ipv4.tcp_mem for the sum of all connections; ECN or deeper queues "
              "where answers arrive at the same moment.",
              "Memory of the receiver and the queue before it are shared; bursts that meet there are lost together "
              "(incast).",
              "Loss bursts; receive queue collapsed and pruned in Check-up; tcpscope-cli lab run many_to_one.",
              "Infer it from the memory and processor time of the one host."};
    case TuningLoad::oneProgramWithoutRights:
      return {"No rights on the host, one program",
              "Leave the buffers to the kernel. Only where its limit is too low: SO_RCVBUF and SO_SNDBUF before the "
              "connection is opened, up to net.core.rmem_max and wmem_max.",
              "A set buffer is no longer autotuned, and the window scale of the handshake bounds it for the "
              "connection's life.",
              "The finding that a program has set its buffer, and the size in Settings; Properties shows the window "
              "scale.",
              "DRS FTP or Auto-tuned FTP, which set the buffers from within the program."};
    case TuningLoad::manyProgramsWithoutRights:
      return {
          "No rights on the host, several programs",
          "Ask the administrator for the limits of the path; until then, sizes from measured paths in each program's "
          "own configuration.",
          "Every program that sets buffers needs the bandwidth-delay product of its path, which only measurements "
          "give.",
          "Paths: minimum RTT, best rates and buffers for each remote network; the message for the peer's "
          "administrator in reports.",
          "The Enable service, a daemon that measures paths for programs that ask it."};
    case TuningLoad::otherSystem:
      return {"Another operating system at one end",
              "Its own autotuning, which FreeBSD, NetBSD, macOS and Windows have; where that is not enough, the limits "
              "of that system.",
              "The receiver's buffer bounds the window whatever the sender does.",
              "The peer's receive window and the verdict of the receive window, from this end alone.",
              "PSC's tuning for NetBSD; otherwise wait, or tune within the program."};
  }
  return {};
}

std::span<const TuningFirstStep> tuningFirstSteps() {
  static constexpr std::array kSteps = {
      TuningFirstStep{"Window scaling, timestamps and SACK on",
                      "All three are on in Linux unless switched off (net.ipv4.tcp_window_scaling, tcp_timestamps, "
                      "tcp_sack). Properties shows what a connection negotiated."},
      TuningFirstStep{"The maximum memory of a connection",
                      "The third numbers of net.ipv4.tcp_rmem and tcp_wmem; for SO_RCVBUF and SO_SNDBUF, "
                      "net.core.rmem_max and wmem_max."},
      TuningFirstStep{
          "The ranges of Linux 2.4 autotuning",
          "The first two numbers of tcp_rmem and tcp_wmem, and net.ipv4.tcp_mem for the whole host, which is "
          "sized by the host's memory unless it is set."},
      TuningFirstStep{"Flush the caches between runs",
                      "Linux has kept no ssthresh per destination since 5.6 (net.ipv4.tcp_no_ssthresh_metrics_save = "
                      "1); `ip tcp_metrics flush` clears what is cached."},
  };
  return kSteps;
}

}  // namespace tcpscope
