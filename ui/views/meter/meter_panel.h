// One numeric meter: the title of the metric, its value in large figures, change and average below, the smoothing.
#pragma once

#include <QComboBox>
#include <QFrame>
#include <QLabel>

#include "core/session/session_snapshot.h"
#include "ui/views/meter/meter_reading.h"

namespace tcpscope {

class MeterPanel : public QFrame {
  Q_OBJECT
public:
  explicit MeterPanel(Metric metric, QWidget* parent = nullptr);

  /// Null: no connection is looked at.
  void show(const ConnectionDetail* detail);
  /// Another connection: the average starts again.
  void restart();
  [[nodiscard]] Metric shownMetric() const { return m_reading.metric(); }
  [[nodiscard]] int smoothingIndex() const { return m_smoothing.currentIndex(); }
  void setSmoothingIndex(int index);

signals:
  void closeWanted();

private:
  void showReading();

  MeterReading m_reading;
  QLabel m_value;
  QLabel m_change;
  QLabel m_average;
  QComboBox m_smoothing;
};

}  // namespace tcpscope
