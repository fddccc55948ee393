#include <gtest/gtest.h>

#include <QAction>
#include <QCoreApplication>
#include <QFile>
#include <QPixmap>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/watched_sender.h"
#include "ui/views/diagnosis/diagnosis_view.h"
#include "ui/views/scope/scope_text.h"
#include "ui/views/scope/scope_view.h"
#include "ui/views/scope/trigger_dialog.h"

namespace tcpscope {
namespace {

using test::ObservationBuilder;
using test::WatchedSender;

class NoPort : public SessionPort {
public:
  [[nodiscard]] std::shared_ptr<const SessionSnapshot> latest() const override { return nullptr; }
  void setControl(const SessionControl&) override {}
};

class ViewsTest : public testing::Test {
protected:
  template <class ViewType>
  void show(ViewType& view, const SnapshotPointer& snapshot) {
    m_selection.setConnection(m_sender.id());
    view.resize(1280, 800);
    view.setSelection(m_selection);
    view.setSnapshot(snapshot);
    view.grab();
    QCoreApplication::processEvents();
  }
  /// For looking at by eye: TCPSCOPE_PICTURES names the folder.
  static void keepPicture(QWidget& view, const QString& name) {
    const QString folder = qEnvironmentVariable("TCPSCOPE_PICTURES");
    QCoreApplication::processEvents();
    const QPixmap picture = view.grab();
    if (!folder.isEmpty()) picture.save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
  }
  static void press(QWidget& view, const QString& text) {
    for (QAction* action : view.actions()) {
      if (action->text() == text) return action->trigger();
    }
    FAIL() << "no action " << text.toStdString();
  }

  WatchedSender m_sender;
  NoPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ViewContext m_context{m_selection, m_control};
};

TEST_F(ViewsTest, TheScopeOpensWithRateRetransmissionsCwndAndFlight) {
  const ScopeView view(m_context);
  EXPECT_EQ(view.traces().metrics(), (std::vector<Metric>{Metric::sendGoodput, Metric::retransmissionsPerSecond,
                                                          Metric::congestionWindowBytes, Metric::inFlightBytes}));
}

TEST_F(ViewsTest, TheScopeShowsWhatTheVerdictIsAboutUntilTheUserChooses) {
  ScopeView view(m_context);
  auto shown = std::make_shared<SessionSnapshot>(*m_sender.runFor(std::chrono::seconds(8)));
  auto detail = std::make_shared<ConnectionDetail>(test::detailOf(shown));
  detail->diagnosis.bulk = Side::sending;
  detail->diagnosis.sending.emplace();
  detail->diagnosis.sending->verdict.limit = Limit::network;
  detail->diagnosis.sending->verdict.cause = Cause::queue;
  detail->diagnosis.sending->verdict.confidenceRatio = 0.9;
  shown->details[m_sender.id()] = detail;
  show(view, shown);
  EXPECT_EQ(view.traces().metrics().front(), Metric::rtt);

  auto other = std::make_shared<ConnectionDetail>(*detail);
  other->diagnosis.sending->verdict.limit = Limit::receiver;
  auto later = std::make_shared<SessionSnapshot>(*shown);
  later->details[m_sender.id()] = other;
  view.setSnapshot(later);
  EXPECT_EQ(view.traces().metrics().front(), Metric::rtt) << "a verdict that changes moves no trace";

  view.openMetric(Metric::pacingRate);
  m_selection.setConnection(std::nullopt);
  view.setSelection(m_selection);
  show(view, later);
  EXPECT_EQ(view.traces().metrics().back(), Metric::pacingRate);
  EXPECT_EQ(view.traces().metrics().front(), Metric::rtt) << "the user's own";
}

TEST_F(ViewsTest, TheScopeDescribesItsContentInWords) {
  ScopeView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(8)));
  keepPicture(view, QStringLiteral("scope_light"));
  EXPECT_TRUE(view.description().contains(QStringLiteral("10.0 s on the screen"))) << view.description().toStdString();
  EXPECT_TRUE(view.description().contains(QStringLiteral("Mbit/s"))) << view.description().toStdString();
}

TEST_F(ViewsTest, AStoppedScopeKeepsStillAndRunsOnRequest) {
  ScopeView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(3)));
  press(view, QStringLiteral("Stop"));
  const auto before = view.acquisition().screen();
  view.setSnapshot(m_sender.runFor(std::chrono::seconds(2)));
  EXPECT_EQ(view.acquisition().screen(), before);
  press(view, QStringLiteral("Run"));
  EXPECT_NE(view.acquisition().screen(), before);
}

TEST_F(ViewsTest, TheScopeStopsAtItsTrigger) {
  ScopeView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(2)));
  view.armTrigger(TriggerChoice{HistoryEventKind::retransmission, {TriggerMode::single, 0.5, Nanoseconds(0)}});
  EXPECT_TRUE(view.triggerText().startsWith(QStringLiteral("Waiting: Retransmission")))
      << view.triggerText().toStdString();
  view.setSnapshot(m_sender.runFor(std::chrono::seconds(4)));
  EXPECT_EQ(view.acquisition().state(), AcquisitionState::running) << "the part behind it is not complete";
  view.setSnapshot(m_sender.runFor(std::chrono::seconds(10)));
  EXPECT_EQ(view.acquisition().state(), AcquisitionState::stopped);
  const auto trigger = view.acquisition().triggered();
  const auto screen = view.acquisition().screen();
  ASSERT_TRUE(trigger && screen);
  EXPECT_EQ(*trigger - screen->from, screen->to - *trigger) << "in the middle";
  EXPECT_TRUE(view.triggerText().startsWith(QStringLiteral("Retransmission, at "))) << view.triggerText().toStdString();
  keepPicture(view, QStringLiteral("scope_triggered"));
}

TEST_F(ViewsTest, TheScopeForgetsATriggerThatIsSwitchedOff) {
  ScopeView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(30)));
  view.armTrigger(TriggerChoice{LevelTrigger{Metric::sndWnd, true, 65'536.0}, {}});
  press(view, QStringLiteral("Next trigger"));
  EXPECT_TRUE(view.triggerText().contains(QStringLiteral(", at ")));
  view.armTrigger(TriggerChoice{HistoryEventKind::timeout, {}});
  press(view, QStringLiteral("Stop"));
  EXPECT_FALSE(view.triggerText().contains(QStringLiteral(", at "))) << "of the condition before";
}

TEST_F(ViewsTest, TheScopeGoesFromTriggerToTriggerThroughWhatIsRecorded) {
  ScopeView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(30)));
  view.armTrigger(TriggerChoice{LevelTrigger{Metric::sndWnd, true, 65'536.0}, {}});
  press(view, QStringLiteral("Next trigger"));
  const auto first = view.acquisition().screen();
  EXPECT_EQ(view.acquisition().state(), AcquisitionState::stopped);
  press(view, QStringLiteral("Next trigger"));
  ASSERT_TRUE(first && view.acquisition().screen());
  // The window swings once in 56 samples of 20 ms.
  EXPECT_NEAR(toSeconds(view.acquisition().screen()->from - first->from), 1.13, 0.03);
}

TEST_F(ViewsTest, TheSpanBetweenTheCursorsIsSharedWithOtherViews) {
  ScopeView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(12)));
  press(view, QStringLiteral("Cursor A"));
  EXPECT_FALSE(m_selection.span());
  press(view, QStringLiteral("Cursor B"));
  ASSERT_TRUE(m_selection.span());
  EXPECT_EQ(m_selection.span(), view.cursors().span());
  keepPicture(view, QStringLiteral("scope_cursors"));
  press(view, QStringLiteral("Clear cursors"));
  EXPECT_FALSE(m_selection.span());
}

TEST_F(ViewsTest, AnyMetricBecomesATrace) {
  ScopeView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(2)));
  view.openMetric(Metric::rtt);
  EXPECT_TRUE(view.traces().indexOf(Metric::rtt).has_value());
  EXPECT_TRUE(view.description().contains(QStringLiteral("20.0 ms"))) << view.description().toStdString();
}

TEST_F(ViewsTest, TheScopeKeepsTracesTimeBaseAndTheScalesSetByHand) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  {
    ScopeView view(m_context);
    show(view, m_sender.runFor(std::chrono::seconds(2)));
    view.openMetric(Metric::rtt);
    press(view, QStringLiteral("Decrease trace scale"));
    press(view, QStringLiteral("More time per division"));
    view.saveSettings(settings);
  }
  ScopeView view(m_context);
  const std::size_t usualStep = view.acquisition().timeBase().step();
  view.restoreSettings(settings);
  EXPECT_EQ(view.acquisition().timeBase().step(), usualStep + 1);
  const auto index = view.traces().indexOf(Metric::rtt);
  ASSERT_TRUE(index);
  EXPECT_FALSE(view.traces().at(*index).scale.isAutomatic());
  EXPECT_TRUE(view.traces().at(0).scale.isAutomatic());
}

TEST_F(ViewsTest, SettingsThatMakeNoSenseLeaveTheScopeUsable) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  settings.setValue(QStringLiteral("scope/traces"), QStringList{QStringLiteral("no_such_metric=-5")});
  settings.setValue(QStringLiteral("scope/timeBase"), -7);
  ScopeView view(m_context);
  view.restoreSettings(settings);
  EXPECT_EQ(view.traces().size(), 4U);
  settings.setValue(QStringLiteral("scope/traces"), QStringList{QStringLiteral("rtt_us=nonsense")});
  view.restoreSettings(settings);
  ASSERT_EQ(view.traces().size(), 1U);
  EXPECT_TRUE(view.traces().at(0).scale.isAutomatic());
}

TEST_F(ViewsTest, TheKnobScalesTheSelectedTraceAlone) {
  ScopeView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(2)));
  view.openMetric(Metric::rtt);
  const auto index = view.traces().indexOf(Metric::rtt);
  ASSERT_TRUE(index);
  const double before = view.traces().at(*index).scale.unitsPerDivision();
  press(view, QStringLiteral("Increase trace scale"));
  EXPECT_LT(view.traces().at(*index).scale.unitsPerDivision(), before);
  EXPECT_TRUE(view.traces().at(0).scale.isAutomatic());
  press(view, QStringLiteral("Autoscale the trace"));
  EXPECT_EQ(view.traces().at(*index).scale.unitsPerDivision(), before);
}

TEST_F(ViewsTest, ThePictureIsWrittenAsPngAndPdf) {
  const QTemporaryDir folder;
  ScopeView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(3)));
  auto* plot = view.findChild<TracePlot*>();
  ASSERT_NE(plot, nullptr);
  const QString png = folder.filePath(QStringLiteral("scope.png"));
  const QString pdf = folder.filePath(QStringLiteral("scope.pdf"));
  EXPECT_TRUE(view.pictureTitle().contains(QStringLiteral("192.0.2.1:"))) << qPrintable(view.pictureTitle());
  ASSERT_TRUE(plot->savePicture({png, PictureFormat::png, view.pictureTitle()}));
  ASSERT_TRUE(plot->savePicture({pdf, PictureFormat::pdf, view.pictureTitle()}));
  EXPECT_GT(QPixmap(png).width(), plot->width());
  const QString folderOfPictures = qEnvironmentVariable("TCPSCOPE_PICTURES");
  if (!folderOfPictures.isEmpty()) QPixmap(png).save(folderOfPictures + QStringLiteral("/scope_saved.png"));
  QFile document(pdf);
  ASSERT_TRUE(document.open(QIODevice::ReadOnly));
  EXPECT_EQ(document.read(5), QByteArray("%PDF-"));
  EXPECT_FALSE(plot->savePicture({folder.filePath(QStringLiteral("missing/scope.png"))}));
}

TEST_F(ViewsTest, TheCsvLeavesUnknownValuesEmptyAndWritesUnlimitedAsAWord) {
  const auto snapshot = m_sender.runFor(Milliseconds(20));
  const auto& history = snapshot->details.at(m_sender.id())->history;
  const std::string csv = samplesCsv(history, {Metric::maxPacingRate, Metric::bbrBandwidth},
                                     {history.firstTime().value(), history.lastTime().value()});
  const std::size_t line = csv.rfind("\r\n", csv.size() - 3) + 2;
  EXPECT_EQ(csv.substr(csv.find(',', line)), ",unlimited,\r\n") << csv;
}

TEST_F(ViewsTest, TheCsvHasEverySampleWithUnitsInItsKeys) {
  const auto snapshot = m_sender.runFor(Milliseconds(100));
  const auto& history = snapshot->details.at(m_sender.id())->history;
  const std::string csv =
      samplesCsv(history, {Metric::rtt, Metric::sndWnd}, {history.firstTime().value(), history.lastTime().value()});
  EXPECT_EQ(csv.substr(0, csv.find('\r')), "time_s,rtt_us,snd_wnd_bytes");
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), history.sampleCount() + 1);
}

TEST_F(ViewsTest, TheDiagnosisShowsTheSideThatCarriesTheBulkWithItsVerdict) {
  DiagnosisView view(m_context);
  show(view, m_sender.runFor(std::chrono::seconds(8)));
  keepPicture(view, QStringLiteral("diagnosis_light"));
  EXPECT_EQ(view.side(), Side::sending);
  EXPECT_TRUE(view.verdictText().contains(QStringLiteral("Limited by the receive window")))
      << view.verdictText().toStdString();
}

TEST_F(ViewsTest, BothViewsCanBeReadInTheDark) {
  const auto snapshot = m_sender.runFor(std::chrono::seconds(8));
  ScopeView scope(m_context);
  DiagnosisView diagnosis(m_context);
  scope.setPalette(themePalette(Appearance::dark));
  diagnosis.setPalette(themePalette(Appearance::dark));
  show(scope, snapshot);
  show(diagnosis, snapshot);
  keepPicture(scope, QStringLiteral("scope_dark"));
  keepPicture(diagnosis, QStringLiteral("diagnosis_dark"));
  EXPECT_LT(scope.grab().toImage().pixelColor(640, 300).lightness(), 128);
}

TEST_F(ViewsTest, WithoutAConnectionBothSayWhy) {
  ScopeView scope(m_context);
  DiagnosisView diagnosis(m_context);
  const auto snapshot = std::make_shared<SessionSnapshot>();
  scope.setSnapshot(snapshot);
  diagnosis.setSnapshot(snapshot);
  EXPECT_FALSE(diagnosis.verdictText().isEmpty());
  EXPECT_FALSE(scope.acquisition().screen().has_value());
}

}  // namespace
}  // namespace tcpscope
