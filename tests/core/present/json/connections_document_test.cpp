#include "core/present/json/connections_document.h"
#include "core/diagnosis/bounds/loss_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/json_schema.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using nlohmann::json;
using test::ObservationBuilder;

constexpr WallTime kTime = WallTime::fromNanoseconds(1'767'323'045'000'006'789);

std::shared_ptr<ConnectionDetail> detailOf(const ObservationBuilder& builder) {
  auto detail = std::make_shared<ConnectionDetail>();
  detail->socket = builder.build();
  return detail;
}

SideDiagnosis receiverLimited() {
  SideDiagnosis side;
  side.side = Side::sending;
  side.goodput = BitsPerSecond(12e6);
  side.limits.add(Limit::receiver, std::chrono::milliseconds(3000));
  side.limits.add(Limit::idle, std::chrono::milliseconds(1000));
  side.verdict.limit = Limit::receiver;
  side.verdict.cause = Cause::bufferLimit;
  side.verdict.confidenceRatio = 0.9;
  side.verdict.goodput = BitsPerSecond(12e6);
  side.verdict.next = NextLimit{BitsPerSecond(94e6), {}, {}, {}};
  side.verdict.evidence = {{"rwnd_limited_ratio", 0.75, 0.5, ""}, {"snd_wnd_bytes", 65535, 262144, "in_flight_bytes"}};
  side.bounds = {{BoundModel::receiverWindow, BitsPerSecond(12.5e6), true, WhyNoBound::none},
                 {BoundModel::pacing, BitsPerSecond::unlimited(), false, WhyNoBound::unlimited},
                 {BoundModel::mathis, std::nullopt, false, WhyNoBound::noLossSeen}};
  side.findings = {{RuleId::receiverWindowTooSmall, FindingSeverity::problem, 0.9, side.verdict.evidence}};
  return side;
}

/// Everything that the document can hold.
ConnectionsDocument fullDocument() {
  ConnectionsDocument document;
  document.time = kTime;
  document.places = {{PlaceId{0}, UntrustedText("web1"), "0f0e0d", "4026531840", UntrustedText("6.18.1")}};
  document.gaps = {{PlaceId{0}, GapKind::receiveBufferOverflow, 3}};
  ListenerRow listener;
  listener.id = {PlaceId{0}, 9};
  listener.local = {IpAddress::parse("::").value(), 443};
  listener.acceptQueue = 5;
  listener.backlog = 4096;
  listener.findings = {{RuleId::acceptQueueOverflow, FindingSeverity::warning, 0.8, {}}};
  document.listeners = {listener};

  auto detail = detailOf(ObservationBuilder().cookie(0x1a2b).receiveMemory(1, 2));
  auto owner = std::make_shared<Owner>();
  owner->pid = 4711;
  owner->processName = UntrustedText("nginx");
  owner->userName = UntrustedText("www-data");
  owner->unitOrContainer = UntrustedText("nginx.service");
  detail->owner = owner;
  detail->diagnosis.sending = receiverLimited();
  detail->diagnosis.receiving = SideDiagnosis{};
  detail->diagnosis.receiving->side = Side::receiving;
  detail->diagnosis.bulk = Side::sending;
  detail->diagnosis.verdict = detail->diagnosis.sending->verdict;
  document.connections = {detail};
  return document;
}

json firstConnection(const ConnectionsDocument& document) {
  return json::parse(toJson(document)).at("connections").at(0);
}

TEST(ConnectionsDocument, ConformsToItsSchema) {
  EXPECT_TRUE(test::conformsTo(connectionsSchema(), toJson(fullDocument())));
  EXPECT_TRUE(test::conformsTo(connectionsSchema(), toJson(ConnectionsDocument{})));
}

TEST(ConnectionsDocument, TheSchemaRefusesOtherDocuments) {
  json wrong = json::parse(toJson(fullDocument()));
  wrong["connections"][0]["sending"]["verdict"]["limit"] = "gremlins";
  EXPECT_FALSE(test::conformsTo(connectionsSchema(), wrong.dump()));
  wrong = json::parse(toJson(fullDocument()));
  wrong["connections"][0]["sending"]["limits"]["idle_ratio"] = 1.5;
  EXPECT_FALSE(test::conformsTo(connectionsSchema(), wrong.dump()));
  wrong = json::parse(toJson(fullDocument()));
  wrong["places"][0].erase("kernel");
  EXPECT_FALSE(test::conformsTo(connectionsSchema(), wrong.dump()));
}

TEST(ConnectionsDocument, BeginsWithItsNameAndVersionAndEndsWithALine) {
  const std::string text = toJson(ConnectionsDocument{});
  EXPECT_TRUE(text.starts_with(R"({"schema":"tcpscope.connections","schema_version":1,"time":"1970-01-01T00:00:00)"));
  EXPECT_TRUE(text.ends_with("}\n"));
}

TEST(ConnectionsDocument, IsTheSameInPieces) {
  ConnectionsDocument document = fullDocument();
  document.connections.push_back(document.connections.front());
  ConnectionsDocumentPieces pieces;
  std::string text = pieces.begin(document);
  for (const auto& detail : document.connections) text += pieces.connection(*detail);
  text += ConnectionsDocumentPieces::end();
  EXPECT_TRUE(test::conformsTo(connectionsSchema(), text));
  EXPECT_EQ(json::parse(text).at("connections").size(), 2U);
  EXPECT_EQ(text, toJson(document));
}

TEST(ConnectionsDocument, WritesTimeInUtcToTheMicrosecond) {
  EXPECT_EQ(json::parse(toJson(fullDocument())).at("time"), "2026-01-02T03:04:05.000006Z");
}

TEST(ConnectionsDocument, NamesPlacesGapsAndListeners) {
  const json document = json::parse(toJson(fullDocument()));
  EXPECT_EQ(document.at("places").at(0), json::parse(R"({"id": "0", "host": "web1", "boot_id": "0f0e0d",
            "network_namespace": "4026531840", "kernel": "6.18.1"})"));
  EXPECT_EQ(document.at("gaps").at(0), json::parse(R"({"place": "0", "kind": "receive_buffer_overflow", "count": 3,
            "severity": "data_loss"})"));
  const json& listener = document.at("listeners").at(0);
  EXPECT_EQ(listener.at("local"), "[::]:443");
  EXPECT_EQ(listener.at("accept_queue"), 5);
  EXPECT_EQ(listener.at("backlog"), 4096);
  EXPECT_FALSE(listener.contains("process"));
  EXPECT_EQ(listener.at("findings").at(0).at("rule"), "accept_queue_overflow");
}

TEST(ConnectionsDocument, SaysWhoTheConnectionIs) {
  const json connection = firstConnection(fullDocument());
  EXPECT_EQ(connection.at("id"), "0:1a2b");
  EXPECT_EQ(connection.at("place"), "0");
  EXPECT_EQ(connection.at("local"), "192.0.2.1:50000");
  EXPECT_EQ(connection.at("remote"), "198.51.100.2:443");
  EXPECT_EQ(connection.at("state"), "ESTABLISHED");
  EXPECT_EQ(connection.at("congestion_control"), "cubic");
  EXPECT_EQ(connection.at("process"), json::parse(R"({"pid": 4711, "name": "nginx", "user": "www-data",
            "unit_or_container": "nginx.service"})"));
  EXPECT_EQ(connection.at("options"), json::parse(R"({"sack": true, "timestamps": true, "send_window_scale": 7,
            "receive_window_scale": 7, "mss_bytes": 1448, "ecn": false})"));
}

TEST(ConnectionsDocument, LeavesOutWhatIsNotKnown) {
  ConnectionsDocument document;
  ObservationBuilder builder;
  document.connections = {detailOf(builder.congestionControl("").reportedBytes(104))};
  const json connection = firstConnection(document);
  for (const char* key : {"process", "congestion_control", "sending", "receiving", "group", "closed"}) {
    EXPECT_FALSE(connection.contains(key)) << key;
  }
  EXPECT_TRUE(connection.at("metrics").contains("total_retrans_segments"));
  for (const char* key :
       {"bytes_acked", "snd_wnd_bytes", "rcvbuf_bytes", "send_goodput_bps", "snd_ssthresh_segments"}) {
    EXPECT_FALSE(connection.at("metrics").contains(key)) << key;
  }
  document.connections = {detailOf(builder.state(TcpState::timeWait).reportedBytes(0))};
  EXPECT_FALSE(firstConnection(document).contains("options"));
  EXPECT_TRUE(test::conformsTo(connectionsSchema(), toJson(document)));
}

TEST(ConnectionsDocument, HasNoWindowScalesWhereScalingIsOff) {
  ConnectionsDocument document;
  document.connections = {detailOf(ObservationBuilder().options(0x2).windowScales(0, 0))};
  const json options = firstConnection(document).at("options");
  EXPECT_EQ(options.at("sack"), true);
  EXPECT_FALSE(options.contains("send_window_scale"));
  EXPECT_FALSE(options.contains("receive_window_scale"));
}

TEST(ConnectionsDocument, WritesFiguresInBaseUnits) {
  ConnectionsDocument document;
  ObservationBuilder builder;
  builder.deliveryRate(BitsPerSecond(8e6)).applicationLimited(true).acked((1ULL << 53) - 1);
  document.connections = {detailOf(builder)};
  const json metrics = firstConnection(document).at("metrics");
  EXPECT_EQ(metrics.at("rtt_us"), 20'000);
  EXPECT_TRUE(metrics.at("rtt_us").is_number_integer());
  EXPECT_EQ(metrics.at("bytes_acked"), (1ULL << 53) - 1);
  EXPECT_EQ(metrics.at("delivery_rate_bps"), 8'000'000);
  EXPECT_EQ(metrics.at("delivery_rate_app_limited"), true);
  EXPECT_EQ(metrics.at("max_pacing_rate_bps"), "unlimited");
  EXPECT_EQ(metrics.at("state"), "ESTABLISHED");
  EXPECT_EQ(metrics.at("ca_state"), "open");
}

TEST(ConnectionsDocument, SaysWhereTheRttIsOld) {
  const auto connectionOf = [](ObservationBuilder builder) {
    ConnectionsDocument document;
    document.connections = {detailOf(builder)};
    return firstConnection(document);
  };
  ObservationBuilder receiver;
  receiver.set(tcp_info::kLastDataSent, 45'000U).set(tcp_info::kLastDataRecv, 10U);
  EXPECT_EQ(connectionOf(receiver).at("rtt_is_old"), true);
  ObservationBuilder sender;
  sender.set(tcp_info::kLastDataSent, 10U).set(tcp_info::kLastDataRecv, 10U);
  EXPECT_FALSE(connectionOf(sender).contains("rtt_is_old"));
}

TEST(ConnectionsDocument, GivesAdviceWhereItWasAskedFor) {
  ConnectionsDocument document = fullDocument();
  Remedy remedy;
  remedy.id = RemedyId::receiverElsewhere;
  remedy.place = RemedyPlace::peer;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::sysctl, "net.ipv4.tcp_rmem", "4096 65536 65536", "4096 65536 524288"}};
  remedy.gain = {BitsPerSecond(12e6), BitsPerSecond(94e6), GainReason::targetRate};
  remedy.memoryPerConnection = Bytes(524'288);
  remedy.connectionsThatFit = 7;
  remedy.evidence = {{"rtt_us", 20'000, std::nullopt, {}}};
  remedy.preconditions = {Precondition::settingsUnknown};
  remedy.confidenceRatio = 0.9;
  document.advice.resize(1);
  document.advice[0].sending = SideAdvice{{remedy}, WhyNoAdvice::none, lossBudget(BitsPerSecond(100e6), 0.02, 1448)};
  document.advice[0].sending->target =
      TargetCheck{BitsPerSecond(100e6),
                  0.02,
                  {{TargetPart::receiveWindow, TargetOutcome::fails, 65'536.0, 250'000.0},
                   {TargetPart::sendBuffer, TargetOutcome::unknown, std::nullopt, 250'000.0}}};
  document.advice[0].sending->transferTimeRatio = 1.25;
  document.advice[0].receiving = SideAdvice{{}, WhyNoAdvice::verdictUnknown};
  EXPECT_TRUE(test::conformsTo(connectionsSchema(), toJson(document)));
  const json connection = firstConnection(document);
  const json& advice = connection.at("sending").at("advice").at(0);
  EXPECT_EQ(advice.at("remedy"), "receiver_elsewhere");
  EXPECT_EQ(advice.at("changes").at(0).at("wanted"), "4096 65536 524288");
  EXPECT_EQ(advice.at("gain").at("to_bps"), 94'000'000);
  EXPECT_EQ(advice.at("memory_per_connection_bytes"), 524'288);
  EXPECT_TRUE(advice.contains("letter"));
  const json& target = connection.at("sending").at("target");
  EXPECT_EQ(target.at("outcome"), "fails");
  EXPECT_EQ(target.at("parts").at(0).at("has"), 65'536);
  EXPECT_FALSE(target.at("parts").at(1).contains("has"));
  EXPECT_EQ(target.at("text"),
            "100 Mbit/s over 20.0 ms would not pass: the receive window covers 64.0 KiB of the 244 KiB that have to "
            "be in flight.");
  EXPECT_EQ(connection.at("sending").at("rfc6349").at("transfer_time_ratio"), 1.25);
  EXPECT_EQ(connection.at("receiving").at("why_no_advice").at("reason"), "verdict_unknown");
  EXPECT_FALSE(firstConnection(fullDocument()).at("sending").contains("advice"));
}

TEST(ConnectionsDocument, GivesLimitsBoundsAndTheVerdict) {
  const json connection = firstConnection(fullDocument());
  const json& sending = connection.at("sending");
  EXPECT_EQ(sending.at("goodput_bps"), 12'000'000);
  EXPECT_EQ(sending.at("limits").at("window_s"), 4.0);
  EXPECT_EQ(sending.at("limits").at("receiver_ratio"), 0.75);
  EXPECT_EQ(sending.at("limits").at("idle_ratio"), 0.25);
  EXPECT_EQ(sending.at("bounds").at(0),
            json::parse(R"({"model": "receiver_window", "rate_bps": 12500000, "applies": true})"));
  EXPECT_EQ(sending.at("bounds").at(1).at("rate_bps"), "unlimited");
  EXPECT_EQ(sending.at("bounds").at(2).at("why_not"), "no_loss_seen");
  EXPECT_FALSE(sending.at("bounds").at(2).contains("rate_bps"));
  const json& verdict = sending.at("verdict");
  EXPECT_EQ(verdict.at("limit"), "receiver");
  EXPECT_EQ(verdict.at("cause"), "buffer_limit");
  EXPECT_EQ(verdict.at("confidence_ratio"), 0.9);
  EXPECT_EQ(sending.at("next_limit"), json::parse(R"({"rate_bps": 94000000, "method": "bound"})"));
  EXPECT_EQ(verdict.at("evidence").at(0),
            json::parse(R"({"metric": "rwnd_limited_ratio", "value": 0.75, "compared_with": 0.5})"));
  EXPECT_EQ(verdict.at("evidence").at(1).at("compared_with_metric"), "in_flight_bytes");
  EXPECT_EQ(sending.at("findings").at(0).at("severity"), "problem");
}

TEST(ConnectionsDocument, CopiesTheVerdictOfTheBulkSide) {
  ConnectionsDocument document = fullDocument();
  EXPECT_EQ(firstConnection(document).at("verdict"), firstConnection(document).at("sending").at("verdict"));
}

TEST(ConnectionsDocument, HasAVerdictAlsoWhereNoDataFlowed) {
  ConnectionsDocument document;
  auto detail = detailOf(ObservationBuilder());
  detail->diagnosis.verdict.limit = Limit::idle;
  document.connections = {detail};
  EXPECT_EQ(firstConnection(document).at("verdict").at("limit"), "idle");
  EXPECT_TRUE(test::conformsTo(connectionsSchema(), toJson(document)));
}

TEST(ConnectionsDocument, SharesAddUpToOneEvenWhereNothingWasObserved) {
  const json connection = firstConnection(fullDocument());
  for (const char* side : {"sending", "receiving"}) {
    double sum = 0.0;
    for (const auto& [key, value] : connection.at(side).at("limits").items()) {
      if (key != "window_s") sum += value.get<double>();
    }
    EXPECT_NEAR(sum, 1.0, 1e-9) << side;
  }
  EXPECT_EQ(connection.at("receiving").at("limits").at("unknown_ratio"), 1.0);
}

TEST(ConnectionsDocument, TakesTheSharpnessOutOfHostileNames) {
  ConnectionsDocument document = fullDocument();
  auto owner = std::make_shared<Owner>();
  owner->pid = 1;
  owner->processName = UntrustedText("a\"},\n\x1b[31m\xff\u202e<b>");
  auto detail = std::make_shared<ConnectionDetail>(*document.connections[0]);
  detail->owner = owner;
  document.connections = {detail};
  const std::string text = toJson(document);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
  EXPECT_EQ(json::parse(text).at("connections").at(0).at("process").at("name"), "a\"},[31m\uFFFD<b>");
}

TEST(ConnectionsDocument, LeavesOutEvidenceWithoutANumber) {
  ConnectionsDocument document = fullDocument();
  auto detail = std::make_shared<ConnectionDetail>(*document.connections[0]);
  detail->diagnosis.sending->verdict.evidence = {{"rtt_us", std::numeric_limits<double>::quiet_NaN(), NAN, ""}};
  document.connections = {detail};
  EXPECT_EQ(firstConnection(document).at("sending").at("verdict").at("evidence").at(0),
            json::parse(R"({"metric": "rtt_us"})"));
}

TEST(SampleLine, ConformsToItsSchemaOnOneLine) {
  const auto detail = detailOf(ObservationBuilder().cookie(3));
  for (const SampleEvent event : {SampleEvent::sample, SampleEvent::opened, SampleEvent::closed}) {
    const std::string line = toJsonLine(*detail, event, kTime);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_TRUE(test::conformsTo(sampleSchema(), line));
  }
  const json line = json::parse(toJsonLine(*detail, SampleEvent::closed, kTime));
  EXPECT_EQ(line.at("schema"), "tcpscope.sample");
  EXPECT_EQ(line.at("event"), "closed");
  EXPECT_EQ(line.at("id"), "0:3");
  EXPECT_EQ(line.at("place"), "0");
  EXPECT_EQ(line.at("metrics").at("rtt_us"), 20'000);
}

TEST(SampleLine, ReportsAGapAtAPlace) {
  const std::string line = toJsonLine(CollectionGap{PlaceId{2}, GapKind::receiveBufferOverflow, 7}, kTime);
  EXPECT_TRUE(test::conformsTo(sampleSchema(), line));
  const json gap = json::parse(line);
  EXPECT_EQ(gap.at("event"), "gap");
  EXPECT_EQ(gap.at("place"), "2");
  EXPECT_EQ(gap.at("gap"), json::parse(R"({"kind": "receive_buffer_overflow", "count": 7, "severity": "data_loss"})"));
}

TEST(SampleLine, ReportsAChangedSettingWithoutItsControlCharacters) {
  ChangeMark mark{{}, ConnectionId{PlaceId{2}, 3}, UntrustedText("SO_SNDBUF"), {}, UntrustedText("131072\x1b[31m")};
  const std::string line = toJsonLine(mark, PlaceId{2}, kTime);
  EXPECT_TRUE(test::conformsTo(sampleSchema(), line));
  const json change = json::parse(line);
  EXPECT_EQ(change.at("id"), "2:3");
  EXPECT_EQ(change.at("change").at("key"), "SO_SNDBUF");
  EXPECT_FALSE(change.at("change").contains("before"));
  EXPECT_EQ(change.at("change").at("after").get<std::string>().find('\x1b'), std::string::npos);
  mark.connection.reset();
  EXPECT_FALSE(json::parse(toJsonLine(mark, PlaceId{2}, kTime)).contains("id"));
}

}  // namespace
}  // namespace tcpscope
