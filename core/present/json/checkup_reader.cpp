// Reads another host's check-up, which may say anything.
#include <array>
#include <cmath>

#include "core/host/path_checks.h"
#include "core/present/json/checkup_document.h"
#include "core/present/json/document_reader.h"

namespace tcpscope {

namespace {

using json::countIn;
using json::Json;
using json::numberIn;

/// More of a kind belong to no host.
constexpr std::size_t kMostRows = 1024;
constexpr std::size_t kMostNames = 256;
constexpr std::size_t kMostHops = 64;
constexpr std::uint64_t kMostProcessors = 65'536;

constexpr std::array kLayers = {CheckLayer::physical, CheckLayer::dataLink, CheckLayer::network, CheckLayer::transport,
                                CheckLayer::application};
constexpr std::array kStatuses = {CheckStatus::pass, CheckStatus::warn, CheckStatus::fail, CheckStatus::unknown};

/// All values of an enumeration that ends with `count`.
template <class Value>
constexpr auto allOf() {
  std::array<Value, static_cast<std::size_t>(Value::count)> all{};
  for (std::size_t index = 0; index < all.size(); ++index) all[index] = static_cast<Value>(index);
  return all;
}

UntrustedText textIn(const Json& object, std::string_view name) {
  return UntrustedText(json::plainText(object, name));
}

std::optional<Bytes> bytesIn(const Json& object, std::string_view name) {
  const auto value = countIn(object, name);
  return value ? std::optional(Bytes(*value)) : std::nullopt;
}

std::optional<BitsPerSecond> rateIn(const Json& object, std::string_view name) {
  const auto value = numberIn(object, name, 0.0, 1e15);
  return value ? std::optional(BitsPerSecond(*value)) : std::nullopt;
}

std::optional<std::uint32_t> smallCountIn(const Json& object, std::string_view name, std::uint64_t most) {
  const auto value = countIn(object, name);
  return value && *value <= most ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

PathHop hopOf(const Json& value) {
  // Longer than any answer is waited for.
  constexpr double kMostMicroseconds = 60e6;
  PathHop hop;
  hop.address = IpAddress::parse(json::plainText(value, "address"));
  if (const auto rtt = numberIn(value, "rtt_us", 0.0, kMostMicroseconds)) hop.rtt = Microseconds(std::llround(*rtt));
  return hop;
}

void readFigures(CheckRow& row, const Json& value) {
  row.during = countIn(value, "during");
  row.ever = countIn(value, "since_boot");
  row.rate = rateIn(value, "link_rate_bps");
  row.busRate = rateIn(value, "bus_rate_bps");
  row.mtu = bytesIn(value, "mtu_bytes");
  row.lowerMtu = bytesIn(value, "lower_mtu_bytes");
  if (const auto delay = numberIn(value, "delay_s", 0.0, 3600.0)) row.delay = Microseconds(std::llround(*delay * 1e6));
  row.ratio = numberIn(value, "busiest_processor_ratio", 0.0, 1.0);
  row.processor = smallCountIn(value, "busiest_processor", kMostProcessors);
  row.count = countIn(value, "count");
  row.most = countIn(value, "most");
  row.used = bytesIn(value, "used_bytes");
  row.limit = bytesIn(value, "limit_bytes");
  row.inSockets = bytesIn(value, "sockets_bytes");
  row.pid = smallCountIn(value, "pid", INT32_MAX);
  row.timeRatio = numberIn(value, "time_ratio", 0.0, 1.0);
  row.callsASecond = numberIn(value, "calls_per_s", 0.0, 1e12);
  row.bytesACall = numberIn(value, "bytes_per_call", 0.0, 1e15);
  row.vanishing = bytesIn(value, "vanishing_bytes");
}

/// Those that its finding is made of: a missing one must not read as 0.
bool lacksFigures(const CheckRow& row) {
  switch (row.id) {
    case CheckId::rememberedThreshold:
    case CheckId::ringSize:
    case CheckId::oneThread:
    case CheckId::routeSettings:
      return !row.count || !row.most;
    case CheckId::defaultRoute:
      return !row.count;
    case CheckId::interruptSpread:
      return !row.most;
    case CheckId::tunnel:
      return !row.mtu;
    case CheckId::smallWrites:
      return !row.bytesACall || !row.callsASecond;
    default:
      return false;
  }
}

std::optional<CheckRow> rowOf(const Json& value) {
  const auto id = json::valueNamed(allOf<CheckId>(), json::plainText(value, "check"));
  const auto layer = json::valueNamed(kLayers, json::plainText(value, "layer"));
  const auto status = json::valueNamed(kStatuses, json::plainText(value, "status"));
  if (!id || !layer || !status) return std::nullopt;
  CheckRow row;
  row.id = *id;
  row.layer = *layer;
  row.status = *status;
  for (const char* key : {"interface", "process", "remote"}) {
    if (row.object.empty()) row.object = textIn(value, key);
  }
  const auto reason = json::valueNamed(allOf<UnknownReason>(), json::plainText(value, "reason"));
  if (reason && row.status == CheckStatus::unknown) row.reason = *reason;
  readFigures(row, value);
  for (const Json& name : json::arrayIn(value, "names")) {
    if (row.names.size() < kMostNames && name.is_string()) row.names.emplace_back(name.get<std::string>());
  }
  for (const Json& hop : json::arrayIn(value, "hops")) {
    if (row.hops.size() < kMostHops) row.hops.push_back(hopOf(hop));
  }
  row.longestStep = longestStep(row.hops);
  if (row.status != CheckStatus::unknown && lacksFigures(row)) {
    row.status = CheckStatus::unknown;
    row.reason = UnknownReason::notReported;
  }
  return row;
}

}  // namespace

std::optional<HostCheckup> parseCheckup(std::string_view text) {
  if (text.size() > kMostCheckupDocumentBytes) return std::nullopt;
  const auto document = json::parseDocument(text, "tcpscope.checkup");
  // An hour is the longest that the option takes.
  const auto window = document ? numberIn(*document, "window_s", 0.0, 7200.0) : std::nullopt;
  if (!window || !json::hasArray(*document, "checks")) return std::nullopt;
  HostCheckup checkup;
  checkup.window = Nanoseconds(std::llround(*window * 1e9));
  for (const Json& value : json::arrayIn(*document, "checks")) {
    auto row = checkup.rows.size() < kMostRows ? rowOf(value) : std::nullopt;
    if (row) {
      checkup.rows.push_back(std::move(*row));
    } else {
      ++checkup.leftOut;
    }
  }
  return checkup;
}

}  // namespace tcpscope
