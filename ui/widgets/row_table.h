// How tables of whole rows look and behave in every view: one row selected at a time, no grid, no row numbers, Tab
// leaves the table, Ctrl+C and the context menu copy rows.
#pragma once

#include <QList>
#include <QString>
#include <QTableView>
#include <functional>

class QAction;

namespace tcpscope {

/// `name` is the accessible one.
void setUpRowTable(QTableView& table, const QString& name);

/// Cells between tabs; RFC 4180 with a header; an array of objects, one a row, by header.
enum class RowFormat : std::uint8_t { text, csv, json };

/// These rows: the columns that are shown, in the order in which they are.
QString rowsAs(RowFormat format, const QTableView& table, const QList<int>& rows);
/// The selected rows, or all (at most 10,000) while none is.
QList<int> rowsToCopy(const QTableView& table);

/// Actions of `parent` that copy the rows that are asked for when they are triggered, one for each format.
QList<QAction*> makeCopyActions(const QTableView& table, const std::function<QList<int>()>& rows, QObject& parent);
/// Those for the selected rows, the first with Ctrl+C.
void addCopyActions(QTableView& table);

}  // namespace tcpscope
