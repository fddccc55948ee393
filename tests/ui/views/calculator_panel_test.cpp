#include "ui/views/diagnosis/calculator_panel.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/support/watched_sender.h"
#include "ui/views/diagnosis/diagnosis_view.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {
namespace {

class NoCalculatorPort : public SessionPort {
public:
  [[nodiscard]] std::shared_ptr<const SessionSnapshot> latest() const override { return nullptr; }
  void setControl(const SessionControl&) override {}
};

StatedFigures pathOf20Ms() {
  StatedFigures figures;
  figures.rttSeconds = 0.02;
  figures.mss = Bytes(1448);
  figures.otherMtu = Bytes(9000);
  return figures;
}

QString resultOf(const CalculatorPanel& panel, const QString& title) {
  for (int row = 0; row < panel.results().topLevelItemCount(); ++row) {
    const QTreeWidgetItem* const item = panel.results().topLevelItem(row);
    if (item->text(0).startsWith(title)) return item->text(1);
  }
  return QStringLiteral("no such row");
}

TEST(CalculatorPanel, IsClosedAtFirstAndOpensByKeyboard) {
  CalculatorPanel panel;
  panel.show();
  EXPECT_FALSE(panel.isOpen());
  EXPECT_FALSE(panel.field(CalculatorField::rtt).isVisible());
  auto* const toggle = panel.findChild<QToolButton*>();
  ASSERT_NE(toggle, nullptr);
  EXPECT_TRUE(toggle->focusPolicy() & Qt::TabFocus);
  QTest::keyClick(toggle, Qt::Key_Space);
  EXPECT_TRUE(panel.isOpen());
  EXPECT_TRUE(panel.field(CalculatorField::rtt).isVisible());
  for (const CalculatorField field : kCalculatorFields) EXPECT_FALSE(panel.field(field).accessibleName().isEmpty());
}

TEST(CalculatorPanel, UnknownFiguresStayEmptyAndResultsNameThem) {
  CalculatorPanel panel;
  panel.startWith(pathOf20Ms());
  EXPECT_EQ(panel.field(CalculatorField::rtt).text(), QStringLiteral("20.0 ms"));
  EXPECT_EQ(panel.field(CalculatorField::loss).text(), QString());
  EXPECT_EQ(resultOf(panel, QStringLiteral("Rate at this loss, CUBIC")), QStringLiteral("needs loss"));
}

TEST(CalculatorPanel, CalculatesWithWhatIsTyped) {
  CalculatorPanel panel;
  panel.startWith(pathOf20Ms());
  QTest::keyClicks(&panel.field(CalculatorField::loss), QStringLiteral("0.1%"));
  EXPECT_EQ(resultOf(panel, QStringLiteral("Rate at this loss, Reno (Mathis)")), QStringLiteral("at most 22.4 Mbit/s"));
  EXPECT_EQ(panel.fault(), QString());
  QTest::keyClicks(&panel.field(CalculatorField::loss), QStringLiteral("x"));
  EXPECT_EQ(resultOf(panel, QStringLiteral("Rate at this loss, Reno (Mathis)")), QStringLiteral("needs loss"));
  EXPECT_TRUE(panel.fault().startsWith(QStringLiteral("Loss takes ")));
}

TEST(CalculatorPanel, ALossThatIsNoneIsNotCalledUnknown) {
  CalculatorPanel panel;
  StatedFigures figures = pathOf20Ms();
  figures.lossEventRatio.reset();
  panel.startWith(figures);
  EXPECT_EQ(panel.field(CalculatorField::loss).placeholderText(), QStringLiteral("unknown"));
  figures.hasNoLoss = true;
  panel.setCurrent(figures);
  EXPECT_EQ(panel.field(CalculatorField::loss).placeholderText(), QStringLiteral("none seen"));
  EXPECT_EQ(panel.field(CalculatorField::window).placeholderText(), QStringLiteral("unknown"));
}

TEST(CalculatorPanel, KeepsItsFiguresWhileTheConnectionGoesOnUntilTheUserAsks) {
  CalculatorPanel panel;
  StatedFigures figures = pathOf20Ms();
  panel.startWith(figures);
  QTest::keyClicks(&panel.field(CalculatorField::rate), QStringLiteral("10Mbit"));
  figures.rttSeconds = 0.03;
  figures.windowBytes = 65'536.0;
  figures.rate = BitsPerSecond(50e6);
  panel.setCurrent(figures);
  EXPECT_EQ(panel.field(CalculatorField::rtt).text(), QStringLiteral("20.0 ms"));
  EXPECT_EQ(panel.field(CalculatorField::rate).text(), QStringLiteral("10Mbit"));
  EXPECT_EQ(panel.field(CalculatorField::window).text(), QStringLiteral("65536 bytes")) << "was unknown before";
  panel.turnTo(figures);
  EXPECT_EQ(panel.field(CalculatorField::rtt).text(), QStringLiteral("30.0 ms"));
  EXPECT_EQ(panel.field(CalculatorField::rate).text(), QStringLiteral("10Mbit")) << "typed";
  panel.useCurrent().click();
  EXPECT_EQ(panel.field(CalculatorField::rate).text(), QStringLiteral("50.0 Mbit/s"));
}

TEST(CalculatorPanel, OfTheDiagnosisBeginsWithTheSelectedConnection) {
  test::WatchedSender sender;
  NoCalculatorPort port;
  Selection selection;
  ControlState control{port};
  const ViewContext context{selection, control};
  DiagnosisView view(context);
  selection.setConnection(sender.id());
  view.setSelection(selection);
  view.calculator().setOpen(true);
  view.setSnapshot(sender.runFor(std::chrono::seconds(4)));
  EXPECT_EQ(view.calculator().field(CalculatorField::rtt).text(), QStringLiteral("20.0 ms"));
  EXPECT_EQ(view.calculator().field(CalculatorField::mss).text(), QStringLiteral("1448 bytes"));
  EXPECT_EQ(view.calculator().field(CalculatorField::otherMtu).text(), QStringLiteral("9000 bytes"));
  EXPECT_TRUE(view.calculator().field(CalculatorField::rate).text().endsWith(QStringLiteral("Mbit/s")));
  EXPECT_TRUE(view.calculator().field(CalculatorField::window).text().endsWith(QStringLiteral(" bytes")));

  for (QAction* action : view.actions()) {
    if (action->text() == QStringLiteral("&Calculator")) action->trigger();
  }
  EXPECT_FALSE(view.calculator().isOpen()) << "the action closes it";
  view.calculator().setOpen(true);

  QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  view.saveSettings(settings);
  DiagnosisView restored(context);
  EXPECT_FALSE(restored.calculator().isOpen());
  restored.restoreSettings(settings);
  EXPECT_TRUE(restored.calculator().isOpen());
}

}  // namespace
}  // namespace tcpscope
