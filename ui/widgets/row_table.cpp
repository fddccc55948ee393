#include "ui/widgets/row_table.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <utility>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

/// Of packets there may be millions.
constexpr int kMostCopiedRows = 10'000;

QList<int> shownColumns(const QTableView& table) {
  QList<int> columns;
  for (int place = 0; place < table.model()->columnCount(); ++place) {
    const int column = table.horizontalHeader()->logicalIndex(place);
    if (!table.isColumnHidden(column)) columns << column;
  }
  return columns;
}

QString csvLine(const QStringList& cells) {
  QStringList quoted;
  for (const QString& cell : cells) quoted << QString::fromStdString(forCsv(cell.toStdString()));
  return quoted.join(QLatin1Char(',')) + QStringLiteral("\r\n");
}

QString jsonOf(const QStringList& titles, const QList<QStringList>& rows) {
  QJsonArray array;
  for (const QStringList& cells : rows) {
    QJsonObject object;
    for (qsizetype column = 0; column < titles.size(); ++column) object.insert(titles[column], cells[column]);
    array.append(object);
  }
  return QString::fromUtf8(QJsonDocument(array).toJson());
}

}  // namespace

void setUpRowTable(QTableView& table, const QString& name) {
  table.setAccessibleName(name);
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setSelectionMode(QAbstractItemView::SingleSelection);
  table.setAlternatingRowColors(true);
  table.setShowGrid(false);
  table.setTabKeyNavigation(false);
  table.verticalHeader()->hide();
  table.horizontalHeader()->setHighlightSections(false);
  table.horizontalHeader()->setStretchLastSection(true);
  addCopyActions(table);
  table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

QList<int> rowsToCopy(const QTableView& table) {
  QList<int> rows;
  for (const QModelIndex& row : table.selectionModel()->selectedRows()) rows << row.row();
  if (rows.isEmpty()) {
    for (int row = 0; row < std::min(table.model()->rowCount(), kMostCopiedRows); ++row) rows << row;
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

QString rowsAs(RowFormat format, const QTableView& table, const QList<int>& rowNumbers) {
  const QAbstractItemModel& model = *table.model();
  const QList<int> columns = shownColumns(table);
  QStringList titles;
  for (const int column : columns) titles << model.headerData(column, Qt::Horizontal).toString();
  QList<QStringList> rows;
  for (const int row : rowNumbers) {
    QStringList& cells = rows.emplace_back();
    for (const int column : columns) cells << model.index(row, column).data().toString();
  }
  if (format == RowFormat::json) return jsonOf(titles, rows);
  QString text = format == RowFormat::csv ? csvLine(titles) : QString();
  for (const QStringList& cells : rows) {
    text += format == RowFormat::csv ? csvLine(cells) : cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  return text;
}

QList<QAction*> makeCopyActions(const QTableView& table, const std::function<QList<int>()>& rows, QObject& parent) {
  QList<QAction*> actions;
  for (const auto& [title, format] :
       {std::pair(QStringLiteral("Cop&y"), RowFormat::text), std::pair(QStringLiteral("Copy as CS&V"), RowFormat::csv),
        std::pair(QStringLiteral("Copy as &JSON"), RowFormat::json)}) {
    auto* action = new QAction(title, &parent);
    QObject::connect(action, &QAction::triggered, &table, [&table, rows, chosen = format] {
      QGuiApplication::clipboard()->setText(rowsAs(chosen, table, rows()));
    });
    actions << action;
  }
  return actions;
}

void addCopyActions(QTableView& table) {
  const QList<QAction*> actions = makeCopyActions(
      table, [&table] { return rowsToCopy(table); }, table);
  actions.constFirst()->setShortcut(QKeySequence::Copy);
  // Several tables have the key, each while it has the focus.
  actions.constFirst()->setShortcutContext(Qt::WidgetShortcut);
  table.addActions(actions);
}

}  // namespace tcpscope
