// Views of what a file holds: it is over, and what plays of it may be paused.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "ui/views/diagnosis/diagnosis_view.h"
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

TEST_F(ViewOfFile, DiagnosesTheWholeFileUntilTheUserChoosesASpan) {
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
  EXPECT_EQ(span.currentText(), QStringLiteral("the whole observation"));
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

}  // namespace
}  // namespace tcpscope
