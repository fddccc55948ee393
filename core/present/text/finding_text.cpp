#include <fmt/format.h>

#include "core/present/text/evidence_catalogue.h"
#include "core/present/text/sentences.h"

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
  [[nodiscard]] std::string value(std::string_view key) const {
    const Evidence* evidence = find(key);
    return evidence == nullptr ? "not known" : formatByKey(key, evidence->value);
  }
  /// The figure behind `before`, and `after` behind it; nothing where it is not there.
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
  [[nodiscard]] const Evidence* find(std::string_view key) const {
    for (const Evidence& evidence : m_finding.evidence) {
      if (evidence.key == key) return &evidence;
    }
    return nullptr;
  }
  const Finding& m_finding;
};

std::string windowTooSmall(const Figures& figures) {
  return fmt::format(
      "The other end takes {} at a time, and each round trip takes {}: that bounds the rate, and held it back{}. "
      "Its program reads at once, so that a larger receive buffer over there would help.",
      figures.has("peer_window_largest_bytes") ? figures.ifKnown("at most ", "peer_window_largest_bytes", "")
                                               : std::string("only so much"),
      figures.has("rtt_us") ? figures.value("rtt_us") : std::string("its time"),
      figures.timeShare("rwnd_limited_ratio"));
}

std::string windowScale(const Figures& figures, Side side) {
  const bool sends = side == Side::sending;
  // A capture shows the sender's view of whichever end receives.
  const std::string_view key =
      figures.has("peer_window_largest_bytes") ? "peer_window_largest_bytes" : "own_window_largest_bytes";
  return fmt::format(
      "The window has reached {}the most that the window scale of this connection allows. {} gave the scale when the "
      "connection began: a larger buffer helps only after connecting again.",
      figures.ifKnown("", key, ", "), sends ? "The other end" : "This end");
}

std::string sendBuffer(const Figures& figures) {
  return fmt::format(
      "The send buffer{} was full{} while the network would have taken more. It must hold all "
      "data of a round trip{} until it is acknowledged, with about as much again for the kernel's bookkeeping.",
      figures.ifKnown(" of ", "send_buffer_bytes", ""), figures.timeShare("send_buffer_ratio"),
      figures.ifKnown(" (", "rtt_us", ")"));
}

std::string loss(const Figures& figures) {
  return fmt::format(
      "{} of the packets had to be sent again ({} of {}). After a loss CUBIC and Reno slow down by a third "
      "to a half and take many round trips to regain their speed, so that on a long path little loss costs much; BBR "
      "hardly slows down.",
      figures.value("retransmitted_ratio"), figures.value("retransmitted_segments"),
      figures.comparison("retransmitted_segments"));
}

std::string queue(const Figures& figures) {
  return fmt::format(
      "A round trip takes {} on average, and {} at best: packets wait {} in a queue on the path. The path is in use to "
      "the full, here or by others, and everything else on it gets slower, too.",
      figures.value("rtt_us"), figures.comparison("rtt_us"), figures.value("queue_delay_us"));
}

std::string congestionWindow(const Figures& figures) {
  return fmt::format(
      "The sender allows itself {} for each round trip of {}. It saw neither loss nor a queue, so that the path may "
      "have room left: the window is still growing, or an earlier loss made it small.",
      figures.value("congestion_window_bytes"), figures.value("rtt_us"));
}

std::string applicationTooSlow(const Figures& figures) {
  std::string text = fmt::format(
      "The connection waited for the sending program for {} of the time: it had nothing to send. Look at what the "
      "program waits for: disk, processor, another connection, or its user.",
      figures.value("application_ratio"));
  if (figures.has("goodput_bps")) {
    text += fmt::format(" It sent {} where the connection was ready for {}.", figures.value("goodput_bps"),
                        figures.comparison("goodput_bps"));
  }
  return text;
}

/// What the peer's window did, where that is known: a range is one only where it has two ends.
std::string peerWindowCourse(const Figures& figures) {
  if (!figures.has("peer_window_largest_bytes")) return {};
  const std::string largest = figures.value("peer_window_largest_bytes");
  const std::string smallest = figures.comparison("peer_window_largest_bytes");
  if (figures.isZero("peer_window_largest_bytes")) return "stayed closed";
  if (smallest == largest) return fmt::format("stood at {}", largest);
  return fmt::format("went up and down between {} and {}", smallest, largest);
}

std::string slowReader(const Figures& figures, Side side) {
  if (side == Side::receiving) {
    return fmt::format(
        "{} had arrived and was not read: {}the program here was slower than the network. Look "
        "at what it waits for: disk, processor, or another connection. A larger buffer would only hold more unread "
        "data.",
        figures.has("receive_queue_largest_bytes") ? figures.ifKnown("Up to ", "receive_queue_largest_bytes", "")
                                                   : std::string("Data"),
        figures.ifKnown("for ", "unread_data_ratio", " of the time "));
  }
  const std::string course = peerWindowCourse(figures);
  return fmt::format(
      "{}: its program reads more slowly than data arrives, and held the sender back{}. Look at the program over "
      "there; buffers would only hold more unread data.",
      course.empty() ? "The other end takes too little" : "The window of the other end " + course,
      figures.timeShare("rwnd_limited_ratio"));
}

std::string receiveBuffer(const Figures& figures) {
  return fmt::format(
      "The sender used up the window{}{}, and the program here read at once: the receive buffer{} is too small for "
      "this path.",
      figures.ifKnown(" of ", "own_window_largest_bytes", ""),
      figures.timeShare(figures.has("own_window_used_ratio") ? "own_window_used_ratio" : "rwnd_limited_ratio"),
      figures.ifKnown(" (", "receive_buffer_bytes", ")"));
}

std::string locked(const Finding& finding, const Figures& figures, Side side) {
  const bool sends = side == Side::sending;
  std::string text = fmt::format(
      "The program set the {} buffer to a fixed size{} with {}. That switches the kernel's auto-tuning off, which "
      "would let it grow as the path needs.",
      sends ? "send" : "receive", figures.ifKnown(" (", sends ? "send_buffer_bytes" : "receive_buffer_bytes", ")"),
      sends ? "SO_SNDBUF" : "SO_RCVBUF");
  text += finding.severity == FindingSeverity::problem ? " Leave that setting out, or make it larger."
                                                       : " It does not hold the connection back now.";
  return text;
}

std::string optionsMissing(const Figures& figures) {
  std::string text;
  const auto add = [&text](std::string_view more) { text += (text.empty() ? "" : " ") + std::string(more); };
  if (figures.has("window_scaling")) {
    add("Window scaling was not agreed on: at most 64 KiB can be under way in a round trip.");
  }
  if (figures.has("sack")) {
    add("SACK was not agreed on: the sender does not learn which packets are missing and recovers slowly from loss.");
  }
  if (figures.has("timestamps")) {
    add("Timestamps were not agreed on: round trips are measured less often, and the receiver's buffer is tuned "
        "worse.");
  }
  if (figures.has("snd_mss_bytes")) {
    add(
        fmt::format("Segments carry only {}: each costs a header and work on both ends, and growth after a loss is "
                    "slower. Look at the MTU of the path.",
                    figures.value("snd_mss_bytes")));
  }
  add("Options are agreed on when a connection begins; check net.ipv4.tcp_window_scaling, tcp_sack and tcp_timestamps "
      "on both ends, and middleboxes that remove them.");
  return text;
}

std::string timeouts(const Figures& figures) {
  const std::string times = figures.has("timeouts") ? figures.value("timeouts") : std::string();
  return fmt::format(
      "The sender waited for {} retransmission timeout{}, {} of the time: so much was lost at once, or at the end of "
      "the data, that no acknowledgment told of it. Each costs at least 0.2 s and starts the speed over from a packet.",
      times.empty() ? "at least one" : times, times.empty() || times == "1" ? "" : "s", figures.value("timeout_ratio"));
}

std::string reordering(const Figures& figures) {
  std::string text;
  if (figures.has("reord_seen")) {
    const std::string times = figures.value("reord_seen");
    text = fmt::format("Packets overtook each other {}. ", times == "1" ? "once" : times + " times");
  }
  if (figures.has("dsack_dups_segments")) {
    text += fmt::format("{} of {} packets sent again had not been lost. ", figures.value("dsack_dups_segments"),
                        figures.comparison("dsack_dups_segments"));
  }
  return text +
         "A sender takes late packets for lost ones and slows down. Look for parallel links that share single "
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
    case RuleId::congestionWindow:
      return congestionWindow(figures);
    case RuleId::pacingLimit:
      return fmt::format(
          "The program limits itself to {} (SO_MAX_PACING_RATE), and sends {}. Only the program's own setting can "
          "change that.",
          figures.comparison("goodput_bps"), figures.value("goodput_bps"));
    case RuleId::applicationTooSlow:
      return applicationTooSlow(figures);
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
          "{} of the packets were marked as congested on the way (ECN): the path is full, and routers say so instead "
          "of dropping packets. The sender slows down as after a loss, without losing anything.",
          figures.value("delivered_ce_ratio"));
    case RuleId::acceptQueueOverflow:
      return fmt::format(
          "{} connections wait for the program to accept them; the queue holds {}. When it is full the kernel ignores "
          "new connections, which then take seconds to open. Let the program accept faster, or raise its backlog and "
          "net.core.somaxconn.",
          figures.value("accept_queue"), figures.comparison("accept_queue"));
    case RuleId::count:
      break;
  }
  return std::string(title(finding.rule)) + ".";
}

}  // namespace tcpscope
