// Hostile texts, wherever others can write one, are only text in the window.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAction>
#include <QLabel>
#include <QTextDocument>

#include "core/session/analysis_session.h"
#include "tests/support/hostile_strings.h"
#include "tests/support/observation_builder.h"
#include "tests/ui/support/pretended_hosts.h"
#include "tests/ui/support/recording_port.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

using test::harmIn;
using test::hostileStrings;
using test::ObservationBuilder;

/// A host where this is the name of everything that others name.
std::shared_ptr<const SessionSnapshot> snapshotOf(const std::string& written) {
  const UntrustedText text(written);
  AnalysisSession session;
  Place place;
  place.host = text;
  place.kernel = text;
  session.setPlaces({place}, {});
  SessionControl control;
  control.focus = ObservationBuilder().build().id;
  control.grouping = Grouping::process;
  session.setControl(control);
  ObservationBatch batch;
  batch.changed.push_back(ObservationBuilder().congestionControl(written).build());
  batch.changed.push_back(ObservationBuilder().cookie(2).state(TcpState::listen).build());
  batch.owners.push_back({{PlaceId{0}, 1}, {1, text, text, text}});
  batch.owners.push_back({{PlaceId{0}, 2}, {2, text, text, text}});
  batch.changeMarks.push_back({Moment::fromNanoseconds(1'000'000'000), std::nullopt, text, text, text});
  batch.dumpEndedAt = Moment::fromNanoseconds(1'000'000'000);
  session.accept(batch);
  return session.tick(Moment::fromNanoseconds(1'100'000'000));
}

/// A tip is rich text if it looks like it: then only our own marks may be in it.
void expectOnlyText(QString tip) {
  EXPECT_EQ(harmIn(tip.toStdString()), "") << qPrintable(tip);
  if (!Qt::mightBeRichText(tip)) return;
  for (const char* const mark : {"<p>", "</p>", "<br>", "<b>", "</b>"}) tip.remove(QLatin1String(mark));
  EXPECT_FALSE(tip.contains(u'<')) << qPrintable(tip);
}

void expectOnlyText(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    for (int column = 0; column < model.columnCount(parent); ++column) {
      const QModelIndex cell = model.index(row, column, parent);
      EXPECT_EQ(harmIn(cell.data().toString().toStdString()), "");
      expectOnlyText(cell.data(Qt::ToolTipRole).toString());
      if (column == 0) expectOnlyText(model, cell);
    }
  }
}

TEST(HostileStrings, AreOnlyTextInTheWindow) {
  test::RecordingPort port;
  test::PretendedHosts hosts;
  MainWindow window(port, test::portsWith(hosts));
  window.selection().setConnection(ObservationBuilder().build().id);
  bool isShown = false;
  for (const std::string& text : hostileStrings()) {
    const auto snapshot = snapshotOf(text);
    window.list().setSnapshot(snapshot);
    for (View* view : window.views().views()) view->setSnapshot(snapshot);
    for (const QLabel* label : window.findChildren<QLabel*>()) {
      EXPECT_EQ(harmIn(label->text().toStdString()), "");
      const bool isRich = Qt::mightBeRichText(label->text()) && label->textFormat() != Qt::PlainText;
      EXPECT_FALSE(isRich) << qPrintable(label->text());
      isShown = isShown || label->text().contains(QStringLiteral("{{7*7}}"));
    }
    for (const QWidget* widget : window.findChildren<QWidget*>()) expectOnlyText(widget->toolTip());
    for (const QAction* action : window.findChildren<QAction*>()) expectOnlyText(action->toolTip());
    for (const QAbstractItemView* table : window.findChildren<QAbstractItemView*>()) {
      if (table->model() != nullptr) expectOnlyText(*table->model());
    }
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_TRUE(isShown) << "the properties name the program";
}

}  // namespace
}  // namespace tcpscope
