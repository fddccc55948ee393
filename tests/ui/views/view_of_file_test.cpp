// Views of what a file holds: it is over, and what plays of it may be paused.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>

#include "core/present/text/quantity_text.h"
#include "tests/ui/support/captured_drawing.h"
#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "ui/plots/limit_pie.h"
#include "ui/text/plain_text.h"
#include "ui/views/diagnosis/diagnosis_view.h"
#include "ui/views/diagnosis/span_choice.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope {
namespace {

class ViewOfFile : public testing::Test {
protected:
  ViewOfFile() {
    m_selection.setConnection(test::detailOf(m_live).row.id);
    auto ofFile = std::make_shared<SessionSnapshot>(*m_live);
    Place place;
    place.recording = UntrustedText("slow.tcpscope");
    ofFile->places = {place};
    m_ofFile = std::move(ofFile);
  }

  SnapshotPointer m_live = test::snapshotWithDetail({test::ObservationBuilder().build()});
  SnapshotPointer m_ofFile;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ViewContext m_context{m_selection, m_control};
};

TEST_F(ViewOfFile, IsNotCalledRunningByTheScope) {
  ScopeView view(m_context);
  const auto says = [&view](const QString& text) {
    const auto labels = view.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->text() == text; });
  };
  view.setSnapshot(m_live);
  EXPECT_TRUE(says(QStringLiteral("● running")));
  view.setSnapshot(m_ofFile);
  EXPECT_FALSE(says(QStringLiteral("● running"))) << "it may be paused";
  EXPECT_TRUE(says(QStringLiteral("● at the newest sample")));
}

TEST_F(ViewOfFile, DiagnosesTheTransferUntilTheUserChoosesASpan) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  DiagnosisView view(m_context);
  auto& span = *view.findChild<QComboBox*>();
  const auto choose = [&span](int index) {
    span.setCurrentIndex(index);
    emit span.activated(index);
  };
  view.setSnapshot(m_live);
  choose(1);
  EXPECT_EQ(span.currentText(), QStringLiteral("the last 30 s"));
  view.setSnapshot(m_ofFile);
  EXPECT_EQ(span.currentText(), QStringLiteral("the transfer"));
  choose(0);
  view.setSnapshot(m_ofFile);
  EXPECT_EQ(span.currentText(), QStringLiteral("the last 5 s"));
  view.setSnapshot(m_live);
  EXPECT_EQ(span.currentText(), QStringLiteral("the last 30 s")) << "what was chosen for what lives";
  view.setSnapshot(m_ofFile);
  view.saveSettings(settings);
  DiagnosisView next(m_context);
  next.restoreSettings(settings);
  EXPECT_EQ(next.findChild<QComboBox*>()->currentText(), QStringLiteral("the last 30 s"));
}

TEST_F(ViewOfFile, SharesOutTheTransferOfACaptureWithoutTheSilenceBehindIt) {
  std::vector<PacketSample> packets = test::drawnTransfer(2'000, 0);
  PacketSample last = packets.back();
  last.time = last.time + std::chrono::minutes(2);
  last.number = packets.size();
  packets.push_back(last);
  auto snapshot = std::make_shared<SessionSnapshot>(*test::snapshotOfCapture(test::capturedPackets(packets)));
  snapshot->places = m_ofFile->places;
  m_selection.setConnection(snapshot->details.begin()->first);
  DiagnosisView view(m_context);
  view.setSnapshot(snapshot);
  const LimitShares& shares = view.findChild<LimitPie*>()->shares();
  EXPECT_GT(shares.observed(), std::chrono::seconds(1));
  EXPECT_LT(shares.observed(), std::chrono::seconds(3));
  const auto labels = view.findChildren<QLabel*>();
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
    return label->text().endsWith(toQString(formatTime(toSeconds(shares.observed()))) +
                                  QStringLiteral(" of the capture"));
  })) << "what the verdict is from";
  auto& span = *view.findChild<QComboBox*>();
  span.setCurrentIndex(static_cast<int>(SpanChoice::everything));
  emit span.activated(span.currentIndex());
  EXPECT_GT(shares.observed(), std::chrono::minutes(1)) << "where it is asked for";
}

TEST(SpanChoiceTest, TheTransferIsWhatLiesBetweenSilences) {
  const auto at = [](int seconds) { return Moment() + std::chrono::seconds(seconds); };
  LimitTimeline timeline(16);
  const auto append = [&](int from, int to, Limit sending) {
    LimitInterval interval{at(from), at(to), {}, {}};
    interval.sending.add(sending, std::chrono::seconds(to - from));
    interval.receiving.add(Limit::idle, std::chrono::seconds(to - from));
    timeline.append(interval);
  };
  append(0, 10, Limit::idle);
  append(10, 12, Limit::network);
  append(12, 15, Limit::idle);
  append(15, 16, Limit::receiver);
  append(16, 100, Limit::idle);
  const auto sent = chosenSpan(SpanChoice::transfer, timeline, Side::sending, {});
  ASSERT_TRUE(sent);
  EXPECT_EQ(sent->from, at(10));
  EXPECT_EQ(sent->to, at(16)) << "a pause within it belongs to it";
  const auto received = chosenSpan(SpanChoice::transfer, timeline, Side::receiving, {});
  ASSERT_TRUE(received);
  EXPECT_EQ(received->from, at(0)) << "without any, all that was observed";
  EXPECT_EQ(received->to, at(100));
}

}  // namespace
}  // namespace tcpscope
