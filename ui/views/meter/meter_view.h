// The numeric meters of the selected connection, as many as wanted.
#pragma once

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <vector>

#include "ui/views/meter/meter_panel.h"
#include "ui/views/view.h"

namespace tcpscope {

class MeterView : public View {
  Q_OBJECT
public:
  explicit MeterView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;
  /// Adds a meter; an existing one stays as it is.
  void openMetric(Metric metric) override;
  void saveSettings(QSettings& settings) const override;
  void restoreSettings(QSettings& settings) override;

  [[nodiscard]] const std::vector<MeterPanel*>& panels() const { return m_panels; }

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void close(MeterPanel* panel);
  void arrange();

  QWidget* m_board;
  QGridLayout* m_grid;
  QLabel m_status;
  QComboBox m_choice;
  std::vector<MeterPanel*> m_panels;
};

}  // namespace tcpscope
