#include "core/present/text/exchange_text.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

struct EndNames {
  std::string_view here;
  std::string_view peer;
};

constexpr EndNames namesOf(ExchangeRole role) {
  switch (role) {
    case ExchangeRole::client:
      return {"client", "server"};
    case ExchangeRole::server:
      return {"server", "client"};
    case ExchangeRole::unknown:
      break;
  }
  return {"this end", "peer"};
}

std::string_view whatToLookAt(SlowPart part, ExchangeRole role) {
  if (part == SlowPart::path) return "Larger or pipelined requests need fewer RTTs";
  const bool isHere = part == SlowPart::here;
  switch (role) {
    case ExchangeRole::client:
      return isHere ? "Look at what the client does between a response and its next request"
                    : "Look at how long the server takes to respond";
    case ExchangeRole::server:
      return isHere ? "Look at how long the server takes to respond"
                    : "Look at what the client does between a response and its next request";
    case ExchangeRole::unknown:
      break;
  }
  return isHere ? "Look at what this end does between an arrival and what it sends then"
                : "Look at how long the peer takes to respond";
}

}  // namespace

std::string_view slowPartWords(const ExchangeShares& shares) {
  const SlowPart part = slowestOf(shares);
  if (part == SlowPart::path) return "the RTT";
  const bool isHere = part == SlowPart::here;
  if (shares.role == ExchangeRole::unknown) {
    return isHere ? "the application at this end" : "the application at the peer";
  }
  return isHere == (shares.role == ExchangeRole::client) ? "the client" : "the server";
}

std::string slowestShare(const ExchangeShares& shares) {
  const auto [here, peer] = namesOf(shares.role);
  const SlowPart part = slowestOf(shares);
  const std::string_view name = part == SlowPart::path ? "path" : part == SlowPart::here ? here : peer;
  return fmt::format("{} {}", name, formatRatio(shareOf(shares, part)));
}

std::string shares(const ExchangeShares& shares) {
  const auto [here, peer] = namesOf(shares.role);
  return fmt::format("{} {}, path {}, {} {}", here, formatRatio(shares.here), formatRatio(shares.path), peer,
                     formatRatio(shares.peer));
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
      whatToLookAt(part, exchanges.role), gainWithout(exchanges, part));
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
  std::string text =
      fmt::format("median {}, 95 % {}, maximum {}", formatTime(toSeconds(exchanges.responseMedian)),
                  formatTime(toSeconds(exchanges.responseP95)), formatTime(toSeconds(exchanges.responseMax)));
  if (!exchanges.slowest.empty()) {
    const SlowExchange& slowest = exchanges.slowest.front();
    text += fmt::format(" (request in frame {}, response in frame {})", slowest.requestPacket + 1,
                        slowest.responsePacket + 1);
  }
  return text;
}

}  // namespace tcpscope
