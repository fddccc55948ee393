// The keys of [traffic NAME].
#include <algorithm>
#include <array>

#include "app/lab/scenario/scenario_keys.h"

namespace tcpscope::lab {

namespace {

struct KindName {
  TrafficKind kind;
  std::string_view name;
};

constexpr std::array kKinds = {
    KindName{TrafficKind::bulk, "bulk"},
    KindName{TrafficKind::paced, "paced"},
    KindName{TrafficKind::requestResponse, "request_response"},
    KindName{TrafficKind::pausing, "pausing"},
    KindName{TrafficKind::silent, "silent"},
    KindName{TrafficKind::messages, "messages"},
};

bool readKind(TrafficSettings& traffic, std::string_view text) {
  const auto row = std::find_if(kKinds.begin(), kKinds.end(), [&](const KindName& one) { return one.name == text; });
  if (row == kKinds.end()) return false;
  traffic.kind = row->kind;
  return true;
}

std::optional<std::string> writeKind(const TrafficSettings& traffic) {
  const auto row =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const KindName& one) { return one.kind == traffic.kind; });
  return std::string(row->name);
}

/// From 1, as it is without the key, to `Most`.
template <auto Member, std::size_t Most>
constexpr KeyRow<TrafficSettings> countRow(std::string_view key, std::string_view allowed) {
  const auto read = [](TrafficSettings& traffic, std::string_view text) {
    const auto count = readCount(text);
    if (!count || *count == 0 || *count > Most) return false;
    traffic.*Member = *count;
    return true;
  };
  const auto write = [](const TrafficSettings& traffic) {
    return traffic.*Member == 1 ? std::nullopt : std::optional(std::to_string(traffic.*Member));
  };
  return {key, allowed, read, write};
}

template <class Value, auto Member>
constexpr KeyRow<TrafficSettings> trafficRow(std::string_view key) {
  return memberRow<Value, Member, TrafficSettings>(key);
}

constexpr std::array kTrafficRows = {
    trafficRow<NameValue, &TrafficSettings::from>("from"),
    trafficRow<NameValue, &TrafficSettings::to>("to"),
    KeyRow<TrafficSettings>{"kind", "bulk, paced, request_response, pausing, silent or messages", readKind, writeKind},
    trafficRow<ChoiceValue, &TrafficSettings::ipv6>("ipv6"),
    countRow<&TrafficSettings::streams, 256>("streams", "a number of connections from 1 to 256"),
    trafficRow<NameValue, &TrafficSettings::congestionControl>("congestion_control"),
    trafficRow<SizeValue, &TrafficSettings::sendBuffer>("send_buffer"),
    trafficRow<SizeValue, &TrafficSettings::receiveBuffer>("receive_buffer"),
    trafficRow<SizeValue, &TrafficSettings::windowClamp>("window_clamp"),
    trafficRow<SizeValue, &TrafficSettings::lateWindowClamp>("late_window_clamp"),
    trafficRow<SizeValue, &TrafficSettings::maximumSegment>("maximum_segment"),
    trafficRow<RateValue, &TrafficSettings::pacingRate>("pacing_rate"),
    trafficRow<SizeValue, &TrafficSettings::greeting>("greeting"),
    trafficRow<SizeValue, &TrafficSettings::writeSize>("write_size"),
    countRow<&TrafficSettings::writesPerRequest, 64>("writes_per_request", "a number of calls from 1 to 64"),
    countRow<&TrafficSettings::requestsInFlight, 4096>("requests_in_flight", "a number of requests from 1 to 4096"),
    trafficRow<TimeValue, &TrafficSettings::answerTime>("answer_time"),
    trafficRow<ChoiceValue, &TrafficSettings::noDelay>("no_delay"),
    trafficRow<TimeValue, &TrafficSettings::writeRest>("write_rest"),
    trafficRow<SizeValue, &TrafficSettings::readSize>("read_size"),
    trafficRow<TimeValue, &TrafficSettings::readRest>("read_rest"),
    trafficRow<ChoiceValue, &TrafficSettings::starvedReader>("starved_reader"),
    trafficRow<SizeValue, &TrafficSettings::bytes>("bytes"),
    trafficRow<CountValue, &TrafficSettings::messages>("messages"),
    trafficRow<ChoiceValue, &TrafficSettings::countsAsOne>("counts_as_one"),
    trafficRow<TimeValue, &TrafficSettings::start>("start"),
};

}  // namespace

std::span<const KeyRow<TrafficSettings>> trafficKeys() {
  return kTrafficRows;
}

}  // namespace tcpscope::lab
