// The keys of [path], [access NAME] and their directions.
#include <algorithm>
#include <array>

#include "app/lab/scenario/scenario_keys.h"

namespace tcpscope::lab {

namespace {

template <class Value, auto Member>
constexpr KeyRow<LinkSettings> row(std::string_view key) {
  return memberRow<Value, Member, LinkSettings>(key);
}

// --- queue

bool readQueue(LinkSettings& link, std::string_view text) {
  const auto size = readSize(text);
  if (size) link.queue.limit = *size;
  return size.has_value();
}

std::optional<std::string> writeQueue(const LinkSettings& link) {
  if (link.queue.limit == QueueSettings().limit) return std::nullopt;
  return sizeText(link.queue.limit);
}

bool readDiscipline(LinkSettings& link, std::string_view text) {
  if (text == "drop_tail") {
    link.queue.discipline = DropTail{};
  } else if (text == "policer") {
    link.queue.discipline = Policer{};
  } else if (text == "red") {
    if (!std::holds_alternative<RandomEarlyDetection>(link.queue.discipline)) {
      link.queue.discipline = RandomEarlyDetection{};
    }
  } else {
    return false;
  }
  return true;
}

std::optional<std::string> writeDiscipline(const LinkSettings& link) {
  if (std::holds_alternative<Policer>(link.queue.discipline)) return "policer";
  if (std::holds_alternative<RandomEarlyDetection>(link.queue.discipline)) return "red";
  return std::nullopt;
}

/// A setting of RED makes the queue a RED queue.
template <class Value, auto Member>
constexpr KeyRow<LinkSettings> redRow(std::string_view key) {
  const auto read = [](LinkSettings& link, std::string_view text) {
    const auto value = Value::kRead(text);
    if (!value) return false;
    if (!std::holds_alternative<RandomEarlyDetection>(link.queue.discipline)) {
      link.queue.discipline = RandomEarlyDetection{};
    }
    std::get<RandomEarlyDetection>(link.queue.discipline).*Member = *value;
    return true;
  };
  const auto write = [](const LinkSettings& link) -> std::optional<std::string> {
    const auto* const red = std::get_if<RandomEarlyDetection>(&link.queue.discipline);
    if (red == nullptr || red->*Member == RandomEarlyDetection().*Member) return std::nullopt;
    return Value::kWrite(red->*Member);
  };
  return {key, Value::kAllowed, read, write};
}

// --- loss

bool readLoss(LinkSettings& link, std::string_view text) {
  if (text == "none") {
    link.loss = std::monostate{};
    return true;
  }
  const auto ratio = readShare(text);
  if (ratio) link.loss = BernoulliLoss{*ratio};
  return ratio.has_value();
}

std::optional<std::string> writeLoss(const LinkSettings& link) {
  const auto* const loss = std::get_if<BernoulliLoss>(&link.loss);
  return loss == nullptr ? std::nullopt : std::optional(shareText(loss->ratio));
}

/// A setting of bursts makes the loss one of bursts.
template <auto Member>
constexpr KeyRow<LinkSettings> burstRow(std::string_view key) {
  const auto read = [](LinkSettings& link, std::string_view text) {
    const auto value = readShare(text);
    if (!value) return false;
    if (!std::holds_alternative<GilbertElliottLoss>(link.loss)) link.loss = GilbertElliottLoss{};
    std::get<GilbertElliottLoss>(link.loss).*Member = *value;
    return true;
  };
  const auto write = [](const LinkSettings& link) -> std::optional<std::string> {
    const auto* const loss = std::get_if<GilbertElliottLoss>(&link.loss);
    return loss == nullptr ? std::nullopt : std::optional(shareText(loss->*Member));
  };
  return {key, kShareAllowed, read, write};
}

bool readLossPackets(LinkSettings& link, std::string_view text) {
  ScriptedLoss loss;
  for (const std::string& part : listParts(text)) {
    const auto number = readCount(part);
    if (!number || *number == 0) return false;
    loss.packets.push_back(*number);
  }
  if (loss.packets.empty() || !std::is_sorted(loss.packets.begin(), loss.packets.end())) return false;
  link.loss = std::move(loss);
  return true;
}

std::optional<std::string> writeLossPackets(const LinkSettings& link) {
  const auto* const loss = std::get_if<ScriptedLoss>(&link.loss);
  if (loss == nullptr) return std::nullopt;
  std::vector<std::string> parts;
  for (const std::uint64_t packet : loss->packets) parts.push_back(std::to_string(packet));
  return listText(parts);
}

constexpr std::array kRows = {
    row<RateValue, &LinkSettings::rate>("rate"),
    row<TimeValue, &LinkSettings::delay>("delay"),
    row<TimeValue, &LinkSettings::jitter>("jitter"),
    KeyRow<LinkSettings>{"queue", kSizeAllowed, readQueue, writeQueue},
    KeyRow<LinkSettings>{"queue_discipline", "drop_tail, red or policer", readDiscipline, writeDiscipline},
    redRow<SizeValue, &RandomEarlyDetection::minimum>("red_minimum"),
    redRow<SizeValue, &RandomEarlyDetection::maximum>("red_maximum"),
    redRow<ShareValue, &RandomEarlyDetection::maximumRatio>("red_maximum_ratio"),
    redRow<ShareValue, &RandomEarlyDetection::weight>("red_weight"),
    redRow<ChoiceValue, &RandomEarlyDetection::marksEcn>("red_marks_ecn"),
    KeyRow<LinkSettings>{"loss", "a share of the packets such as 0.1 %, or none", readLoss, writeLoss},
    burstRow<&GilbertElliottLoss::goodToBad>("burst_begins"),
    burstRow<&GilbertElliottLoss::badToGood>("burst_ends"),
    burstRow<&GilbertElliottLoss::lossInBad>("burst_loss"),
    burstRow<&GilbertElliottLoss::lossInGood>("burst_loss_outside"),
    KeyRow<LinkSettings>{"loss_packets", "numbers of packets from 1, rising, such as 10, 11, 40", readLossPackets,
                         writeLossPackets},
    row<ChoiceValue, &LinkSettings::lossSparesControl>("loss_spares_control"),
    row<ShareValue, &LinkSettings::reorderingRatio>("reordering"),
    row<TimeValue, &LinkSettings::reorderingDelay>("reordering_delay"),
    row<ShareValue, &LinkSettings::duplicationRatio>("duplication"),
    row<SizeValue, &LinkSettings::mtu>("mtu"),
    row<ChoiceValue, &LinkSettings::mtuIsSilent>("mtu_is_silent"),
    row<TimeValue, &LinkSettings::breaksAfter>("breaks_after"),
};

}  // namespace

std::span<const KeyRow<LinkSettings>> linkKeys() {
  return kRows;
}

}  // namespace tcpscope::lab
