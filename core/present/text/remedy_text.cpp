#include "core/present/text/remedy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/advice/buffer_size.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

struct ByPlace {
  std::string_view here;
  std::string_view peer;
  std::string_view eitherEnd;
};

std::string_view byPlace(RemedyPlace place, const ByPlace& texts) {
  if (place == RemedyPlace::here) return texts.here;
  return place == RemedyPlace::peer ? texts.peer : texts.eitherEnd;
}

std::string_view whatToDo(const Remedy& remedy) {
  switch (remedy.id) {
    case RemedyId::lockedReceiveBuffer:
      return "The application set its receive buffer with SO_RCVBUF, which disables autotuning. Remove that call, and "
             "the kernel sizes the buffer.";
    case RemedyId::lockedSendBuffer:
      return "The application set its send buffer with SO_SNDBUF, which disables autotuning. Remove that call, and the "
             "kernel sizes the buffer.";
    case RemedyId::autoTuningOff:
      return "Receive buffers keep their initial size, because autotuning is disabled on this host. Enable it.";
    case RemedyId::windowScalingOff:
      return byPlace(
          remedy.place,
          {"Window scaling is disabled on this host, so it cannot advertise a window above 64 KiB. Enable it.",
           "Window scaling is enabled on this host, so it must be disabled at the peer: no window above 64 KiB can be "
           "advertised.",
           "One of the two hosts has window scaling disabled: no window above 64 KiB can be advertised. Enable it "
           "there."});
    case RemedyId::receiveBufferLimit:
      return "Receive buffers on this host may not grow as large as this path needs. Increase the maximum.";
    case RemedyId::sendBufferLimit:
      return "Send buffers on this host may not grow as large as this path needs. Increase the maximum.";
    case RemedyId::receiverElsewhere:
      return "The peer's receive buffer is too small for this path, and no setting of this host changes that. Ask its "
             "administrator to increase the maximum.";
    case RemedyId::sackOff:
      return byPlace(remedy.place, {"Selective acknowledgments (SACK) are disabled on this host, so only one lost "
                                    "segment per RTT is repaired. Enable them.",
                                    "Selective acknowledgments (SACK) are enabled on this host, so they must be "
                                    "disabled at the peer: only one lost segment per RTT is repaired.",
                                    "One of the two hosts has selective acknowledgments (SACK) disabled: only one lost "
                                    "segment per RTT is repaired. Enable them there."});
    case RemedyId::pacingLimit:
      return "The application limits its rate with SO_MAX_PACING_RATE, and the rate has reached the limit. Increase or "
             "remove it, unless it is intended.";
    case RemedyId::mtuBlackHole:
      return "Full-size packets never arrive, and no router reports it. Let the kernel probe for a smaller size after "
             "timeouts; the real fix is to allow ICMP 'fragmentation needed' on the path.";
    case RemedyId::randomLoss:
      return "Packets are lost although queues are nearly empty: at random, or where a queue is too short for this "
             "path. The congestion control in use slows down after each loss as if the path were congested; BBR uses "
             "the rate that it measures.";
    case RemedyId::unsentData:
      return "New data waits behind much unsent data in the send buffer. Let the application write only while little "
             "is unsent; an application can set TCP_NOTSENT_LOWAT for its own socket.";
    case RemedyId::ecnOff:
      return "A queue on the path overflows, and recovering from its drops takes a good part of the time. With "
             "explicit congestion notification (RFC 3168), a queue marks packets instead of dropping them.";
    case RemedyId::timestampsOff:
      return byPlace(
          remedy.place,
          {"Timestamps are disabled on this host. At this rate sequence numbers wrap within the maximum segment "
           "lifetime of two minutes, and an old segment could be taken for new data. Enable them.",
           "Timestamps are enabled on this host, so they must be disabled at the peer: at this rate sequence numbers "
           "wrap within the maximum segment lifetime of two minutes, and an old segment could be taken for new data.",
           "One of the two hosts has timestamps disabled: at this rate sequence numbers wrap within the maximum "
           "segment lifetime of two minutes, and an old segment could be taken for new data. Enable them there."});
    case RemedyId::rememberedThreshold:
      return "This connection lost nothing and still left slow start early: the kernel cached the ssthresh of an "
             "earlier connection to the same address. Disable that cache; 'ip tcp_metrics flush' clears its present "
             "entries.";
    case RemedyId::jumboFrames:
      return "Losses set the rate, and each costs the same number of packets whatever their size. Larger packets carry "
             "more: set the MTU at both hosts and on every device between them.";
    case RemedyId::parallelStreams:
      return "Losses set the rate of one connection, and the bottleneck is not saturated. N parallel connections carry "
             "N times that rate; their buffers need no more space than before.";
    case RemedyId::congestionWindowClamp:
      return "The congestion window is clamped, by a route with 'cwnd N lock' or by a BPF program. Remove 'cwnd' and "
             "'lock' from the route, and flush the metrics that the kernel keeps of the peer.";
    case RemedyId::windowClamp:
      return "The advertised window stops at a clamp that the application set with TCP_WINDOW_CLAMP, or a route with "
             "'window'; the buffer has space for more. Increase the clamp.";
    case RemedyId::initialWindow:
      return "The transfer ends in slow start. Let connections over this route begin with a larger congestion window "
             "(ip-route(8), initcwnd).";
    case RemedyId::connectionReuse:
      return "The transfer ends in slow start, as every transfer over a connection of its own does. Keep connections "
             "open and reuse them: handshake and slow start happen once.";
    case RemedyId::idleRestart:
      return "The congestion window starts again from a small one after each silence of the application. Let it keep "
             "the window that the path has carried.";
    case RemedyId::smallSegments:
      return "Segments are far smaller than the path MTU. Find what lowers the MSS: TCP_MAXSEG of an application, "
             "'advmss' of a route, the MTU of an interface at the peer, or a middlebox that rewrites the option.";
    case RemedyId::smallWrites:
      return "Pieces of each request wait: for the acknowledgment of the piece before, which the peer delays (Nagle's "
             "algorithm), or for a full segment (TCP_CORK). Let small segments leave at once; better still, the "
             "application writes each request in one call.";
    case RemedyId::delayedAcks:
      return "Where the application here cannot be changed: the peer acknowledges each piece at once, by a route with "
             "'quickack' (ip-route(8)) or an application that sets TCP_QUICKACK after each read. That costs it more "
             "packets.";
    case RemedyId::applicationWindow:
      return "The application waits for responses of its own protocol: no TCP setting helps. Give the protocol a "
             "larger window, or transfer over several connections at once.";
    case RemedyId::count:
      break;
  }
  return "";
}

/// Beside what the remedy is about.
bool alsoEnablesWindowScaling(const Remedy& remedy) {
  return remedy.id != RemedyId::windowScalingOff &&
         std::any_of(remedy.changes.begin(), remedy.changes.end(),
                     [](const SettingChange& change) { return change.key == kWindowScalingKey; });
}

/// What to report to the peer's administrator.
std::string_view complaint(RemedyId id) {
  switch (id) {
    case RemedyId::windowScalingOff:
      return "your host did not offer window scaling (RFC 7323), so its window stays below 64 KiB.";
    case RemedyId::sackOff:
      return "your host did not offer selective acknowledgments (RFC 2018), so losses are repaired slowly.";
    case RemedyId::timestampsOff:
      return "your host did not offer timestamps (RFC 7323), which distinguish old segments from new ones at high "
             "rates.";
    case RemedyId::delayedAcks:
      return "your host delays acknowledgments, for which small writes to it wait.";
    default:
      return "the receive window that your host advertises is too small for the RTT.";
  }
}

}  // namespace

std::string_view title(RemedyId id) {
  switch (id) {
    case RemedyId::lockedReceiveBuffer:
      return "Let the kernel size the receive buffer";
    case RemedyId::lockedSendBuffer:
      return "Let the kernel size the send buffer";
    case RemedyId::autoTuningOff:
      return "Enable receive-buffer autotuning";
    case RemedyId::windowScalingOff:
      return "Enable window scaling";
    case RemedyId::receiveBufferLimit:
      return "Increase the maximum receive buffer";
    case RemedyId::sendBufferLimit:
      return "Increase the maximum send buffer";
    case RemedyId::receiverElsewhere:
      return "Ask for a larger receive buffer at the peer";
    case RemedyId::sackOff:
      return "Enable selective acknowledgments (SACK)";
    case RemedyId::pacingLimit:
      return "Increase the application's pacing limit";
    case RemedyId::mtuBlackHole:
      return "Enable path MTU probing";
    case RemedyId::randomLoss:
      return "Use a congestion control that is not loss-based";
    case RemedyId::unsentData:
      return "Limit unsent data in the send buffer";
    case RemedyId::ecnOff:
      return "Enable explicit congestion notification (ECN)";
    case RemedyId::timestampsOff:
      return "Enable timestamps";
    case RemedyId::rememberedThreshold:
      return "Disable the ssthresh cache";
    case RemedyId::jumboFrames:
      return "What if: jumbo frames of 9000 bytes";
    case RemedyId::parallelStreams:
      return "What if: parallel connections";
    case RemedyId::congestionWindowClamp:
      return "Remove the clamp of the congestion window";
    case RemedyId::windowClamp:
      return "Increase the clamp of the receive window";
    case RemedyId::initialWindow:
      return "Begin with a larger congestion window";
    case RemedyId::connectionReuse:
      return "Reuse connections";
    case RemedyId::idleRestart:
      return "Keep the congestion window after idle";
    case RemedyId::smallSegments:
      return "Use full-sized segments";
    case RemedyId::smallWrites:
      return "Let small writes leave at once";
    case RemedyId::delayedAcks:
      return "Let the peer acknowledge at once";
    case RemedyId::applicationWindow:
      return "Enlarge the window of the application's protocol";
    case RemedyId::count:
      break;
  }
  return "";
}

std::string title(const Remedy& remedy) {
  return std::string(title(remedy.id)) + (alsoEnablesWindowScaling(remedy) ? ", and window scaling" : "");
}

std::string sentence(const Remedy& remedy) {
  std::string text(whatToDo(remedy));
  if (alsoEnablesWindowScaling(remedy)) {
    text +=
        " Window scaling was not negotiated: without it no window exceeds 64 KiB, whatever the buffer. Enable it, "
        "too, and reconnect.";
  }
  return text;
}

std::string sentence(const ExpectedGain& gain) {
  const std::string now = gain.from ? formatRate(*gain.from) + " now, " : std::string();
  if (gain.waitsLessSeconds) {
    return fmt::format("data waits about {} less before transmission", formatTime(*gain.waitsLessSeconds));
  }
  if (gain.savesRtts) {
    const std::string time = gain.savesSeconds ? fmt::format(", {}", formatTime(*gain.savesSeconds)) : std::string();
    return fmt::format("{:.0f} RTT{} less{}, each time", *gain.savesRtts, std::lround(*gain.savesRtts) == 1 ? "" : "s",
                       time);
  }
  if (gain.why == GainReason::safety) return "no change of rate";
  if (!gain.to && gain.atMost) return fmt::format("{}at most {}", now, formatRate(*gain.atMost));
  if (!gain.to) return now + "gain unknown: measure it";
  if (gain.why == GainReason::targetRate) return fmt::format("{}{} if the path carries it", now, formatRate(*gain.to));
  if (gain.why == GainReason::pathCapacity) {
    return fmt::format("{}about {}, which is what the path carries", now, formatRate(*gain.to));
  }
  if (gain.why == GainReason::lossModel) {
    return fmt::format("{}up to {} by the loss model, if the path has the capacity", now, formatRate(*gain.to));
  }
  return fmt::format("{}at least {}, the next limit, which may grow", now, formatRate(*gain.to));
}

std::string_view reachSentence(const Remedy& remedy) {
  if (remedy.reach != Reach::live) return "New connections only: this one keeps its present settings.";
  const bool isOfSocket = std::any_of(remedy.changes.begin(), remedy.changes.end(), [](const SettingChange& change) {
    return change.kind == SettingKind::socketOption;
  });
  return isOfSocket ? "This connection; the application sets the options of its next ones."
                    : "This connection and new ones.";
}

std::string_view sentence(Precondition condition) {
  switch (condition) {
    case Precondition::settingsUnknown:
      return "The present values there are unknown: keep those that are larger.";
    case Precondition::programSetsItAgain:
      return "The application will set the buffer size again for its next connection, unless it is changed.";
    case Precondition::bothEndsNeedRoom:
      return "Both hosts need the buffer space: the next limit may be the peer's buffer or the path.";
    case Precondition::bothEndsHaveToScale:
      return "Both hosts must offer window scaling (net.ipv4.tcp_window_scaling): which of them does not is unknown.";
    case Precondition::othersSlowDownForLoss:
      return "Loss-based connections on the same path may get a smaller share.";
    case Precondition::pacedMeetMoreLosses:
      return "It paces its packets: at a drop-tail queue, paced packets meet more of the losses than the bursts of "
             "other connections.";
    case Precondition::everyLinkHasToCarryIt:
      return "Every link of the path must carry 9000 bytes: adapters, switches and routers. Most do not by default.";
    case Precondition::packetsAreLostNotBits:
      return "This assumes losses per packet. With bit errors, larger packets are lost more often, and the gain is "
             "smaller.";
    case Precondition::takesTheShareOfAsMany:
      return "Fair only while the losses have another cause than congestion: at a saturated bottleneck, N connections "
             "take N shares.";
    case Precondition::queuesHaveToMark:
      return "Helps only where the queues on the path mark packets instead of dropping them.";
    case Precondition::queuesHaveToHoldTheBurst:
      return "A burst of that size must fit into the queues on the path: on a slow or busy path it is lost there.";
    case Precondition::metricsHaveToBeFlushed:
      return "The kernel keeps the clamp with its metrics of the peer for up to an hour after the route has changed.";
    case Precondition::openingEndHasToAsk:
      break;
  }
  return "The host that opens the connection has to request it; the other accepts it by default.";
}

std::string_view sentence(WhyNoAdvice why) {
  switch (why) {
    case WhyNoAdvice::none:
      return "";
    case WhyNoAdvice::verdictUnknown:
      return "No advice: the limit is unknown, and a change would be a guess.";
    case WhyNoAdvice::verdictUnsure:
      return "No advice: the confidence in the verdict is too low to act on; observe longer.";
    case WhyNoAdvice::idle:
      return "No advice: no data moves.";
    case WhyNoAdvice::pathIsFull:
      return "No advice: the bottleneck is saturated, and no setting increases its capacity.";
    case WhyNoAdvice::programSetsThePace:
      return "No advice: an application sets the pace, and no TCP setting makes it faster.";
    case WhyNoAdvice::queueOnPath:
      return "Shorten the queue: fq_codel or CAKE (tc) at the bottleneck, or pacing below its rate at the sender "
             "(maxrate of tc-fq, SO_MAX_PACING_RATE). The delay falls; the rate does not rise.";
    case WhyNoAdvice::policerOnPath:
      return "Pace below the policer's rate at the sender (maxrate of tc-fq, SO_MAX_PACING_RATE): what stays below it "
             "is not dropped. A shaper in its place (CAKE, or fq_codel below a rate limit) delays packets instead of "
             "dropping them.";
    case WhyNoAdvice::congestionControlUnknown:
      return "The congestion control in use is unknown. If the sender uses a loss-based one (CUBIC, Reno), try BBR "
             "there (net.ipv4.tcp_congestion_control, or TCP_CONGESTION of the application), which hardly slows down "
             "for such losses, and measure the gain. Loss-based connections on the same path may get a smaller share.";
    case WhyNoAdvice::sendBufferUnknown:
      return "The size of the send buffer is unknown here. At the sender, check SO_SNDBUF of the application, which "
             "disables autotuning, and net.ipv4.tcp_wmem: 'ss -tm' shows the buffer.";
    case WhyNoAdvice::receiverIsHere:
      return "No advice at this end: the receiver is a program of this host, and what helps it stands at its own end "
             "of the connection.";
    case WhyNoAdvice::noRemedyKnown:
      break;
  }
  return "No advice: no known setting helps here.";
}

std::string memoryText(const Remedy& remedy) {
  if (!remedy.memoryPerConnection) return {};
  std::string text =
      fmt::format("up to {} per connection", formatBytes(static_cast<double>(remedy.memoryPerConnection->value())));
  if (remedy.connectionsThatFit) {
    text += fmt::format("; memory pressure (tcp_mem) begins above {} such connections", *remedy.connectionsThatFit);
  }
  return text;
}

std::string sentence(const LossBudget& budget) {
  if (budget.packetsBetween <= 1.0) {
    return fmt::format("For {} at an RTT of {} less than a segment is in flight: the Mathis model does not apply.",
                       formatRate(budget.rate), formatTime(budget.rttSeconds));
  }
  return fmt::format(
      "For {} at an RTT of {} the path may lose at most one packet in {} by the Mathis model; RFC 8337 requires {} "
      "without a loss.",
      formatRate(budget.rate), formatTime(budget.rttSeconds), formatWhole(budget.packetsBetween),
      formatWhole(budget.runLengthRfc8337));
}

std::string commandLine(const SettingChange& change) {
  if (change.kind == SettingKind::sysctl) return fmt::format("sudo sysctl -w {}=\"{}\"", change.key, change.wanted);
  if (change.kind == SettingKind::command) return fmt::format("{} {}", change.key, change.wanted);
  if (change.wanted == "unset") return fmt::format("setsockopt: remove {}", change.key);
  return fmt::format("setsockopt: {} = {}", change.key, change.wanted);
}

std::string undoableLine(const Remedy& remedy, const SocketObservation& connection) {
  const auto kind = undoableKind(remedy);
  if (!kind) return {};
  const bool appliesHere = kind == SettingKind::sysctl;
  std::string text = "sudo tcpscope-cli ";
  // An address in brackets is a pattern to a shell.
  text += appliesHere ? std::string("apply")
                      : fmt::format("tune '{}-{}'", connection.local.toString(), connection.remote.toString());
  for (const SettingChange& change : remedy.changes) text += fmt::format(" {}='{}'", change.key, change.wanted);
  return appliesHere ? text + " --yes --revert-after 60" : text;
}

std::string letter(const Remedy& remedy) {
  if (remedy.place != RemedyPlace::peer) return {};
  const bool isForSpeed = remedy.gain.why != GainReason::safety;
  std::string text = isForSpeed ? "A TCP connection to your host is slower than its path allows: "
                                : "A TCP connection to your host is not as safe as it could be: ";
  text += complaint(remedy.id);
  const bool isValue = remedy.id != RemedyId::delayedAcks;
  text += isValue ? " On Linux, this would help unless the values there are larger already:"
                  : " On Linux, for the route to this host, this would help:";
  for (const SettingChange& change : remedy.changes) text += "\n  " + commandLine(change);
  if (remedy.id == RemedyId::receiverElsewhere) {
    if (alsoEnablesWindowScaling(remedy)) {
      text += "\nWindow scaling (RFC 7323) was not negotiated: without it no window exceeds 64 KiB.";
    }
    text += "\nAn application that sets SO_RCVBUF should not.";
  }
  text += remedy.reach == Reach::live ? "\nIt applies to this connection and new ones."
                                      : "\nIt applies to new connections.";
  return text;
}

std::vector<RemedyLine> linesOf(const Remedy& remedy) {
  std::vector<RemedyLine> lines = {
      {"", sentence(remedy)}, {"expected", sentence(remedy.gain)}, {"applies to", std::string(reachSentence(remedy))}};
  if (std::string cost = memoryText(remedy); !cost.empty()) lines.push_back({"memory", std::move(cost)});
  for (const SettingChange& change : remedy.changes) {
    if (remedy.place == RemedyPlace::peer) break;
    lines.push_back({"change", commandLine(change), true});
    lines.push_back({"", change.now ? "now: " + *change.now : std::string("now: unknown")});
  }
  for (const Precondition condition : remedy.preconditions) lines.push_back({"note", std::string(sentence(condition))});
  if (std::string text = letter(remedy); !text.empty()) lines.push_back({"to send", std::move(text)});
  return lines;
}

}  // namespace tcpscope
