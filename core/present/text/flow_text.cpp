#include "core/present/text/flow_text.h"

#include <fmt/format.h>

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
  return "vantage point unknown";
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

}  // namespace tcpscope
