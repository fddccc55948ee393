// How tables of whole rows look and behave in every view: one row selected at a time, no grid, no row numbers, Tab
// leaves the table.
#pragma once

#include <QString>
#include <QTableView>

namespace tcpscope {

/// `name` is the accessible one.
void setUpRowTable(QTableView& table, const QString& name);

}  // namespace tcpscope
