// The shares of a span of time as a pie, with a legend that names every limit, its percentage and, on hover, what it
// means.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/diagnosis/limits/limit.h"

namespace tcpscope {

class LimitPie : public QWidget {
  Q_OBJECT
public:
  explicit LimitPie(QWidget* parent = nullptr);

  void setShares(const LimitShares& shares);
  [[nodiscard]] const LimitShares& shares() const { return m_shares; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  [[nodiscard]] QRectF disc() const;
  [[nodiscard]] QRectF legendRow(std::size_t row) const;
  [[nodiscard]] std::optional<Limit> limitAt(const QPointF& position) const;

  LimitShares m_shares;
};

/// "62 %"; "<1 %" for a share above zero that rounds to 0 %, "0 %" for zero.
QString shareLabel(double ratio);

}  // namespace tcpscope
