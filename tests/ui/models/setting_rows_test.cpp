#include "ui/models/setting_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

SettingRow rowOf(const std::vector<SettingRow>& rows, std::string_view key) {
  const auto found = std::find_if(rows.begin(), rows.end(), [key](const SettingRow& row) { return row.key == key; });
  EXPECT_NE(found, rows.end()) << key;
  return found == rows.end() ? SettingRow() : *found;
}

TEST(SettingRows, OfASocketHaveTheValuesOfItsSampleAndElseThoseThatWereRead) {
  SocketObservation socket = test::ObservationBuilder().build();
  socket.memory.emplace();
  socket.memory->sendBuffer = Bytes(131'072);
  const auto rows = optionRows(socket, {{"TCP_KEEPIDLE", "7200", {}, {}, "2.00 h", "the program"},
                                        {"SO_SNDBUF", "4096", {}, {}, "4.00 KiB", "the program"}});
  EXPECT_EQ(rows.size(), kSocketOptions);
  const SettingRow buffer = rowOf(rows, "SO_SNDBUF");
  EXPECT_EQ(buffer.now, "128 KiB");
  EXPECT_EQ(buffer.setBy, "the program");
  EXPECT_EQ(buffer.typed, "65536") << "the kernel doubles what is set";
  EXPECT_EQ(rowOf(rows, "TCP_KEEPIDLE").now, "2.00 h");
  EXPECT_EQ(rowOf(rows, "TCP_KEEPCNT").now, "") << "unknown";
  EXPECT_FALSE(rowOf(rows, "TCP_MAXSEG").canChange);
}

TEST(SettingRows, OfAHostBeginWithWhatCanBeChangedAndLeaveInterfacesOut) {
  SysctlValues settings;
  settings.set("net.ipv4.ip_local_port_range", "32768\t60999");
  settings.set("net.ipv4.tcp_rmem", "4096\t131072\t6291456");
  settings.set(linkSettingKey({"eth0", "mtu"}), "1500");
  const auto rows = sysctlRows(settings, {{"net.ipv4.tcp_rmem", "1 2 3", {}, {}, {}, "/etc/sysctl.d/50.conf:2"}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].key, "net.ipv4.tcp_rmem");
  EXPECT_EQ(rows[0].now, "4096 131072 6291456");
  EXPECT_EQ(rows[0].setBy, "/etc/sysctl.d/50.conf:2");
  EXPECT_TRUE(rows[0].canChange);
  EXPECT_EQ(rows[1].now, "32768 60999");
  EXPECT_FALSE(rows[1].canChange);
}

TEST(SettingRows, EveryTypedValueReadsAsTheSameValue) {
  for (const SocketOptionRow& option : socketOptions()) {
    if (option.changeable != Changeable::live || option.unit == OptionUnit::name) continue;
    for (const std::uint64_t number : {option.least, option.most}) {
      const OptionValue value{number, {}};
      const auto read = parseOptionChange(std::string(option.name) + "=" + typedValue(option.id, value).toStdString());
      ASSERT_TRUE(read) << option.name << " " << number;
      EXPECT_EQ(read->value, value) << option.name;
    }
  }
  EXPECT_EQ(typedValue(SocketOption::maxPacingRate, {kUnlimited, {}}), "unlimited");
}

TEST(SettingRows, ASliderGoesFromEndToEndOfWhatIsAllowed) {
  for (const SocketOption option : {SocketOption::sendBuffer, SocketOption::receiveBuffer, SocketOption::windowClamp,
                                    SocketOption::maxPacingRate, SocketOption::notSentLowWater}) {
    ASSERT_TRUE(hasSliderRange(option));
    const SocketOptionRow& row = optionRow(option);
    std::uint64_t before = 0;
    for (const double position : {0.0, 0.25, 0.5, 1.0}) {
      const OptionValue value = optionAt(option, position);
      EXPECT_GT(value.number, before) << row.name;
      EXPECT_GE(value.number, row.least);
      EXPECT_LE(value.number, row.most);
      EXPECT_NEAR(positionOf(option, value).value_or(-1), position, 1e-4) << row.name;
      before = value.number;
    }
  }
  EXPECT_FALSE(hasSliderRange(SocketOption::noDelay));
  EXPECT_FALSE(positionOf(SocketOption::maxPacingRate, {kUnlimited, {}}));
}

TEST(SettingRows, AWrongValueIsExplained) {
  SysctlValues settings;
  settings.set("net.ipv4.tcp_rmem", "4096 131072 6291456");
  const SettingRow memory = sysctlRows(settings, {}).front();
  EXPECT_EQ(typedChange(memory, QStringLiteral(" 4096  131072 8388608 "))->wanted, "4096 131072 8388608");
  EXPECT_TRUE(typedChange(memory, QStringLiteral("4096")).error().contains(QStringLiteral("number of values")));
  const SettingRow buffer = rowOf(optionRows(test::ObservationBuilder().build(), {}), "SO_SNDBUF");
  EXPECT_EQ(typedChange(buffer, QStringLiteral("4MiB"))->key, "SO_SNDBUF");
  EXPECT_TRUE(typedChange(buffer, QStringLiteral("1")).error().contains(QStringLiteral("out of range")));
}

}  // namespace
}  // namespace tcpscope
