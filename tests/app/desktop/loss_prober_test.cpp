// The window's probe with real programs over loopback, for two seconds; and with a view, as a person uses it.
#include "app/desktop/loss_prober.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QPushButton>

#include "app/remote/command_line_program.h"
#include "collectors/system/child_process.h"
#include "tests/app/desktop/demo_waiting.h"
#include "tests/support/built_paths.h"
#include "tests/ui/support/recording_port.h"
#include "ui/views/probe/probe_view.h"

namespace tcpscope {
namespace {

using test::comesTrue;

class LossProberTest : public testing::Test {
protected:
  void SetUp() override {
    unsetenv("SSH_CONNECTION");
    ChildCommand command;
    command.arguments = {test::commandLineProgram(), "probe", "--listen"};
    command.output = ChildStream::pipe();
    auto listener = ChildProcess::start(command);
    ASSERT_TRUE(listener);
    std::array<char, 64> bytes{};
    const ssize_t count = read(listener->output().get(), bytes.data(), bytes.size());
    ASSERT_GT(count, 6);
    m_target = "127.0.0.1:" + std::string(bytes.data() + 5, static_cast<std::size_t>(count) - 6);
    m_listener.emplace(std::move(*listener));
  }
  bool reaches(ProbePhase phase) {
    return comesTrue([&] { return m_prober.state().phase == phase; });
  }

  std::string m_target;
  std::optional<ChildProcess> m_listener;
  LossProber m_prober{test::commandLineProgram()};
};

TEST_F(LossProberTest, MeasuresThePathToAListener) {
  m_prober.start({m_target, kDefaultProbeRate, std::chrono::seconds(2)});
  EXPECT_EQ(m_prober.state().phase, ProbePhase::connecting);
  ASSERT_TRUE(reaches(ProbePhase::sending));
  EXPECT_GE(m_prober.state().total, std::chrono::seconds(2));
  ASSERT_TRUE(reaches(ProbePhase::done)) << m_prober.state().notice;
  const auto analysis = m_prober.state().analysis;
  ASSERT_TRUE(analysis);
  for (const ProbeRunFigures& run : analysis->runs) {
    EXPECT_EQ(run.sentPackets, 312U);
    EXPECT_EQ(run.lostPackets, 0U);
  }
}

TEST_F(LossProberTest, IsCancelledAndStartsAnotherOne) {
  m_prober.start({m_target, kDefaultProbeRate, kDefaultProbeTime});
  ASSERT_TRUE(reaches(ProbePhase::sending));
  m_prober.cancel();
  EXPECT_EQ(m_prober.state().phase, ProbePhase::cancelled);
  m_prober.start({"127.0.0.1:1", kDefaultProbeRate, std::chrono::seconds(2)});
  ASSERT_TRUE(reaches(ProbePhase::failed));
  EXPECT_THAT(m_prober.state().notice, testing::HasSubstr("cannot reach a listener at 127.0.0.1:1"));
}

TEST_F(LossProberTest, StartsNothingForWhatIsNoHost) {
  m_prober.start({"--listen", kDefaultProbeRate, kDefaultProbeTime});
  EXPECT_EQ(m_prober.state().phase, ProbePhase::failed);
  EXPECT_THAT(m_prober.state().notice, testing::HasSubstr("is no HOST:PORT"));
}

TEST_F(LossProberTest, ReportsThatTheProgramIsMissing) {
  LossProber prober("/nonexistent/tcpscope-cli");
  prober.start({m_target, kDefaultProbeRate, std::chrono::seconds(2)});
  EXPECT_TRUE(comesTrue([&] { return prober.state().phase == ProbePhase::failed; }));
}

TEST_F(LossProberTest, IsUsedFromItsView) {
  test::RecordingPort session;
  Selection selection;
  ControlState control{session};
  Ports ports;
  ports.probes = &m_prober;
  ProbeView view(ViewContext{selection, control, ports});
  view.resize(1000, 500);
  view.show();
  for (auto* field : view.findChildren<QLineEdit*>()) {
    if (field->accessibleName() == QStringLiteral("Host to probe")) field->setText(QString::fromStdString(m_target));
  }
  for (auto* field : view.findChildren<QSpinBox*>()) {
    if (field->suffix() == QStringLiteral(" s")) field->setValue(2);
  }
  EXPECT_EQ(m_prober.state().phase, ProbePhase::none);
  for (auto* button : view.findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("&Start")) button->click();
  }
  ASSERT_TRUE(comesTrue([&] {
    view.poll();
    return m_prober.state().phase == ProbePhase::done;
  })) << m_prober.state().notice;
  view.poll();
  EXPECT_TRUE(view.description().contains(QStringLiteral("Lost: 0 of 312 packets of 400 bytes")))
      << view.description().toStdString();
}

}  // namespace
}  // namespace tcpscope
