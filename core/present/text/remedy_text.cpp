#include "core/present/text/remedy_text.h"

#include <fmt/format.h>

#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

struct ByPlace {
  std::string_view here;
  std::string_view otherEnd;
  std::string_view eitherEnd;
};

std::string_view byPlace(RemedyPlace place, const ByPlace& texts) {
  if (place == RemedyPlace::here) return texts.here;
  return place == RemedyPlace::otherEnd ? texts.otherEnd : texts.eitherEnd;
}

std::string_view whatToDo(const Remedy& remedy) {
  switch (remedy.id) {
    case RemedyId::lockedReceiveBuffer:
      return "The program fixed its receive buffer with SO_RCVBUF, which ends the kernel's auto-tuning. It should "
             "leave the size to the kernel.";
    case RemedyId::lockedSendBuffer:
      return "The program fixed its send buffer with SO_SNDBUF, which ends the kernel's auto-tuning. It should leave "
             "the size to the kernel.";
    case RemedyId::autoTuningOff:
      return "Receive buffers stay at the size that they begin with, because auto-tuning is switched off here. Switch "
             "it on.";
    case RemedyId::windowScalingOff:
      return byPlace(remedy.place,
                     {"Window scaling is off here, so that no window above 64 KiB can be told to the sender. "
                      "Switch it on.",
                      "Window scaling is on here, so that the other end must have it off: no window above "
                      "64 KiB can be told to the sender.",
                      "One of the ends has window scaling off: no window above 64 KiB can be told to the "
                      "sender. Switch it on there."});
    case RemedyId::receiveBufferLimit:
      return "Receive buffers here may not grow as large as this path needs. Raise the largest size.";
    case RemedyId::sendBufferLimit:
      return "Send buffers here may not grow as large as this path needs. Raise the largest size.";
    case RemedyId::receiverElsewhere:
      return "The other end's receive buffer is too small for this path; nothing that is set here changes that. Ask "
             "its administrator to raise the largest size.";
    case RemedyId::sackOff:
      return byPlace(remedy.place,
                     {"Selective acknowledgments are off here, so that lost packets are repaired one a round "
                      "trip. Switch them on.",
                      "Selective acknowledgments are on here, so that the other end must have them off: "
                      "lost packets are repaired one a round trip.",
                      "One of the ends has selective acknowledgments off: lost packets are repaired one a "
                      "round trip. Switch them on there."});
    case RemedyId::pacingLimit:
      return "The program limits its rate with SO_MAX_PACING_RATE, and the rate has reached that. Raise the limit, or "
             "leave it out, if it is not meant.";
    case RemedyId::mtuBlackHole:
      return "Packets of full size never arrive, and no router says so. Let the kernel try smaller ones after "
             "timeouts; the cure is a path that lets ICMP's 'fragmentation needed' through.";
    case RemedyId::randomLoss:
      return "Packets are lost although hardly any wait in a queue: at random, or where a queue is too short for this "
             "path. The congestion control in use slows down for each loss as if the path were full; BBR goes by the "
             "rate that it measures.";
    case RemedyId::unsentData:
      return "What the program writes waits behind much data that is not sent yet. Let it write only when little "
             "waits; a program can set TCP_NOTSENT_LOWAT for itself.";
    case RemedyId::ecnOff:
      return "A queue of the path overflows, and repairing what it drops takes a good part of the time. With explicit "
             "congestion notification (RFC 3168) a queue that marks tells the sender without dropping anything.";
    case RemedyId::timestampsOff:
      return byPlace(remedy.place,
                     {"Timestamps are off here. At this rate sequence numbers come round within the two minutes that a "
                      "packet may live, and an old one could be taken for new data. Switch them on.",
                      "Timestamps are on here, so that the other end must have them off: at this rate sequence "
                      "numbers come round within the two minutes that a packet may live, and an old one could be "
                      "taken for new data.",
                      "One of the ends has timestamps off: at this rate sequence numbers come round within the two "
                      "minutes that a packet may live, and an old one could be taken for new data. Switch them on "
                      "there."});
    case RemedyId::rememberedThreshold:
      return "This connection lost nothing and still left its slow start early: the kernel remembered the threshold "
             "of an earlier connection to the same address. Let it forget thresholds; what it has now goes with "
             "'ip tcp_metrics flush'.";
    case RemedyId::jumboFrames:
      return "Losses set the rate, and each one costs as many packets whatever their size. Larger packets carry more: "
             "set the size at both ends, and at everything between them.";
    case RemedyId::parallelStreams:
      return "Losses set the rate of one connection, and the path is not full. Several connections at once carry as "
             "many times that; their buffers stay as large as that of one.";
    case RemedyId::count:
      break;
  }
  return "";
}

/// What is wrong at the other end.
std::string_view complaint(RemedyId id) {
  switch (id) {
    case RemedyId::windowScalingOff:
      return "your end did not offer window scaling (RFC 7323), so that its window stays below 64 KiB.";
    case RemedyId::sackOff:
      return "your end did not offer selective acknowledgments (RFC 2018), so that losses are repaired slowly.";
    case RemedyId::timestampsOff:
      return "your end did not offer timestamps (RFC 7323), which tell old packets from new ones at high rates.";
    default:
      return "the receive window that your host advertises is too small for the round trip.";
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
      return "Switch auto-tuning of receive buffers on";
    case RemedyId::windowScalingOff:
      return "Switch window scaling on";
    case RemedyId::receiveBufferLimit:
      return "Raise the largest receive buffer";
    case RemedyId::sendBufferLimit:
      return "Raise the largest send buffer";
    case RemedyId::receiverElsewhere:
      return "Ask for a larger receive buffer at the other end";
    case RemedyId::sackOff:
      return "Switch selective acknowledgments on";
    case RemedyId::pacingLimit:
      return "Raise the program's pacing limit";
    case RemedyId::mtuBlackHole:
      return "Probe for the path's packet size";
    case RemedyId::randomLoss:
      return "Use a congestion control that does not slow down for each loss";
    case RemedyId::unsentData:
      return "Keep less data waiting in the sender";
    case RemedyId::ecnOff:
      return "Ask for explicit congestion notification";
    case RemedyId::timestampsOff:
      return "Switch timestamps on";
    case RemedyId::rememberedThreshold:
      return "Let the kernel forget slow-start thresholds";
    case RemedyId::jumboFrames:
      return "What if: jumbo frames of 9000 bytes";
    case RemedyId::parallelStreams:
      return "What if: several connections at once";
    case RemedyId::count:
      break;
  }
  return "";
}

std::string sentence(const Remedy& remedy) {
  return std::string(whatToDo(remedy));
}

std::string sentence(const ExpectedGain& gain) {
  const std::string now = gain.from ? formatRate(*gain.from) + " now, " : std::string();
  if (gain.waitsLessSeconds) {
    return fmt::format("data waits about {} less before it is sent", formatTime(*gain.waitsLessSeconds));
  }
  if (gain.why == GainReason::safety) return "the rate stays";
  if (!gain.to) return now + "how much more is not known: measure it";
  if (gain.why == GainReason::targetRate) return fmt::format("{}{} if the path carries it", now, formatRate(*gain.to));
  if (gain.why == GainReason::lossModel) {
    return fmt::format("{}up to {} by the model of loss, if the path has the room", now, formatRate(*gain.to));
  }
  return fmt::format("{}at least {} by the next limit, which may grow", now, formatRate(*gain.to));
}

std::string_view sentence(Reach reach) {
  return reach == Reach::live ? "Helps this connection, too."
                              : "New connections only: this one keeps what it began with.";
}

std::string_view sentence(Precondition condition) {
  switch (condition) {
    case Precondition::settingsUnknown:
      return "What is set there now is not known: keep the numbers that are larger.";
    case Precondition::programSetsItAgain:
      return "The program will fix the buffer again at its next connection, until it is changed.";
    case Precondition::bothEndsNeedRoom:
      return "Both ends need room: the next limit may be the other end's buffer or the path.";
    case Precondition::othersSlowDownForLoss:
      return "Others on the same path that slow down for loss may get less than before.";
    case Precondition::pacedMeetMoreLosses:
      return "It spaces out what it sends: where a queue of the path drops its tail, spaced-out packets meet more of "
             "the losses than the bursts of others.";
    case Precondition::everyLinkHasToCarryIt:
      return "Every link of the path must carry 9000 bytes: adapters, switches and routers. Most do not as they come.";
    case Precondition::packetsAreLostNotBits:
      return "This counts losses by packet. Where bits are damaged, larger packets are lost more often, and the gain "
             "is smaller.";
    case Precondition::takesTheShareOfAsMany:
      return "Fair only while the losses come from elsewhere: where the path is full, so many connections take the "
             "share of as many users.";
    case Precondition::queuesHaveToMark:
      return "It brings something only where the queues of the path mark packets instead of dropping them.";
    case Precondition::openingEndHasToAsk:
      break;
  }
  return "The end that opens the connection has to ask for it; the other one agrees by default.";
}

std::string_view sentence(WhyNoAdvice why) {
  switch (why) {
    case WhyNoAdvice::none:
      return "";
    case WhyNoAdvice::verdictUnknown:
      return "No advice: what limits it cannot be told, and a change would be a guess.";
    case WhyNoAdvice::verdictUnsure:
      return "No advice: what limits it is not sure enough to act on; watch longer.";
    case WhyNoAdvice::idle:
      return "No advice: no data moves.";
    case WhyNoAdvice::pathIsFull:
      return "No advice: the path is full, and no setting brings more than that.";
    case WhyNoAdvice::programSetsThePace:
      return "No advice: a program sets the pace, and no setting of TCP makes it faster.";
    case WhyNoAdvice::noRemedyKnown:
      break;
  }
  return "No advice: no setting is known that helps against this.";
}

std::string memoryText(const Remedy& remedy) {
  if (!remedy.memoryPerConnection) return {};
  std::string text =
      fmt::format("up to {} a connection", formatBytes(static_cast<double>(remedy.memoryPerConnection->value())));
  if (remedy.connectionsThatFit) {
    text += fmt::format("; {} that full fit before the kernel begins to save (tcp_mem)", *remedy.connectionsThatFit);
  }
  return text;
}

std::string sentence(const LossBudget& budget) {
  return fmt::format(
      "For {} over {} the path may lose at most one packet in {:.0f} by Mathis's model; RFC 8337 asks for {:.0f} "
      "without a loss.",
      formatRate(budget.rate), formatTime(budget.roundTripSeconds), budget.packetsBetween, budget.runLengthRfc8337);
}

std::string commandLine(const SettingChange& change) {
  if (change.kind == SettingKind::sysctl) return fmt::format("sudo sysctl -w {}=\"{}\"", change.key, change.wanted);
  if (change.kind == SettingKind::command) return fmt::format("{} {}", change.key, change.wanted);
  if (change.wanted == "unset") return fmt::format("setsockopt: leave {} out", change.key);
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
  if (remedy.place != RemedyPlace::otherEnd) return {};
  const bool isForSpeed = remedy.gain.why != GainReason::safety;
  std::string text = isForSpeed ? "A TCP connection to your host is slower than its path allows: "
                                : "A TCP connection to your host is not as safe as it could be: ";
  text += complaint(remedy.id);
  text += " On Linux this would help, unless the values there are larger already:";
  for (const SettingChange& change : remedy.changes) text += "\n  " + commandLine(change);
  if (remedy.id == RemedyId::receiverElsewhere) {
    text += "\nA program that sets SO_RCVBUF itself should leave that out.";
  }
  text += "\nConnections that begin afterwards gain.";
  return text;
}

std::vector<RemedyLine> linesOf(const Remedy& remedy) {
  std::vector<RemedyLine> lines = {
      {"", sentence(remedy)}, {"brings", sentence(remedy.gain)}, {"reach", std::string(sentence(remedy.reach))}};
  if (std::string cost = memoryText(remedy); !cost.empty()) lines.push_back({"memory", std::move(cost)});
  for (const SettingChange& change : remedy.changes) {
    if (remedy.place == RemedyPlace::otherEnd) break;
    lines.push_back({"change", commandLine(change)});
    lines.push_back({"", change.now ? "now: " + *change.now : std::string("now: not known")});
  }
  for (const Precondition condition : remedy.preconditions) lines.push_back({"note", std::string(sentence(condition))});
  if (std::string text = letter(remedy); !text.empty()) lines.push_back({"to send", std::move(text)});
  return lines;
}

}  // namespace tcpscope
