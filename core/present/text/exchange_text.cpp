#include "core/present/text/exchange_text.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

std::string_view nameOf(SlowPart part, bool isOfCapture) {
  if (part == SlowPart::path) return "path";
  if (part == SlowPart::here) return isOfCapture ? "client" : "this end";
  return isOfCapture ? "server" : "peer";
}

std::string_view whatToLookAt(SlowPart part, bool isOfCapture) {
  if (part == SlowPart::path) return "Larger or pipelined requests need fewer RTTs";
  if (part == SlowPart::here) {
    return isOfCapture ? "Look at what the client does between a response and its next request"
                       : "Look at what this end does between an arrival and what it sends then";
  }
  return isOfCapture ? "Look at how long the server takes to respond" : "Look at how long the peer takes to respond";
}

}  // namespace

std::string_view slowPartWords(const ExchangeShares& shares) {
  const SlowPart part = slowestOf(shares);
  if (part == SlowPart::path) return "the RTT";
  if (part == SlowPart::here) return shares.isOfCapture ? "the client" : "the application at this end";
  return shares.isOfCapture ? "the server" : "the application at the peer";
}

std::string slowestShare(const ExchangeShares& shares) {
  const SlowPart part = slowestOf(shares);
  return fmt::format("{} {}", nameOf(part, shares.isOfCapture), formatRatio(shareOf(shares, part)));
}

std::string shares(const ExchangeShares& shares) {
  std::string text;
  for (const SlowPart part : {SlowPart::here, SlowPart::path, SlowPart::peer}) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", nameOf(part, shares.isOfCapture), formatRatio(shareOf(shares, part)));
  }
  return text;
}

std::string gainWithout(const ExchangeShares& shares, SlowPart part) {
  constexpr double kMost = 0.99;
  const double rest = 1.0 - shareOf(shares, part);
  if (rest <= 1.0 - kMost) return "more than 100 times as many";
  return fmt::format("up to {:.2g} times as many", 1.0 / rest);
}

std::string whoIsSlow(const ExchangeShares& exchanges) {
  const SlowPart part = slowestOf(exchanges);
  const std::string error = exchanges.uncertainty > 0.0
                                ? fmt::format(" (each \u00b1 {})", formatRatio(exchanges.uncertainty))
                                : std::string();
  return fmt::format(
      "Application-limited: requests and responses alternate, about {} a second. Shares of the time: {}{}. {}: without "
      "that time there would be {} exchanges.",
      formatByKey("exchanges_per_second", exchanges.exchangesPerSecond), shares(exchanges), error,
      whatToLookAt(part, exchanges.isOfCapture), gainWithout(exchanges, part));
}

std::string shares(const ExchangeSummary& exchanges) {
  const Nanoseconds whole = exchanges.whole();
  std::string text = fmt::format("{}", exchanges.count);
  if (whole <= Nanoseconds::zero()) return text;
  const std::array<std::pair<std::string_view, Nanoseconds>, 4> parts = {
      {{"server", exchanges.server},
       {"network", exchanges.network},
       {"client", exchanges.client},
       {"transfer", exchanges.requestTransfer + exchanges.responseTransfer}}};
  std::string_view separator = ": ";
  for (const auto& [name, time] : parts) {
    text += fmt::format("{}{} {}", separator, name, formatRatio(toSeconds(time) / toSeconds(whole)));
    separator = ", ";
  }
  return text;
}

std::string responseTimes(const ExchangeSummary& exchanges) {
  const double most = toSeconds(exchanges.responseMax);
  std::string text =
      fmt::format("median {}, 95 % {}, maximum {}", formatQuantileTime(toSeconds(exchanges.responseMedian), 0.0, most),
                  formatQuantileTime(toSeconds(exchanges.responseP95), 0.0, most), formatTime(most));
  if (!exchanges.slowest.empty()) {
    const SlowExchange& slowest = exchanges.slowest.front();
    text += fmt::format(" (request in frame {}, response in frame {})", slowest.requestPacket + 1,
                        slowest.responsePacket + 1);
  }
  return text;
}

}  // namespace tcpscope
