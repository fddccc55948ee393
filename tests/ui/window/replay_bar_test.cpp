// The controls of a recording as its user meets them: by mouse, by keys, from the menu.
#include "ui/window/replay_bar.h"

#include <gtest/gtest.h>

#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

constexpr Moment kBegin = Moment::fromNanoseconds(7'000'000'000);

class PretendedReplay final : public ReplayPort {
public:
  void play() override { move(true, false); }
  void playBack() override { move(true, true); }
  void pause() override { move(false, false); }
  void setSpeed(std::optional<double> ratio) override { now->speedRatio = ratio; }
  void seek(Moment moment) override {
    now->at = moment;
    ++seeks;
  }
  std::optional<ReplayState> state() override { return now; }
  [[nodiscard]] Nanoseconds at() const { return now->at - kBegin; }

  void move(bool plays, bool backwards) {
    now->isPlaying = plays;
    now->isBackwards = backwards;
  }

  std::optional<ReplayState> now;
  int seeks = 0;
};

/// An hour, and 12 minutes and 31 seconds of it are over.
ReplayState anHour() {
  ReplayState state;
  state.clock = {kBegin, WallTime::fromNanoseconds(1'700'000'000'000'000'000)};
  state.at = kBegin + 12min + 31s;
  state.end = kBegin + 1h;
  return state;
}

class ReplayBarTest : public testing::Test {
protected:
  ReplayBarTest() {
    m_port.now = anHour();
    m_bar.resize(1000, 40);
    m_bar.show();
    m_bar.poll();
    QApplication::setActiveWindow(&m_bar);
  }
  [[nodiscard]] ReplaySlider& slider() { return *m_bar.findChild<ReplaySlider*>(); }
  [[nodiscard]] QComboBox& speed() { return *m_bar.findChild<QComboBox*>(); }
  QAction* action(const QString& text) {
    for (QAction* one : m_bar.menuActions()) {
      if (one->text().remove(QLatin1Char('&')) == text) return one;
    }
    return nullptr;
  }

  PretendedReplay m_port;
  ReplayBar m_bar{m_port};
};

TEST_F(ReplayBarTest, ShowsThePositionAndTheRecordedTime) {
  EXPECT_EQ(m_bar.positionText(), QStringLiteral("00:12:31 of 01:00:00"));
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(1'700'000'000'000 + 751'000);
  EXPECT_EQ(m_bar.timeText(), time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")));
  EXPECT_EQ(slider().value(), 751'000);
  EXPECT_EQ(slider().maximum(), 3'600'000);
}

TEST_F(ReplayBarTest, IsVisibleOnlyWhileARecordingPlays) {
  m_port.now.reset();
  m_bar.poll();
  EXPECT_TRUE(m_bar.isHidden());
  for (QAction* one : m_bar.menuActions()) EXPECT_FALSE(one->isEnabled()) << qPrintable(one->text());
  m_port.now = anHour();
  m_bar.poll();
  EXPECT_FALSE(m_bar.isHidden());
}

TEST_F(ReplayBarTest, PlaysAndPauses) {
  action(QStringLiteral("Play"))->trigger();
  EXPECT_TRUE(m_port.now->isPlaying);
  ASSERT_NE(action(QStringLiteral("Pause")), nullptr) << "the same button says what it does now";
  action(QStringLiteral("Pause"))->trigger();
  EXPECT_FALSE(m_port.now->isPlaying);
}

TEST_F(ReplayBarTest, PlaysBackwardsAndForwardsAgain) {
  action(QStringLiteral("Play backwards"))->trigger();
  EXPECT_TRUE(m_port.now->isBackwards);
  ASSERT_NE(action(QStringLiteral("Play")), nullptr);
  action(QStringLiteral("Pause"))->trigger();
  EXPECT_FALSE(m_port.now->isPlaying);
  action(QStringLiteral("Play backwards"))->trigger();
  action(QStringLiteral("Play"))->trigger();
  EXPECT_TRUE(m_port.now->isPlaying);
  EXPECT_FALSE(m_port.now->isBackwards);
  action(QStringLiteral("Play backwards"))->trigger();
  QTest::keyClick(&m_bar, Qt::Key_Space);
  EXPECT_FALSE(m_port.now->isPlaying) << "the key pauses whatever way it goes";
}

TEST_F(ReplayBarTest, StepsByASecondAndStopsAtBothEnds) {
  action(QStringLiteral("1 second back"))->trigger();
  EXPECT_EQ(m_port.at(), 12min + 30s);
  action(QStringLiteral("1 second forward"))->trigger();
  action(QStringLiteral("1 second forward"))->trigger();
  EXPECT_EQ(m_port.at(), 12min + 32s);
  action(QStringLiteral("To the end"))->trigger();
  action(QStringLiteral("1 second forward"))->trigger();
  EXPECT_EQ(m_port.at(), 1h);
  action(QStringLiteral("To the start"))->trigger();
  action(QStringLiteral("1 second back"))->trigger();
  EXPECT_EQ(m_port.at(), 0s);
}

TEST_F(ReplayBarTest, ItsKeysWorkWhileItHasTheFocus) {
  for (QWidget* focused : {static_cast<QWidget*>(&slider()), static_cast<QWidget*>(&m_bar)}) {
    QTest::keyClick(focused, Qt::Key_Left);
    EXPECT_EQ(m_port.at(), 12min + 30s);
    QTest::keyClick(focused, Qt::Key_Right);
    EXPECT_EQ(m_port.at(), 12min + 31s);
    QTest::keyClick(focused, Qt::Key_Space);
    EXPECT_TRUE(m_port.now->isPlaying);
    QTest::keyClick(focused, Qt::Key_Space);
    EXPECT_FALSE(m_port.now->isPlaying);
    QTest::keyClick(focused, Qt::Key_End);
    EXPECT_EQ(m_port.at(), 1h);
    QTest::keyClick(focused, Qt::Key_Home);
    EXPECT_EQ(m_port.at(), 0s);
    m_port.seek(kBegin + 12min + 31s);
    m_bar.poll();
  }
}

TEST_F(ReplayBarTest, GoesToWhereTheSliderIsPressed) {
  QTest::mousePress(&slider(), Qt::LeftButton, {}, {slider().width() / 2, slider().height() / 2});
  EXPECT_NEAR(toSeconds(m_port.at()), 1800.0, 10.0);
  QTest::mouseRelease(&slider(), Qt::LeftButton, {}, {slider().width() / 2, slider().height() / 2});
}

TEST_F(ReplayBarTest, APressAboveOrBelowTheGrooveCountsAndDragsFromThere) {
  const QWidget& button = *m_bar.findChild<QToolButton*>();
  for (const int y : {button.y() + 2, button.y() + button.height() - 3}) {
    m_port.seek(kBegin);
    m_bar.poll();
    const int middle = slider().x() + slider().width() / 2;
    QWidget* const hit = m_bar.childAt(middle, y);
    ASSERT_EQ(hit, &slider()) << "as high as the buttons beside it";
    QTest::mousePress(hit, Qt::LeftButton, {}, hit->mapFrom(&m_bar, QPoint(middle, y)));
    EXPECT_NEAR(toSeconds(m_port.at()), 1800.0, 10.0);
    QTest::mouseMove(hit, hit->mapFrom(&m_bar, QPoint(middle + slider().width() / 4, y)));
    EXPECT_NEAR(toSeconds(m_port.at()), 2700.0, 30.0);
    QTest::mouseRelease(hit, Qt::LeftButton, {}, hit->mapFrom(&m_bar, QPoint(middle + slider().width() / 4, y)));
    EXPECT_NEAR(toSeconds(m_port.at()), 2700.0, 30.0);
  }
}

TEST_F(ReplayBarTest, ADraggedHandleKeepsItsPosition) {
  const QPoint middle(slider().width() / 2, slider().height() / 2);
  QTest::mousePress(&slider(), Qt::LeftButton, {}, middle);
  const int held = slider().value();
  m_port.now->at = kBegin + 1min;
  m_bar.poll();
  EXPECT_EQ(slider().value(), held);
  QTest::mouseRelease(&slider(), Qt::LeftButton, {}, middle);
  m_bar.poll();
  EXPECT_EQ(slider().value(), 60'000);
}

TEST_F(ReplayBarTest, PlaybackDoesNotSeek) {
  m_port.now->at = kBegin + 20min;
  m_bar.poll();
  EXPECT_EQ(m_port.seeks, 0);
}

TEST_F(ReplayBarTest, OffersSpeeds) {
  EXPECT_EQ(speed().currentText(), QStringLiteral("1 ×"));
  const auto choose = [&](const QString& text) {
    speed().setCurrentText(text);
    emit speed().activated(speed().currentIndex());
  };
  choose(QStringLiteral("1/4 ×"));
  EXPECT_EQ(m_port.now->speedRatio, 0.25);
  choose(QStringLiteral("60 ×"));
  EXPECT_EQ(m_port.now->speedRatio, 60.0);
  choose(QStringLiteral("As fast as possible"));
  EXPECT_EQ(m_port.now->speedRatio, std::nullopt);
}

TEST_F(ReplayBarTest, NothingMovesWhenAFigureChanges) {
  const QRect before = slider().geometry();
  m_port.now->at = kBegin + 58min + 58s;
  m_port.now->isPlaying = true;
  m_bar.poll();
  EXPECT_EQ(slider().geometry(), before);
}

TEST_F(ReplayBarTest, MarksShowWhatWasChanged) {
  m_port.now->marks = {{kBegin + 30min, "net.ipv4.tcp_rmem: 1 → <b>2</b>"}};
  m_bar.poll();
  const QPoint there(slider().width() / 2, 2);
  QHelpEvent help(QEvent::ToolTip, there, slider().mapToGlobal(there));
  QApplication::sendEvent(&slider(), &help);
  EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("tcp_rmem"))) << qPrintable(QToolTip::text());
  EXPECT_FALSE(QToolTip::text().contains(QStringLiteral("<b>"))) << "what others wrote is no markup";
}

TEST_F(ReplayBarTest, DoesNotSeekBeforeTheEndIsKnown) {
  m_port.now->end.reset();
  m_bar.poll();
  EXPECT_EQ(m_bar.positionText(), QStringLiteral("00:12:31"));
  EXPECT_FALSE(slider().isEnabled());
  action(QStringLiteral("To the end"))->trigger();
  EXPECT_EQ(m_port.seeks, 0);
}

TEST_F(ReplayBarTest, ARecordingOfYearsHasASlider) {
  m_port.now->end = kBegin + std::chrono::hours(24 * 365 * 50);
  m_port.now->at = *m_port.now->end;
  m_bar.poll();
  EXPECT_GT(slider().maximum(), 0);
  EXPECT_EQ(slider().value(), slider().maximum());
}

TEST_F(ReplayBarTest, EverythingHasAName) {
  for (const QToolButton* button : m_bar.findChildren<QToolButton*>()) EXPECT_FALSE(button->text().isEmpty());
  for (const QWidget* one : {static_cast<QWidget*>(&slider()), static_cast<QWidget*>(&speed())})
    EXPECT_FALSE(one->accessibleName().isEmpty());
  EXPECT_EQ(slider().accessibleDescription(), m_bar.positionText());
}

}  // namespace
}  // namespace tcpscope
