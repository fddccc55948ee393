// The items of a packet graph as a table that says the same as the plot: legend and numbers in one.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "ui/plots/packet_readings.h"

namespace tcpscope {

class PacketTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  static constexpr int kColumns = 4;
  enum Column : int { what, onScreen, inAll, betweenCursors };

  struct Row {
    ItemReading onScreen;
    ItemReading inAll;
    std::optional<ItemReading> betweenCursors;
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setRows(std::vector<Row> rows, Appearance appearance);
  [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  std::vector<Row> m_rows;
  Appearance m_appearance = Appearance::light;
};

}  // namespace tcpscope
