// The titles of the checks and what to do about each.
#include <array>

#include "core/present/text/checkup_text.h"

namespace tcpscope {

namespace {

struct CheckWords {
  std::string_view title;
  /// When it is not passed.
  std::string_view advice;
};

constexpr std::array<CheckWords, static_cast<std::size_t>(CheckId::count)> kWords = {{
    {"Speed of the link",
     "The link is slower than 100 Mbit/s. Look at cable and switch port: a damaged pair makes them agree on less."},
    {"Duplex",
     "One side sends while the other does: the ends disagreed about auto-negotiation. Let both negotiate, or set both "
     "to full."},
    {"Errors on the cable",
     "Frames arrive damaged, which TCP takes for congestion. Change cable or optics, then look at the switch port."},
    {"Link lost and found", "The link goes down and comes back. Look at cable, optics and the switch's log."},
    {"Bus of the adapter",
     "The bus may carry less than the link, or less than adapter and slot could. Put the adapter into another slot, "
     "and look whom it shares with."},
    {"Receive ring of the adapter",
     "Packets arrive faster than the host takes them away. Enlarge the ring (ethtool -G), spread the interrupts over "
     "processors."},
    {"Packets not sent",
     "The host's own transmit queue drops. Look at its queue discipline (tc -s qdisc) and at the driver's errors."},
    {"Largest packet", "Smaller than what IPv6 needs; much of each packet is header. Was it meant for a tunnel?"},
    {"Backlog of packets",
     "A processor's queue of packets that came was full. Raise net.core.netdev_max_backlog, spread the interrupts."},
    {"Time for packets",
     "The kernel ran out of its time for packets with some left to do. Raise net.core.netdev_budget_usecs, or spread "
     "the interrupts."},
    {"Processors that share the work",
     "One processor handles nearly all packets. Spread interrupts or flows (RSS, RPS)."},
    {"Accept queues of listeners",
     "Connections were refused because a program did not accept them in time. Raise its backlog and "
     "net.core.somaxconn, or "
     "make it faster."},
    {"Received data thrown away",
     "Receive buffers ran full and data that had arrived was dropped. Raise net.ipv4.tcp_rmem's largest size, or read "
     "faster."},
    {"Received data packed anew",
     "Small packets filled receive buffers, so that the kernel copied them together. Larger buffers avoid it."},
    {"Memory for TCP",
     "TCP used more memory than net.ipv4.tcp_mem's mark and began to save: buffers stay small. More memory, or fewer "
     "large buffers."},
    {"Connections ended for want of memory", "There was no memory for them (net.ipv4.tcp_mem)."},
    {"Backlog of sockets",
     "Packets came while a program held its socket, and its backlog was full. Raise the receive buffer; look what "
     "keeps the program."},
    {"Send queues too large",
     "Data that was to be sent again was refused, as a send queue held too much (CVE-2019-11478). Is a send buffer "
     "very small?"},
    {"Reverse path",
     "Packets were dropped because their sender is not reached by the interface that they came in by (rp_filter)."},
    {"Offloads",
     "The processor does for each packet what adapter or kernel could do once for many: a fast transfer costs more "
     "processor time. Switch them on (ethtool -K), unless they are off for a reason, such as a fault of the driver."},
    {"Large receive offload",
     "The adapter merges packets that this host passes on, and they cannot be sent as they came: forwarded transfers "
     "become slow. Switch it off (ethtool -K ... lro off); generic receive offload does the same without harm."},
    {"Queue discipline",
     "The host's own queue of packets to send drops just now, which TCP takes for congestion. If nobody limits the "
     "rate here on purpose, fq or fq_codel make senders wait instead; a pfifo may need a longer queue (ip link set ... "
     "txqueuelen)."},
    {"Thresholds that TCP remembers",
     "New connections to these destinations leave slow start early, because an earlier one met losses there. "
     "`ip tcp_metrics flush` forgets them all; net.ipv4.tcp_no_ssthresh_metrics_save = 1 remembers none."},
    {"Memory of the control group",
     "The group of this process has little memory left, or was kept within its limit just now: the kernel then keeps "
     "socket buffers small. Raise memory.high and memory.max of the group (systemd: MemoryHigh, MemoryMax), or use "
     "less."},
    {"Tunnel",
     "A full packet does not fit into the interface below once the tunnel's header is in front: it is sent in "
     "fragments, or lost where fragments are. Lower the tunnel's MTU (ip link set ... mtu)."},
    {"Default route", "There is none: only the networks that have a route of their own are reached from here."},
    {"Routes that set TCP's window",
     "A route sets what TCP would find out by itself, and every connection over it is bound to it. Was it meant so? "
     "`ip route change` without these words takes them away."},
    {"Others that tune this host",
     "This program sets kernel settings of its own accord, and may undo yours. Change them in its profile, or stop it "
     "while you try something."},
    {"Size of the receive ring",
     "The ring loses packets and could be larger: the command beside it does it, until the next boot."},
    {"Delay of interrupts",
     "The adapter holds packets back this long before it tells the host, and acknowledgements with them: round trips "
     "become longer. Let it adapt (ethtool -C ... adaptive-rx on), or lower rx-usecs."},
    {"Threads that share the computing",
     "One thread computes nearly all the time while the others idle: what it also sends or reads waits for it, and no "
     "network makes it faster. Spread the work over threads, or give the connection one of its own; `perf top -p PID` "
     "says what takes the time."},
    {"Waiting for a processor",
     "A thread was ready to run, and the processors did something else for a good part of the time. Look for what "
     "else computes (top), for a limit of the control group (cpu.max) and, in a virtual machine, for time that the "
     "host takes."},
    {"Waiting for the disk",
     "A thread stood still for the disk, and neither sent nor read meanwhile. Read ahead, write behind, or let a "
     "thread of its own do it; a faster disk helps as well (iostat -x)."},
    {"Size of writes",
     "Many small write() calls: each costs as much as one of some KiB does, and may leave as a packet of its own. "
     "Gather the data and write more at once (a larger buffer, writev, TCP_CORK)."},
    {"Processors that the interrupts go to",
     "Several queues interrupt one processor, which has little time left, while others could help. Let irqbalance "
     "spread them, or set /proc/irq/N/smp_affinity_list; ethtool -L sets how many queues there are."},
    {"Neighbours on the bus",
     "Another interface behind the same bridge is busy as well, and the bus carries less than both links together. Put "
     "one of them into another slot."},
    {"Hops",
     "A router refuses to pass packets on, so that the host is not reached from here: a missing route or a firewall."},
    {"Largest packet of the path",
     "Packets above this size get lost and nobody says so: a firewall on the way drops the routers' messages (ICMP), "
     "and connections stall as soon as they send full packets. Let it pass them; until then lower the MTU here or set "
     "net.ipv4.tcp_mtu_probing = 1, with which TCP finds the size by itself."},
}};

}  // namespace

std::string_view title(CheckLayer layer) {
  constexpr std::array<std::string_view, 5> kLayers = {"Physical", "Data link and host", "Network", "Transport",
                                                       "Application"};
  return kLayers.at(static_cast<std::size_t>(layer));
}

std::string_view title(CheckId id) {
  return kWords.at(static_cast<std::size_t>(id)).title;
}

std::string_view advice(const CheckRow& row) {
  const bool isFound = row.status == CheckStatus::warn || row.status == CheckStatus::fail;
  return isFound ? kWords.at(static_cast<std::size_t>(row.id)).advice : std::string_view();
}

}  // namespace tcpscope
