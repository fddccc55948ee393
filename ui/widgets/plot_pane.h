// What views with a plot share: their actions, and where toolbar, plot and table stand.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QString>
#include <QTableView>
#include <QToolBar>
#include <QWidget>
#include <functional>

namespace tcpscope {

/// An action of the view, whose keys work while the view, or something in it, has the focus; those that print something
/// work while the view is in front. Its tool tip names the first of them.
QAction* addViewAction(QWidget& view, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run);

/// The toolbar, the plot above its table, which shows so many rows at first, and a line of text, from top to bottom. In
/// a low pane the room is the plot's, and the table begins hidden; the last button of the toolbar shows and hides it.
void layOutPlotPane(QWidget& view, QToolBar& bar, QWidget& plot, QWidget& table, int tableRows, QWidget& line);

}  // namespace tcpscope
