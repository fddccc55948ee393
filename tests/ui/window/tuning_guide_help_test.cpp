#include "ui/window/tuning_guide_help.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QMenuBar>

#include "core/present/text/tuning_guide.h"
#include "tests/ui/support/recording_port.h"
#include "ui/text/plain_text.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

TEST(TuningGuideHelp, HasEveryRowOfTheGuide) {
  const TuningGuideHelp help;
  QStringList shown;
  for (const QLabel* label : help.findChildren<QLabel*>()) shown << label->text();
  for (const TuningLoad load : kTuningLoads) {
    const TuningGuideRow row = guideRow(load);
    for (const std::string_view text : {row.load, row.use, row.why, row.inTcpscope, row.paper}) {
      EXPECT_TRUE(shown.contains(toQString(text))) << text;
    }
  }
  for (const TuningFirstStep& step : tuningFirstSteps()) EXPECT_TRUE(shown.contains(toQString(step.today)));
}

TEST(TuningGuideHelp, IsInTheHelpMenu) {
  test::RecordingPort port;
  const MainWindow window(port);
  bool isOffered = false;
  for (const QAction* action : window.menuBar()->findChildren<QAction*>()) {
    isOffered = isOffered || action->text() == QStringLiteral("Which &tuning for which load");
  }
  EXPECT_TRUE(isOffered);
}

}  // namespace
}  // namespace tcpscope
