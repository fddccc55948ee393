// Every metric of the catalogue for one connection: value now, change over the last second, rate of what counts.
#pragma once

#include <QAbstractTableModel>
#include <array>
#include <optional>

#include "core/session/session_snapshot.h"

namespace tcpscope {

enum class VariableColumn : std::uint8_t { title, value, change, rate, key, count };

class VariablesModel : public QAbstractTableModel {
  Q_OBJECT
public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Role of the whole row's text (title, key, explanation), for filtering.
  static constexpr int kSearchRole = Qt::UserRole + 1;

  /// Null: no connection; the values are blank.
  void setDetail(const ConnectionDetail* detail);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Reading {
    std::optional<double> now;
    /// Over about the last second; absent without a sample that old.
    std::optional<double> change;
    std::optional<double> perSecond;
    bool operator==(const Reading&) const = default;
  };
  [[nodiscard]] QString text(int row, VariableColumn column) const;

  std::array<Reading, kMetricCount> m_readings;
  bool m_hasDetail = false;
};

}  // namespace tcpscope
