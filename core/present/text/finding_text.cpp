// Findings, their titles and their evidence in words.
#include <fmt/format.h>

#include "core/present/text/diagnosis_text.h"
#include "core/present/text/exchange_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// Figures of a finding by key, as people read them.
class Figures {
public:
  explicit Figures(const Finding& finding) : m_finding(finding) {}

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] bool isZero(std::string_view key) const {
    const Evidence* evidence = find(key);
    return evidence != nullptr && evidence->value == 0.0;
  }
  [[nodiscard]] bool isYes(std::string_view key) const { return has(key) && !isZero(key); }
  [[nodiscard]] std::string value(std::string_view key) const {
    const Evidence* evidence = find(key);
    return evidence == nullptr ? "not known" : formatByKey(key, evidence->value);
  }
  /// The figure between `before` and `after`; empty where it is unknown.
  [[nodiscard]] std::string ifKnown(std::string_view before, std::string_view key, std::string_view after) const {
    return has(key) ? fmt::format("{}{}{}", before, value(key), after) : std::string();
  }
  /// " for 30 % of the time".
  [[nodiscard]] std::string timeShare(std::string_view key) const { return ifKnown(" for ", key, " of the time"); }
  [[nodiscard]] std::string comparison(std::string_view key) const {
    const Evidence* evidence = find(key);
    return evidence == nullptr || !evidence->comparedWith ? "not known" : formatByKey(key, *evidence->comparedWith);
  }

private:
  [[nodiscard]] const Evidence* find(std::string_view key) const { return figureOf(m_finding.evidence, key); }
  const Finding& m_finding;
};

/// "once", "3 times"
std::string timesWord(const std::string& count) {
  return count == "1" ? "once" : count + " times";
}

std::string windowTooSmall(const Figures& figures) {
  return fmt::format(
      "The peer's receive window allows {} per RTT{}: this bounds the rate and limited it{}. The "
      "receiving application reads without delay, so a larger receive buffer at the peer would help, or the removal of "
      "a "
      "clamp on its window (TCP_WINDOW_CLAMP, or a route with window): which of them it is shows only there.",
      figures.has("peer_window_largest_bytes") ? figures.ifKnown("at most ", "peer_window_largest_bytes", "")
                                               : std::string("a fixed amount"),
      figures.ifKnown(", and the RTT is ", "rtt_us", ""), figures.timeShare("rwnd_limited_ratio"));
}

std::string windowScale(const Figures& figures, Side side) {
  const bool sends = side == Side::sending;
  // A capture shows the sender's view of whichever end receives.
  const std::string_view key =
      figures.has("peer_window_largest_bytes") ? "peer_window_largest_bytes" : "own_window_largest_bytes";
  return fmt::format(
      "The receive window has reached {}the maximum that the window scale of this connection allows. {} set the scale "
      "in the handshake: a larger buffer helps only after a reconnect.",
      figures.ifKnown("", key, ", "), sends ? "The peer" : "This host");
}

std::string sendBuffer(const Figures& figures) {
  // No packet shows a buffer, only what it lets through.
  if (figures.has("refilled_ratio")) {
    return fmt::format(
        "The sender sent new data only as acknowledgments came, though the receive window and the network could have "
        "carried more{}: so does a sender whose send buffer is full, which packets do not show. That buffer must hold "
        "all data of one RTT{} until it is acknowledged, and about as much again for the kernel's overhead.",
        figures.ifKnown(" (", "refilled_ratio", " of the data)"), figures.ifKnown(" (", "rtt_us", ")"));
  }
  return fmt::format(
      "The send buffer{} was full{} although the network could have carried more. It must hold all data of one RTT{} "
      "until it is acknowledged, and about as much again for the kernel's overhead.",
      figures.ifKnown(" of ", "send_buffer_bytes", ""), figures.timeShare("send_buffer_ratio"),
      figures.ifKnown(" (", "rtt_us", ")"));
}

std::string loss(const Figures& figures) {
  return fmt::format(
      "{} of the segments were retransmitted ({} of {}{}). After a loss, CUBIC and Reno reduce their rate by a third "
      "to a half and need many RTTs to recover it, so that even little loss is expensive on a long path; BBR hardly "
      "slows down.",
      figures.value("retransmitted_ratio"), figures.value("retransmitted_segments"),
      figures.comparison("retransmitted_segments"), figures.ifKnown("; ", "spurious_segments", " without need"));
}

std::string queue(const Figures& figures) {
  return fmt::format(
      "The mean RTT is {}, the minimum RTT {}: packets wait {} in a queue on the path. The bottleneck is saturated, by "
      "this connection or by others, and the delay affects everything else on the path.",
      figures.value("rtt_us"), figures.comparison("rtt_us"), figures.value("queue_delay_us"));
}

std::string returnPathQueue(const Figures& figures) {
  return fmt::format(
      "The mean RTT is {}, the minimum RTT {}, and of the {} between them acknowledgments wait {} on the way back: the "
      "path from the receiver to the sender is saturated by other traffic, such as an upload beside this download. "
      "Find that traffic at the receiver's end, or let its router queue fairly (fq_codel, CAKE).",
      figures.value("rtt_us"), figures.comparison("rtt_us"), figures.value("queue_delay_us"),
      figures.value("return_queue_us"));
}

std::string congestionWindow(const Figures& figures, FindingSeverity severity) {
  if (severity == FindingSeverity::problem) {
    return fmt::format(
        "The congestion window stands still at {} per RTT of {} and is used up, without loss or queue: it is clamped. "
        "Look for 'cwnd' in 'ip route show' and in 'ip tcp_metrics show', and for BPF programs that set a clamp.",
        figures.value("congestion_window_bytes"), figures.value("rtt_us"));
  }
  return fmt::format(
      "The congestion window allows {} per RTT of {}. The sender saw neither loss nor a queue, so the path may have "
      "spare capacity: the window is still growing, or an earlier loss reduced it.",
      figures.value("congestion_window_bytes"), figures.value("rtt_us"));
}

/// What kept the program from running is known at its own end.
std::string whatToCheck(const Figures& figures, std::string_view otherwise) {
  constexpr std::string_view kWho = "other programs, or a limit of its cgroup, take the CPU.";
  if (figures.has("periods_without_processor")) {
    return fmt::format(
        "In {} of the {} periods in which it did not keep up, a thread of its program was ready to run and got no "
        "processor, for {} of the {} that they lasted: {}",
        figures.value("periods_without_processor"), figures.comparison("periods_without_processor"),
        figures.value("processor_wait_us"), figures.comparison("processor_wait_us"), kWho);
  }
  if (figures.has("processor_wait_ratio")) {
    return fmt::format("A thread of its program was ready to run and got no processor for {} of the time: {}",
                       figures.value("processor_wait_ratio"), kWho);
  }
  if (figures.has("major_faults_per_second")) {
    return fmt::format(
        "{} pages a second of its program's memory had to be read from a disk first (major page faults): memory is "
        "short and swapped, or its files are not in the page cache.",
        figures.value("major_faults_per_second"));
  }
  return std::string(otherwise);
}

std::string applicationTooSlow(const Finding& finding, const Figures& figures) {
  if (const auto exchanges = exchangeSharesIn(finding.evidence)) {
    const std::string busy = whatToCheck(figures, {});
    return whoIsSlow(*exchanges) + (busy.empty() ? "" : " ") + busy;
  }
  std::string text =
      fmt::format("Application-limited for {} of the time: the sending application provided no data. {}",
                  figures.value("writer_behind_ratio"),
                  whatToCheck(figures, "Check what it waits for: disk, CPU, another connection, or its user."));
  if (figures.has("goodput_bps")) {
    text += fmt::format(" It sent {}; the connection could have carried {}.", figures.value("goodput_bps"),
                        figures.comparison("goodput_bps"));
  }
  return text;
}

/// The range of the peer's receive window; one value where it did not change, empty where it is unknown.
std::string peerWindowRange(const Figures& figures) {
  if (!figures.has("peer_window_largest_bytes")) return {};
  const std::string largest = figures.value("peer_window_largest_bytes");
  const std::string smallest = figures.comparison("peer_window_largest_bytes");
  if (figures.isZero("peer_window_largest_bytes")) return "stayed at zero";
  if (smallest == largest) return fmt::format("stayed at {}", largest);
  return fmt::format("varied between {} and {}", smallest, largest);
}

std::string slowReader(const Figures& figures, Side side) {
  if (side == Side::receiving) {
    return fmt::format(
        "{} arrived and was not read: {}the receiving application was slower than the network. {} A larger "
        "buffer would only hold more unread data.",
        figures.has("receive_queue_largest_bytes") ? figures.ifKnown("Up to ", "receive_queue_largest_bytes", "")
                                                   : std::string("Data"),
        figures.ifKnown("for ", "unread_data_ratio", " of the time "),
        whatToCheck(figures, "Check what it waits for: disk, CPU, or another connection."));
  }
  const std::string range = peerWindowRange(figures);
  return fmt::format(
      "{}: the receiving application reads more slowly than data arrives, which limited the sender{}. Check the "
      "application at the peer; larger buffers would only hold more unread data.",
      range.empty() ? "The peer's receive window is too small" : "The peer's receive window " + range,
      figures.timeShare("rwnd_limited_ratio"));
}

std::string receiveBuffer(const Figures& figures) {
  return fmt::format(
      "The sender exhausted the receive window{}{} although the receiving application read without delay: the receive "
      "buffer{} is too small for this path.",
      figures.ifKnown(" of ", "own_window_largest_bytes", ""),
      figures.timeShare(figures.has("own_window_used_ratio") ? "own_window_used_ratio" : "rwnd_limited_ratio"),
      figures.ifKnown(" (", "receive_buffer_bytes", ")"));
}

std::string locked(const Finding& finding, const Figures& figures, Side side) {
  const bool sends = side == Side::sending;
  std::string text = fmt::format(
      "The application set the {} buffer to a fixed size{} with {}. That disables autotuning, which would grow the "
      "buffer as the path requires.",
      sends ? "send" : "receive", figures.ifKnown(" (", sends ? "send_buffer_bytes" : "receive_buffer_bytes", ")"),
      sends ? "SO_SNDBUF" : "SO_RCVBUF");
  text += finding.severity == FindingSeverity::problem ? " Remove that call, or set a larger size."
                                                       : " It does not limit the connection now.";
  return text;
}

std::string optionsMissing(const Figures& figures) {
  std::string text;
  const auto add = [&text](std::string_view more) { text += (text.empty() ? "" : " ") + std::string(more); };
  if (figures.has("window_scaling")) {
    add("Window scaling was not negotiated: at most 64 KiB can be in flight.");
  }
  if (figures.has("sack")) {
    add("SACK was not negotiated: the sender does not learn which segments are missing and recovers slowly from loss.");
  }
  if (figures.has("timestamps")) {
    add("Timestamps were not negotiated: the RTT is measured less often, and receive-buffer autotuning is less "
        "accurate.");
  }
  if (figures.has("snd_mss_bytes")) {
    add(
        fmt::format("Segments carry only {}: each costs a header and processing at both ends, and recovery after a "
                    "loss is slower. Check the path MTU.",
                    figures.value("snd_mss_bytes")));
  }
  add("Options are negotiated in the handshake: check net.ipv4.tcp_window_scaling, tcp_sack and tcp_timestamps at both "
      "ends, and middleboxes that strip them.");
  return text;
}

std::string timeouts(const Figures& figures) {
  const std::string times = figures.has("timeouts") ? figures.value("timeouts") : std::string();
  return fmt::format(
      "The sender waited for {} retransmission timeout{} (RTO), {} of the time: so many segments were lost at once, or "
      "at the end of the data, that no duplicate acknowledgments triggered fast retransmit. Linux waits for at "
      "least 0.2 s by default, and each timeout restarts slow start from one segment.",
      times.empty() ? "at least one" : times, times.empty() || times == "1" ? "" : "s", figures.value("timeout_ratio"));
}

std::string slowStart(const Figures& figures) {
  return fmt::format(
      "The transfer is so short that it ends in slow start: its data takes {} RTTs of {}, because the "
      "congestion "
      "window begins with 10 segments and doubles each RTT, whatever the path carries. With an initial window of 32 "
      "segments it would take {}; over a connection that is kept open, one.",
      figures.value("slow_start_rtts"), figures.value("rtt_us"), figures.comparison("slow_start_rtts"));
}

std::string idleRestart(const Figures& figures) {
  return fmt::format(
      "After each silence of more than a retransmission timeout, the congestion window starts again from a small one "
      "(net.ipv4.tcp_slow_start_after_idle): {} times, from {} down to {}. A burst takes up to {} RTTs of {} "
      "more than with the previous window.",
      figures.value("idle_restarts"), figures.value("congestion_window_bytes"),
      figures.comparison("congestion_window_bytes"), figures.value("idle_restart_rtts"), figures.value("rtt_us"));
}

/// The program may have set when: that is read from the live socket only.
std::string whoDecides(const Figures& figures) {
  if (!figures.has("user_timeout_s")) return ", unless the program set TCP_USER_TIMEOUT";
  return figures.isZero("user_timeout_s") ? std::string()
                                          : figures.ifKnown(" (TCP_USER_TIMEOUT of ", "user_timeout_s", ")");
}

std::string retrySchedule(const Figures& figures) {
  if (!figures.has("next_try_s")) return {};
  return fmt::format(" The next try comes in {}{}.", figures.value("next_try_s"),
                     figures.ifKnown("; the kernel gives up in ", "gives_up_s", whoDecides(figures)));
}

std::string unansweredOpening(const Figures& figures) {
  if (figures.isYes("refused")) {
    return "The peer answered the SYN with a reset (RST): no program listens on that port, or a firewall rejects it.";
  }
  const std::string tries = figures.value("consecutive_timeouts");
  if (figures.isYes("passive_end")) {
    return fmt::format(
        "The peer asked to open the connection and has not answered the SYN-ACK, retransmitted {}.{} The SYN-ACK is "
        "lost on the way, or the SYN came from a forged address.",
        timesWord(tries), retrySchedule(figures));
  }
  if (figures.isYes("never_left")) {
    return fmt::format(
        "The SYN has not left this host: the address of the next hop is not resolved (ARP, or neighbor discovery).{} "
        "The host, or the gateway to it, is down or in another network: see 'ip neigh' and 'ip route get'.",
        retrySchedule(figures));
  }
  return fmt::format(
      "The SYN has not been answered{}, retransmitted {}.{} A firewall drops it or the answer, the host is down, or "
      "the "
      "accept queue of its program is full. A port without a program would be refused at once.",
      figures.ifKnown(" for ", "opening_s", ""), timesWord(tries), retrySchedule(figures));
}

std::string slowOpening(const Figures& figures) {
  const std::string text =
      fmt::format("The handshake took {}: SYN sent {}, SYN-ACK {}. ", figures.value("connect_s"),
                  timesWord(figures.value("syns_sent")), timesWord(figures.value("syn_acks_sent")));
  if (figures.has("unanswered_syns")) {
    return text +
           "SYNs arrived at the host that was to answer, and it did not: the accept queue of its program was full, or "
           "a filter dropped them. Look at its listeners (ListenOverflows, ListenDrops).";
  }
  if (figures.value("syn_acks_sent") != "1") {
    return text +
           "A SYN-ACK or the acknowledgment of it was lost on the path, or its RTT is above the first timeout of 1 s.";
  }
  return text + "A SYN or SYN-ACK was lost on the path, or the accept queue of the peer's program was full.";
}

std::string stalled(const Figures& figures) {
  const std::string since = figures.ifKnown(" for ", "unacknowledged_s", "");
  if (figures.has("unanswered_keep_alives")) {
    return fmt::format(
        "The peer has not answered {} keep-alive probes in a row: it is gone, has restarted, or a firewall or NAT on "
        "the "
        "path has dropped the connection's state.{}",
        figures.value("unanswered_keep_alives"), retrySchedule(figures));
  }
  if (figures.has("peer_window_bytes") && figures.has("unanswered_window_probes") &&
      !figures.isZero("unanswered_window_probes")) {
    return fmt::format(
        "The peer's receive window is closed: its application has read nothing{}{}. Zero-window probes without an "
        "answer since then: {}; the path may have broken, or the peer have gone.",
        figures.ifKnown(" for ", "window_closed_s", ""), figures.ifKnown(", although ", "outstanding_bytes", " wait"),
        figures.value("unanswered_window_probes"));
  }
  if (figures.has("peer_window_bytes")) {
    return fmt::format(
        "The peer's receive window is closed: its application has read nothing{}{}. The peer itself is alive and "
        "answers zero-window probes. Look at that program, not at the network.",
        figures.ifKnown(" for ", "window_closed_s", ""), figures.ifKnown(", although ", "outstanding_bytes", " wait"));
  }
  const std::string idle =
      figures.ifKnown(" Before that the connection was idle for ", "idle_before_s",
                      ": firewalls and NAT forget idle connections and drop what comes later; keep-alives prevent it.");
  return fmt::format(
      "Nothing has been acknowledged{}{}, after {}.{} The path is interrupted or the peer is gone: "
      "whether other connections to it work shows which.{}",
      since, figures.ifKnown(", and ", "outstanding_bytes", " wait"),
      figures.has("unanswered_window_probes")
          ? figures.value("unanswered_window_probes") + " unanswered zero-window probes"
          : figures.value("consecutive_timeouts") + " consecutive RTOs",
      retrySchedule(figures), idle);
}

std::string smallWrites(const Figures& figures) {
  if (figures.isYes("cork")) {
    return fmt::format(
        "The program set TCP_CORK, and the kernel delays what does not fill a segment by up to 200 ms: for {} of "
        "the time such data waited. Clear TCP_CORK at the end of each message.",
        figures.value("small_write_wait_ratio"));
  }
  return fmt::format(
      "The program writes a message in pieces, and for {} of the time a piece waited for the acknowledgment of the "
      "one before (Nagle's algorithm), which the peer delays by 40 ms or more. Set TCP_NODELAY, or write each message "
      "at "
      "once.",
      figures.value("small_write_wait_ratio"));
}

std::string applicationWindow(const Figures& figures) {
  return fmt::format(
      "The application never has more than about {} in flight, whatever TCP allows, and continues when the peer "
      "responds: a window of its own protocol (an SSH channel, SMB credits, requests that a client keeps in flight). "
      "At an RTT of {} no more than that is sent each RTT{}.",
      figures.value("application_window_bytes"), figures.value("rtt_us"),
      figures.has("goodput_bps")
          ? fmt::format(": {} of a possible {}", figures.value("goodput_bps"), figures.comparison("goodput_bps"))
          : std::string());
}

std::string leftOpen(const Figures& figures) {
  if (figures.isYes("closed_by_peer")) {
    return fmt::format(
        "The peer closed the connection at least {} ago, and the program here has not (CLOSE-WAIT): it still holds the "
        "descriptor. Many of these are a leak in the program.",
        figures.value("silent_s"));
  }
  return fmt::format("This end closed its side, and the peer has not closed its own for at least {} (FIN-WAIT-2).",
                     figures.value("silent_s"));
}

std::string reordering(const Figures& figures) {
  std::string text;
  if (figures.has("reord_seen")) {
    const std::string times = figures.value("reord_seen");
    text = fmt::format("Segments were reordered {}. ", times == "1" ? "once" : times + " times");
  }
  if (figures.has("dsack_dups_segments")) {
    text += fmt::format("{} of {} retransmitted segments had not been lost. ", figures.value("dsack_dups_segments"),
                        figures.comparison("dsack_dups_segments"));
  }
  return text +
         "The sender takes late segments for lost ones and slows down. Look for parallel links that split single "
         "connections.";
}

}  // namespace

std::string sentence(const Finding& finding, Side side) {
  const Figures figures(finding);
  switch (finding.rule) {
    case RuleId::receiverWindowTooSmall:
      return windowTooSmall(figures);
    case RuleId::windowScaleCapsWindow:
      return windowScale(figures, side);
    case RuleId::sendBufferTooSmall:
      return sendBuffer(figures);
    case RuleId::networkLoss:
      return loss(figures);
    case RuleId::queueing:
      return queue(figures);
    case RuleId::returnPathQueue:
      return returnPathQueue(figures);
    case RuleId::congestionWindow:
      return congestionWindow(figures, finding.severity);
    case RuleId::pacingLimit:
      return fmt::format(
          "The application limits its rate to {} (SO_MAX_PACING_RATE) and sends {}. Only that setting of the "
          "application changes it.",
          figures.comparison("goodput_bps"), figures.value("goodput_bps"));
    case RuleId::applicationTooSlow:
      return applicationTooSlow(finding, figures);
    case RuleId::receivingApplicationTooSlow:
      return slowReader(figures, side);
    case RuleId::receiveBufferTooSmall:
      return receiveBuffer(figures);
    case RuleId::bufferLocked:
      return locked(finding, figures, side);
    case RuleId::optionsMissing:
      return optionsMissing(figures);
    case RuleId::timeouts:
      return timeouts(figures);
    case RuleId::reordering:
      return reordering(figures);
    case RuleId::ecnMarks:
      return fmt::format(
          "{} of the delivered segments carried ECN CE marks: the bottleneck is saturated, and routers mark packets "
          "instead of dropping them. The sender slows down as after a loss, but nothing is lost.",
          figures.value("delivered_ce_ratio"));
    case RuleId::smallSegments:
      return fmt::format(
          "Segments carry only {}, although the path MTU is {}: each costs a header and processing at both ends, and a "
          "loss costs as many segments whatever their size. TCP_MAXSEG, a route with advmss, or a middlebox that "
          "rewrites the MSS lowered it.",
          figures.value("snd_mss_bytes"), figures.comparison("snd_mss_bytes"));
    case RuleId::slowStart:
      return slowStart(figures);
    case RuleId::idleRestart:
      return idleRestart(figures);
    case RuleId::unansweredOpening:
      return unansweredOpening(figures);
    case RuleId::slowOpening:
      return slowOpening(figures);
    case RuleId::stalled:
      return stalled(figures);
    case RuleId::smallWrites:
      return smallWrites(figures);
    case RuleId::applicationWindow:
      return applicationWindow(figures);
    case RuleId::leftOpen:
      return leftOpen(figures);
    case RuleId::busyWithPackets:
      return fmt::format(
          "In each second one processor of this host spent at least {} of its time in softirq, as a rule on packets: "
          "what arrives faster waits or is dropped here, and programs on that processor do not run. Host check-up "
          "shows whether offloads such as GRO are off and whether one processor serves all interrupts.",
          figures.value("softirq_ratio"));
    case RuleId::acceptQueueOverflow:
      return fmt::format(
          "{} connections wait to be accepted; the accept queue holds {}. When it is full, the kernel drops new "
          "connections, which then take seconds to open. Make the application accept faster, or increase its backlog "
          "and net.core.somaxconn.",
          figures.value("accept_queue"), figures.comparison("accept_queue"));
    case RuleId::count:
      break;
  }
  return std::string(title(finding.rule)) + ".";
}

std::string sentence(const Evidence& evidence) {
  std::string text = fmt::format("{}: {}", evidenceTitle(evidence.key), formatByKey(evidence.key, evidence.value));
  if (!evidence.comparedWith) return text;
  if (evidence.comparedWithKey.empty()) {
    return text + fmt::format(" (threshold: {})", formatByKey(evidence.key, *evidence.comparedWith));
  }
  return text + fmt::format(" ({}: {})", evidenceTitle(evidence.comparedWithKey),
                            formatByKey(evidence.comparedWithKey, *evidence.comparedWith));
}

}  // namespace tcpscope
