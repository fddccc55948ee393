#include "core/present/text/flow_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/present/text/quantity_text.h"
#include "core/session/capture/connection_analysis.h"

namespace tcpscope {

namespace {

using Offer = std::optional<OfferedOptions>;

bool bothOffer(const Offer& one, const Offer& other, bool OfferedOptions::*option) {
  return one && other && (*one).*option && (*other).*option;
}

std::string pairText(std::string_view title, const std::optional<std::uint64_t>& one,
                     const std::optional<std::uint64_t>& other, std::string_view unit) {
  const auto figure = [](const std::optional<std::uint64_t>& value) {
    return value ? std::to_string(*value) : std::string("none");
  };
  return fmt::format("{} {}{} and {}{}", title, figure(one), one && !other ? unit : "", figure(other),
                     other ? unit : "");
}

std::optional<std::uint64_t> mssOf(const OfferedOptions& offer) {
  return offer.mss ? std::optional(offer.mss->value()) : std::nullopt;
}

std::optional<std::uint64_t> scaleOf(const OfferedOptions& offer) {
  return offer.windowScale ? std::optional<std::uint64_t>(*offer.windowScale) : std::nullopt;
}

/// The offer of a single SYN: what was negotiated depends on the other.
std::string offeredAlone(const OfferedOptions& offer, const Endpoint& end) {
  std::string text = fmt::format("only the offer of {} was captured:", end.toString());
  if (const auto mss = mssOf(offer)) text += fmt::format(" MSS {} bytes,", *mss);
  if (const auto scale = scaleOf(offer)) text += fmt::format(" window scale {},", *scale);
  text += offer.sack ? " SACK," : " no SACK,";
  return text + (offer.timestamps ? " timestamps" : " no timestamps");
}

}  // namespace

std::string_view phrase(RetransmissionCause cause) {
  switch (cause) {
    case RetransmissionCause::timeout:
      return "timeout";
    case RetransmissionCause::fast:
      return "fast";
    case RetransmissionCause::tailLossProbe:
      return "tail loss probe";
    case RetransmissionCause::recovery:
      return "in recovery";
    case RetransmissionCause::spurious:
      return "spurious";
    case RetransmissionCause::syn:
      return "in the handshake";
    case RetransmissionCause::unknown:
      break;
  }
  return "unknown cause";
}

std::string capturedWhere(const ConnectionSummary& flow) {
  const bool initiatorSends = bulkDirection(flow) == 0;
  switch (flow.vantage) {
    case Vantage::sender:
      return "captured at " + (initiatorSends ? flow.initiator : flow.responder).address.toString();
    case Vantage::receiver:
      return "captured at " + (initiatorSends ? flow.responder : flow.initiator).address.toString();
    case Vantage::middle:
      return "captured between the hosts";
    case Vantage::unknown:
      break;
  }
  return "captured at an unknown point";
}

std::string openingTimes(const ConnectionSummary& flow) {
  if (!flow.connectTime) return {};
  std::string text = fmt::format("connected in {}", formatTime(toSeconds(*flow.connectTime)));
  std::string again;
  for (const auto& [name, direction] : {std::pair("SYN", 0U), std::pair("SYN-ACK", 1U)}) {
    const std::uint64_t sent = flow.directions.at(direction).sent.syns.value();
    if (sent > 1) again += fmt::format("{}{} sent {} times", again.empty() ? "" : ", ", name, sent);
  }
  if (!again.empty()) text += fmt::format(" ({})", again);
  if (flow.firstByteTime) text += fmt::format(", first byte after {}", formatTime(toSeconds(*flow.firstByteTime)));
  return text;
}

std::string negotiated(const ConnectionSummary& flow) {
  const Offer& one = flow.directions[0].offered;
  const Offer& other = flow.directions[1].offered;
  if (!one && !other) return "handshake not captured: options and window scale unknown";
  if (!one || !other) return offeredAlone(one ? *one : *other, one ? flow.initiator : flow.responder);
  std::string text = pairText("MSS", mssOf(*one), mssOf(*other), " bytes");
  const bool scales = one->windowScale && other->windowScale;
  text += scales ? ", " + pairText("window scale", scaleOf(*one), scaleOf(*other), "") : ", no window scale";
  text += bothOffer(one, other, &OfferedOptions::sack) ? ", SACK" : ", no SACK";
  text += bothOffer(one, other, &OfferedOptions::timestamps) ? ", timestamps" : ", no timestamps";
  if (bothOffer(one, other, &OfferedOptions::ecn)) text += ", ECN";
  if (bothOffer(one, other, &OfferedOptions::accurateEcn)) text += ", accurate ECN";
  if (bothOffer(one, other, &OfferedOptions::multipath)) text += ", Multipath TCP";
  if (one->fastOpen) text += ", Fast Open requested";
  if (one->mayBeIncomplete || other->mayBeIncomplete) text += " (options truncated or damaged: there may be more)";
  return text;
}

namespace {

constexpr double kSignificant = 0.05;

/// Sentences of a verdict that names its cause.
std::string_view statement(BurstCause cause) {
  switch (cause) {
    case BurstCause::queueOverflow:
      return "A queue on the path overflowed: the RTT grows before the losses";
    case BurstCause::random:
      return "Random loss: packets are lost independently. Check the links, not the queues";
    case BurstCause::policer:
      return "A policer drops what exceeds a fixed rate: losses come in bursts without a growing queue before them";
    case BurstCause::reordering:
      return "Nothing was lost: packets arrived late or out of order and were retransmitted spuriously";
    case BurstCause::unknown:
      break;
  }
  return "The cause of the losses is unknown";
}

std::string_view settingName(BurstSetting setting) {
  switch (setting) {
    case BurstSetting::simulation:
      return "NS-2 simulation";
    case BurstSetting::emulation:
      return "Dummynet emulation";
    case BurstSetting::internet:
      return "Internet paths between PlanetLab nodes";
  }
  return "";
}

std::string_view bound(BurstSetting setting) {
  switch (setting) {
    case BurstSetting::simulation:
      return "more than ";
    case BurstSetting::emulation:
      return "about ";
    case BurstSetting::internet:
      return "";
  }
  return "";
}

bool isRegular(const RandomDropTest& test) {
  return test.clusteredPValue > kSignificant && test.regularPValue <= kSignificant;
}

std::string_view patternWord(const RandomDropTest& test) {
  if (test.clusteredPValue <= kSignificant) return "Clustered";
  if (isRegular(test)) return "More regular than chance";
  return "Not clustered beyond chance";
}

std::string perThousand(double ratio) {
  constexpr double kWholeFrom = 99.5;
  const double value = ratio * 1000.0;
  return value >= kWholeFrom ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

}  // namespace

const std::string_view kCaptureHoldsSendersBursts =
    "A TCP capture contains the sender's own bursts: packets that are sent together are lost together even under "
    "random loss. Compare with losses drawn at random over the packets sent, not with drop records of routers.";

std::string sentence(const BurstVerdict& verdict) {
  std::string text(statement(verdict.cause));
  if (verdict.cause != BurstCause::unknown)
    return text + fmt::format(" (confidence {:.0f} %).", verdict.confidenceRatio * 100);
  if (verdict.candidates.empty()) return text + ".";
  // Beside a policer only bursts are meant: single losses at random would have been named.
  const auto isThere = [&](BurstCause cause) {
    return std::find(verdict.candidates.begin(), verdict.candidates.end(), cause) != verdict.candidates.end();
  };
  const bool areBursts = isThere(BurstCause::policer) && isThere(BurstCause::random);
  std::vector<std::string_view> names;
  for (const BurstCause cause : verdict.candidates) {
    names.push_back(areBursts && cause == BurstCause::random ? "a link that loses in bursts" : shortName(cause));
  }
  return text + fmt::format("; candidates: {}.", fmt::join(names, ", "));
}

std::string sentence(const RandomDropTest& test) {
  const auto about = [&](double pValue) {
    return fmt::format("p {} {:.2g}", pValue <= test.leastPValue() ? "at most" : "about", pValue);
  };
  // How evenly they lie apart is counted in packets: shares within a time say nothing of it.
  if (isRegular(test)) {
    return fmt::format("{}: losses drawn at random over the packets sent seldom lie so evenly apart ({}).",
                       patternWord(test), about(test.regularPValue));
  }
  // The scale on which the losses differ more from chance.
  const auto excess = [](const ShareAgainstChance& share) { return share.observedRatio - share.expectedRatio; };
  const bool byWhole = excess(test.withinRtt) > excess(test.withinHundredthRtt);
  const ShareAgainstChance& share = byWhole ? test.withinRtt : test.withinHundredthRtt;
  return fmt::format(
      "{}: {} of the losses are within {} of the previous one; of losses drawn at random over the packets sent, {} "
      "would be ({}).",
      patternWord(test), formatRatio(share.observedRatio), byWhole ? "one RTT" : "0.01 RTT",
      formatRatio(share.expectedRatio), about(test.clusteredPValue));
}

std::string sentence(const LossEventRatio& ratio, std::uint64_t packets) {
  if (ratio.ratio == 0.0) {
    return fmt::format("No loss event in {} packets: below {} per 1000", packets, perThousand(ratio.interval95.high));
  }
  return fmt::format("Loss events per 1000 packets: {} (95 %: {} to {})", perThousand(ratio.ratio),
                     perThousand(ratio.interval95.low), perThousand(ratio.interval95.high));
}

std::string sentence(const BurstModel& model) {
  const std::string lost =
      model.lossInBad ? formatRatio(model.lossInBad->value) + " of the packets" : std::string("all packets");
  return fmt::format(
      "Losses come in bursts of {:.2g} packets (± {:.2g}): {} of the packets begin one, and {} in it are lost.",
      model.burstPackets.value, model.burstPackets.standardError, formatRatio(model.goodToBad.value), lost);
}

std::string caption(const ReferenceBurst& reference) {
  return fmt::format("{} (Wei, Cao, Low 2007): {}{:.0f} % within {:g} RTT", settingName(reference.setting),
                     bound(reference.setting), reference.ratio * 100, reference.limitRtt);
}

std::string_view shortName(BurstCause cause) {
  switch (cause) {
    case BurstCause::queueOverflow:
      return "queue overflow";
    case BurstCause::random:
      return "random loss";
    case BurstCause::policer:
      return "policer";
    case BurstCause::reordering:
      return "reordering";
    case BurstCause::unknown:
      break;
  }
  return "unknown";
}

}  // namespace tcpscope
