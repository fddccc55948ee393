#include "core/present/json/tune_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

using nlohmann::json;

std::string documentOf(const TuneReport& report) {
  const Place place{PlaceId{0}, UntrustedText("host"), "3718446b-17c4-4e19-8e90-73bdad938571", "4026531833",
                    UntrustedText("6.18.1")};
  SocketObservation socket;
  socket.id = {PlaceId{0}, 0x1a2b};
  socket.state = TcpState::established;
  const Owner owner{4711, UntrustedText("curl\x1b[31m"), std::nullopt, std::nullopt};
  return toJson({place, socket, &owner, report, WallTime::fromNanoseconds(0)});
}

TuneReport tuned() {
  TuneReport report;
  report.action = TuneAction::tune;
  report.values[SocketOption::sendBuffer] = {8 << 20, {}};
  report.values[SocketOption::bufferLock] = {kSendBufferLock, {}};
  report.values[SocketOption::congestionControl] = {0, CongestionControlName("bbr")};
  report.values[SocketOption::maxPacingRate] = {12'500'000, {}};
  report.values[SocketOption::userTimeout] = {1'500, {}};
  report.values[SocketOption::noDelay] = {1, {}};
  report.record.options = {{SocketOption::sendBuffer, {131'072, {}}, OptionValue{8 << 20, {}}},
                           {SocketOption::maxPacingRate, {kUnlimited, {}}, OptionValue{12'500'000, {}}}};
  report.changes = {{SocketOption::sendBuffer, OptionValue{131'072, {}}, {32 << 20, {}}, OptionValue{8 << 20, {}}}};
  report.leftAlone = {{SocketOption::noDelay, {0, {}}, OptionValue{0, {}}}};
  report.notes = {{TuneNoteKind::capped, SocketOption::sendBuffer, 8 << 20}};
  return report;
}

TEST(TuneDocument, ConformsToItsSchema) {
  EXPECT_TRUE(test::conformsTo(tuneSchema(), documentOf({})));
  EXPECT_TRUE(test::conformsTo(tuneSchema(), documentOf(tuned()))) << documentOf(tuned());
}

TEST(TuneDocument, HasTheTimeLeftOfATrial) {
  TuneReport report = tuned();
  EXPECT_FALSE(json::parse(documentOf(report)).contains("reverts_in_s"));
  EXPECT_FALSE(readTuneReport(documentOf(report))->revertsIn);
  report.action = TuneAction::confirm;
  report.revertsIn = Milliseconds(41'100);
  const std::string document = documentOf(report);
  EXPECT_TRUE(test::conformsTo(tuneSchema(), document)) << document;
  EXPECT_EQ(json::parse(document).at("reverts_in_s"), 42);
  EXPECT_EQ(readTuneReport(document)->revertsIn, Milliseconds(42'000));
}

TEST(TuneDocument, HasUnitsInItsKeys) {
  const json document = json::parse(documentOf(tuned()));
  std::map<std::string, json> options;
  for (const json& option : document.at("options")) options[option.at("name")] = option;
  EXPECT_EQ(options.at("SO_SNDBUF").at("value_bytes"), 8 << 20);
  EXPECT_EQ(options.at("SO_SNDBUF").at("original_bytes"), 131'072);
  EXPECT_EQ(options.at("SO_SNDBUF").at("set_by"), "tcpscope");
  EXPECT_EQ(options.at("SO_BUF_LOCK").at("value"), "send");
  EXPECT_EQ(options.at("SO_MAX_PACING_RATE").at("value_bps"), 100'000'000);
  EXPECT_EQ(options.at("SO_MAX_PACING_RATE").at("original_bps"), "unlimited");
  EXPECT_EQ(options.at("TCP_USER_TIMEOUT").at("value_us"), 1'500'000);
  EXPECT_EQ(options.at("TCP_NODELAY").at("value"), true);
  EXPECT_EQ(options.at("TCP_CONGESTION").at("value"), "bbr");
  EXPECT_FALSE(options.contains("TCP_CORK")) << "what the kernel does not know is absent";
  EXPECT_EQ(document.at("changes").at(0).at("wanted_bytes"), 32 << 20);
  EXPECT_EQ(document.at("left_alone").at(0).at("name"), "TCP_NODELAY");
  EXPECT_EQ(document.at("connection").at("process").at("name"), "curl[31m");
}

}  // namespace
}  // namespace tcpscope
