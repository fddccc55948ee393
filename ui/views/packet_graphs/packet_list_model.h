// The packets of one direction's graph as a list: every segment and every acknowledgment of it, in the order of the
// capture. A row is found when it is shown, so that millions of packets take no memory here.
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "ui/plots/packet_order.h"

namespace tcpscope {

struct CapturedPackets;

class PacketListModel : public QAbstractTableModel {
  Q_OBJECT
public:
  static constexpr int kColumns = 6;
  enum Column : int { frame, time, packet, sequence, length, window };

  using QAbstractTableModel::QAbstractTableModel;

  /// Null for no packets. `start`: what the times count from.
  void setPackets(std::shared_ptr<const CapturedPackets> packets, std::size_t direction, Moment start);
  void setAppearance(Appearance appearance);
  /// Position in the capture, from 0; nothing where there is no such row.
  [[nodiscard]] std::optional<std::uint32_t> numberAt(int row) const;
  /// Nothing where this direction's graph has no such packet.
  [[nodiscard]] std::optional<int> rowOf(std::uint32_t number) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows; }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : kColumns;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  [[nodiscard]] const DirectionSeries& series() const;
  [[nodiscard]] QString text(std::uint32_t number, int column) const;

  std::shared_ptr<const CapturedPackets> m_packets;
  std::size_t m_direction = 0;
  Moment m_start;
  int m_rows = 0;
  Appearance m_appearance = Appearance::light;
};

}  // namespace tcpscope
