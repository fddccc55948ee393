// The probe view with a port that a test plays: what is sent stands there before, and nothing is sent without the
// button.
#include "ui/views/probe/probe_view.h"

#include <gtest/gtest.h>

#include <QTableWidget>
#include <QTest>

#include "core/present/text/probe_text.h"
#include "tests/core/wire/probe/drawn_probe.h"
#include "tests/ui/support/recording_port.h"
#include "ui/text/plain_text.h"

namespace tcpscope {
namespace {

class PlayedProbe final : public ProbePort {
public:
  void start(const ProbeRequest& request) override { started.push_back(request); }
  void cancel() override { ++cancelled; }
  [[nodiscard]] ProbeState state() override { return now; }

  std::vector<ProbeRequest> started;
  int cancelled = 0;
  ProbeState now;
};

class ProbeViewTest : public testing::Test {
protected:
  ProbeViewTest() {
    m_view.resize(1000, 500);
    m_view.show();
  }
  [[nodiscard]] Ports ports() {
    Ports ports;
    ports.probes = &m_probe;
    return ports;
  }
  [[nodiscard]] QPushButton& button(const QString& text) const {
    for (auto* one : m_view.findChildren<QPushButton*>()) {
      if (one->text().remove(QLatin1Char('&')) == text) return *one;
    }
    throw std::runtime_error("no such button");
  }
  [[nodiscard]] QLineEdit& target() const {
    for (auto* one : m_view.findChildren<QLineEdit*>()) {
      if (one->accessibleName() == QStringLiteral("Host to probe")) return *one;
    }
    throw std::runtime_error("no field");
  }
  void shows(ProbePhase phase, const std::optional<std::array<ProbeRun, 2>>& runs = std::nullopt) {
    m_probe.now.phase = phase;
    m_probe.now.target = "db1:40123";
    if (runs) m_probe.now.analysis = std::make_shared<const ProbeAnalysis>(analyzeProbe(*runs));
    m_view.poll();
  }
  [[nodiscard]] QString cell(int row, int column) const {
    return m_view.findChild<QTableWidget*>()->item(row, column)->text();
  }

  PlayedProbe m_probe;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ProbeView m_view{ViewContext{m_selection, m_control, ports()}};
};

TEST_F(ProbeViewTest, SaysWhatItSendsBeforeItDoes) {
  EXPECT_FALSE(button(QStringLiteral("Start")).isEnabled()) << "no host";
  target().setText(QStringLiteral("db1:40123"));
  EXPECT_EQ(
      m_view.planned(),
      QStringLiteral("Start sends to db1:40123, from this host, a UDP packet each 3.20 ms for 5 min 0 s, first of 48 "
                     "bytes (120 kbit/s), then of 400 bytes (1.00 Mbit/s): 93,750 packets, 20.0 MiB. The "
                     "listener there sends back at most ten packets a second. Before that nothing is sent."));
  QTest::keyClick(&target(), Qt::Key_Return);
  EXPECT_TRUE(m_probe.started.empty()) << "the key of a field is no start";
  button(QStringLiteral("Start")).click();
  ASSERT_EQ(m_probe.started.size(), 1U);
  EXPECT_EQ(m_probe.started[0].target, "db1:40123");
  EXPECT_EQ(m_probe.started[0].rate, kDefaultProbeRate);
  EXPECT_EQ(m_probe.started[0].time, kDefaultProbeTime);
}

TEST_F(ProbeViewTest, ShowsHowFarItIsAndCancels) {
  target().setText(QStringLiteral("db1:40123"));
  m_probe.now.elapsed = std::chrono::seconds(60);
  m_probe.now.total = std::chrono::seconds(240);
  shows(ProbePhase::sending);
  EXPECT_FALSE(button(QStringLiteral("Start")).isEnabled());
  EXPECT_FALSE(target().isEnabled());
  const auto* progress = m_view.findChild<QProgressBar*>();
  EXPECT_TRUE(progress->isVisible());
  EXPECT_EQ(progress->text(), QStringLiteral("25 % sent, 3 min 0 s left"));
  button(QStringLiteral("Cancel")).click();
  EXPECT_EQ(m_probe.cancelled, 1);
  shows(ProbePhase::cancelled);
  EXPECT_TRUE(m_view.headline().startsWith(QStringLiteral("Cancelled.")));
  EXPECT_FALSE(progress->isVisible());
  EXPECT_TRUE(button(QStringLiteral("Start")).isEnabled());
}

TEST_F(ProbeViewTest, ShowsTheVerdictTheSharesAndTheRuns) {
  shows(ProbePhase::done, probeLostInBursts(1));
  const ProbeAnalysis& analysis = *m_probe.now.analysis;
  EXPECT_EQ(m_view.headline(), QStringLiteral("db1:40123: ") + toQString(sentence(analysis)));
  EXPECT_TRUE(m_view.headline().contains(QStringLiteral("Losses come in bursts")));
  EXPECT_EQ(cell(0, 0), QStringLiteral("0.01 RTT"));
  EXPECT_NE(cell(1, 1), QStringLiteral("–"));
  EXPECT_NE(cell(1, 2), QStringLiteral("–"));
  EXPECT_TRUE(m_view.description().contains(toQString(sentence(analysis.runs[0]))));
  EXPECT_TRUE(m_view.description().contains(QStringLiteral("RTT: median ")));
}

TEST_F(ProbeViewTest, SaysWhyAMeasurementDoesNotCount) {
  shows(ProbePhase::done, probeLostByChance(0.002, 0.01, 1));
  EXPECT_TRUE(m_view.headline().contains(QStringLiteral("does not count: packets of one size were lost more often")))
      << m_view.headline().toStdString();
}

TEST_F(ProbeViewTest, SaysWhyNothingWasMeasured) {
  m_probe.now.notice = "cannot reach a listener at <b>db1</b>:40123";
  shows(ProbePhase::failed);
  EXPECT_EQ(m_view.headline(), QStringLiteral("Cannot reach a listener at <b>db1</b>:40123."));
}

TEST_F(ProbeViewTest, WithoutAPortNothingCanBeStarted) {
  ProbeView view(ViewContext{m_selection, m_control, {}});
  EXPECT_EQ(view.planned(), QStringLiteral("Paths cannot be probed from here."));
  view.poll();
}

}  // namespace
}  // namespace tcpscope
