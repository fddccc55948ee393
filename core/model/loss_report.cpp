#include "core/model/loss_report.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/model/source_event.h"

namespace tcpscope {

namespace {

// The payload: which of the parts follow, then the numbers in little-endian order, then the reason's name.
enum Part : std::uint8_t {
  kHasNamespace = 1,
  kIsElsewhere = 2,
  kHasReason = 4,
  kHasMatch = 8,
  kHasDropNamespace = 16,
};
constexpr std::uint8_t kAllParts = 31;
constexpr std::size_t kLongestName = 64;

class PayloadWriter {
public:
  template <class Number>
  void number(Number value) {
    for (std::size_t octet = 0; octet < sizeof value; ++octet)
      m_bytes.push_back(static_cast<std::byte>(value >> 8 * octet));
  }
  void text(std::string_view text) {
    std::transform(text.begin(), text.end(), std::back_inserter(m_bytes),
                   [](char letter) { return static_cast<std::byte>(letter); });
  }
  std::vector<std::byte> take() { return std::move(m_bytes); }

private:
  std::vector<std::byte> m_bytes;
};

/// Gives zeros behind the end.
class PayloadReader {
public:
  explicit PayloadReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  template <class Number>
  Number number() {
    Number value = 0;
    const auto bytes = next(sizeof value);
    for (std::size_t octet = 0; octet < bytes.size(); ++octet) {
      value = static_cast<Number>(value | std::to_integer<Number>(bytes[octet]) << 8 * octet);
    }
    return value;
  }
  std::string rest() {
    std::string text;
    for (const std::byte letter : next(m_bytes.size())) text += static_cast<char>(letter);
    return text;
  }
  [[nodiscard]] bool isBehindEnd() const { return m_isBehindEnd; }

private:
  std::span<const std::byte> next(std::size_t size) {
    m_isBehindEnd = m_isBehindEnd || size > m_bytes.size();
    if (m_isBehindEnd) return {};
    const auto taken = m_bytes.first(size);
    m_bytes = m_bytes.subspan(size);
    return taken;
  }

  std::span<const std::byte> m_bytes;
  bool m_isBehindEnd = false;
};

bool isReasonName(std::string_view name) {
  return name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char letter) {
           return (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') || letter == '_';
         });
}

std::uint8_t partsOf(const LossReport& report) {
  unsigned parts = 0;
  if (report.networkNamespace) parts |= kHasNamespace;
  if (report.isElsewhere) parts |= kIsElsewhere;
  if (report.reason) parts |= kHasReason;
  if (report.match) parts |= kHasMatch;
  if (report.match && report.match->networkNamespace) parts |= kHasDropNamespace;
  return static_cast<std::uint8_t>(parts);
}

}  // namespace

std::vector<std::byte> encodeLossReport(const LossReport& report) {
  PayloadWriter writer;
  writer.number(partsOf(report));
  writer.number(report.sequence);
  writer.number(report.sequenceLength);
  if (report.networkNamespace) writer.number(*report.networkNamespace);
  if (report.match) {
    writer.number(report.match->droppedLength);
    writer.number(static_cast<std::uint64_t>(std::max<std::int64_t>(report.match->completeFor.count(), 0)));
    if (report.match->networkNamespace) writer.number(*report.match->networkNamespace);
  }
  if (report.reason) {
    writer.number(report.reason->number);
    if (isReasonName(report.reason->name)) writer.text(report.reason->name);
  }
  return writer.take();
}

std::optional<LossReport> decodeLossReport(std::span<const std::byte> payload) {
  PayloadReader reader(payload);
  const auto parts = reader.number<std::uint8_t>();
  const auto has = [parts](Part part) { return (parts & part) != 0; };
  if ((parts & ~kAllParts) != 0 || (has(kHasDropNamespace) && !has(kHasMatch))) return std::nullopt;
  LossReport report;
  report.isElsewhere = has(kIsElsewhere);
  report.sequence = reader.number<std::uint32_t>();
  report.sequenceLength = reader.number<std::uint32_t>();
  if (has(kHasNamespace)) report.networkNamespace = reader.number<std::uint32_t>();
  if (has(kHasMatch)) {
    DropMatch& match = report.match.emplace();
    match.droppedLength = reader.number<std::uint32_t>();
    const auto completeFor = reader.number<std::uint64_t>();
    if (completeFor > INT64_MAX || match.droppedLength > report.sequenceLength) return std::nullopt;
    match.completeFor = Nanoseconds(static_cast<std::int64_t>(completeFor));
    if (has(kHasDropNamespace)) match.networkNamespace = reader.number<std::uint32_t>();
  }
  if (has(kHasReason)) {
    DropReason& reason = report.reason.emplace();
    reason.number = reader.number<std::uint32_t>();
    reason.name = reader.rest();
    if (!isReasonName(reason.name)) return std::nullopt;
  } else if (!reader.rest().empty()) {
    return std::nullopt;
  }
  return reader.isBehindEnd() ? std::nullopt : std::optional(report);
}

std::optional<LossReport> lossReportOf(const SourceEvent& event) {
  if (event.kind == HistoryEventKind::localDrop) {
    auto report = decodeLossReport(event.payload);
    return report && report->reason ? report : std::nullopt;
  }
  if (event.kind != HistoryEventKind::retransmission) return std::nullopt;
  auto report = decodeLossReport(event.payload);
  return report && report->match ? report : std::nullopt;
}

}  // namespace tcpscope
