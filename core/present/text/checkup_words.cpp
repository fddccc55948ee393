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
    {"Link speed",
     "The link runs below 100 Mbit/s. Check the cable and the switch port: with a damaged pair, auto-negotiation falls "
     "back to a lower speed."},
    {"Duplex",
     "Half duplex: auto-negotiation failed between the two link partners. Enable it at both, or set both to full "
     "duplex."},
    {"Interface errors (rx_crc_errors, rx_frame_errors)",
     "Frames arrive damaged and are dropped; TCP takes the loss for congestion. Replace the cable or optics, then "
     "check the switch port."},
    {"Link flaps (carrier_changes)",
     "The link goes down and up again. Check the cable, the optics and the switch's log."},
    {"PCIe link",
     "The PCIe link is slower than the network link, or than adapter and slot support. Move the adapter to another "
     "slot, and check what shares its bridge."},
    {"RX ring drops (rx_missed_errors, rx_fifo_errors)",
     "Packets arrive faster than the host takes them from the ring. Increase the RX ring size (ethtool -G) and spread "
     "the interrupts over the CPUs."},
    {"TX drops (tx_dropped, tx_errors)",
     "The host's own transmit queue drops packets. Check its queue discipline (tc -s qdisc) and the driver's errors."},
    {"MTU",
     "The MTU is below the 1280 bytes that IPv6 requires, and much of each packet is header. Check whether it was set "
     "for a tunnel."},
    {"Softnet backlog drops (netdev_max_backlog)",
     "A CPU's backlog queue of received packets was full. Increase net.core.netdev_max_backlog, and spread the "
     "interrupts."},
    {"Softnet time_squeeze (netdev_budget)",
     "The kernel exhausted its packet-processing budget with work remaining. Increase net.core.netdev_budget and "
     "netdev_budget_usecs, or spread the interrupts."},
    {"RSS/RPS balance", "One CPU processes nearly all packets. Spread interrupts or flows over the CPUs (RSS, RPS)."},
    {"Listen queue overflows (TcpExtListenDrops)",
     "Connections were dropped because an application did not accept them in time. Increase its backlog and "
     "net.core.somaxconn, or make it accept faster."},
    {"Receive queue pruned (TcpExtPruneCalled, RcvPruned)",
     "Receive buffers were full, and received data was dropped. Increase the maximum of net.ipv4.tcp_rmem, or make the "
     "application read faster."},
    {"Receive queue collapsed (TcpExtTCPRcvCollapsed)",
     "Small segments filled receive buffers, so the kernel copied them together, which costs CPU time. Larger receive "
     "buffers avoid it."},
    {"TCP memory pressure (TcpExtTCPMemoryPressures)",
     "TCP exceeded the pressure threshold of net.ipv4.tcp_mem, and buffers stay small. Increase it, or use fewer large "
     "buffers."},
    {"Aborts for lack of memory (TcpExtTCPAbortOnMemory)",
     "TCP reset connections because it reached its memory limit. Increase net.ipv4.tcp_mem, or use less memory."},
    {"Socket backlog drops (TcpExtTCPBacklogDrop)",
     "Packets arrived while the application held the socket lock, and the socket's backlog was full. Increase the "
     "receive buffer, and check what delays the application."},
    {"Send queue limit (TcpExtTCPWqueueTooBig)",
     "A retransmission was refused because the send queue was too fragmented (CVE-2019-11478). Check for a very small "
     "send buffer."},
    {"Reverse-path filter (TcpExtIPReversePathFilter)",
     "Packets were dropped because the route back to their source uses another interface. Check the routes and "
     "net.ipv4.conf.*.rp_filter."},
    {"Offloads",
     "The CPU does for each packet what the adapter or the kernel could do once for many, so fast transfers cost more "
     "CPU time. Enable them (ethtool -K), unless they are off for a reason, such as a driver bug."},
    {"Large receive offload (LRO)",
     "The adapter merges packets that this host forwards, and they cannot be split as they arrived: forwarded "
     "transfers become slow. Disable it (ethtool -K ... lro off); GRO does the same without this effect."},
    {"Queue discipline",
     "The host's own queue discipline drops packets now, which TCP takes for congestion. Unless the rate is limited on "
     "purpose, use fq or fq_codel, which make senders wait; a pfifo may need a longer queue (ip link set ... "
     "txqueuelen)."},
    {"Cached ssthresh (tcp_metrics)",
     "New connections to these destinations leave slow start early, because an earlier connection met losses there. "
     "`ip tcp_metrics flush` clears the cache; net.ipv4.tcp_no_ssthresh_metrics_save = 1 disables it."},
    {"Cgroup memory pressure",
     "The process's cgroup has little memory left, or reached its limit just now: the kernel then keeps socket buffers "
     "small. Increase memory.high and memory.max of the cgroup (systemd: MemoryHigh, MemoryMax), or use less memory."},
    {"Tunnel MTU",
     "With the tunnel's header, a full packet exceeds the MTU of the outgoing interface: it is fragmented, or lost "
     "where fragments are dropped. Lower the tunnel's MTU (ip link set ... mtu)."},
    {"Default route", "No default route: only networks with a route of their own can be reached."},
    {"TCP settings of routes",
     "A route fixes a value that TCP would otherwise find on its own, for every connection over it. If that is not "
     "intended, remove it with `ip route change`."},
    {"Tuning daemons",
     "This daemon changes kernel settings and may revert yours. Change them in its profile, or stop it while you "
     "test."},
    {"RX ring size",
     "The RX ring drops packets and can be larger: run the command shown. It lasts until the next boot."},
    {"Interrupt coalescing (rx-usecs)",
     "The adapter delays packets, and with them acknowledgments, this long before it raises an interrupt, which adds "
     "to the RTT. Enable adaptive coalescing (ethtool -C ... adaptive-rx on), or lower rx-usecs."},
    {"CPU-bound thread",
     "One thread uses a CPU nearly all the time while the others idle: what it also sends or reads waits, and a faster "
     "network does not help. Spread the work over threads, or give the connection a thread of its own; `perf top -p "
     "PID` shows where the time goes."},
    {"CPU run-queue delay",
     "A thread was runnable but waited for a CPU for a good part of the time. Check what else uses the CPUs (top), the "
     "cgroup's limit (cpu.max) and, in a virtual machine, steal time."},
    {"Disk wait",
     "A thread blocked on the disk and neither sent nor read meanwhile. Read ahead, write behind, or move disk access "
     "to a thread of its own; a faster disk helps as well (iostat -x)."},
    {"Write size",
     "Many small write() calls: each costs as much as one of several KiB, and may leave as a segment of its own. "
     "Collect the data and write more per call (a larger buffer, writev, TCP_CORK)."},
    {"Interrupt affinity",
     "Several queues interrupt one CPU, which has little time left, while other CPUs are free. Let irqbalance spread "
     "them, or set /proc/irq/N/smp_affinity_list; ethtool -L sets the number of queues."},
    {"Shared PCIe bridge",
     "Another interface behind the same PCIe bridge is busy as well, and the bridge carries less than both links "
     "together. Move one of them to another slot."},
    {"Hops",
     "A router refuses to forward the packets, so the host cannot be reached from here. Check for a missing route or a "
     "firewall."},
    {"Path MTU",
     "Larger packets are lost silently: a firewall on the path drops the routers' ICMP messages, and connections stall "
     "as soon as they send full packets. Allow ICMP there; until then lower the MTU here, or set "
     "net.ipv4.tcp_mtu_probing = 1, with which TCP finds the path MTU."},
    {"Orphaned sockets (tcp_max_orphans)",
     "Connections that no program holds any more still send their last data, or wait for its acknowledgment; from half "
     "of tcp_max_orphans on the kernel may reset them. Check for peers that vanish, and whether one host opens so "
     "many. "
     "Lower net.ipv4.tcp_orphan_retries, or raise net.ipv4.tcp_max_orphans: each may take up to 64 KiB of memory."},
    {"Congestion controls (tcp_available_congestion_control)",
     "Programs without CAP_NET_ADMIN may ask by name only for those of tcp_allowed_congestion_control; modprobe loads "
     "further modules."},
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
