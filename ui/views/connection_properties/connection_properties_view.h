// What was negotiated, who owns the connection, its buffers, and what is missing: the connection as a whole.
#pragma once

#include <QLabel>
#include <QVBoxLayout>
#include <vector>

#include "ui/models/connection_properties.h"
#include "ui/views/view.h"

namespace tcpscope {

class ConnectionPropertiesView : public View {
  Q_OBJECT
public:
  explicit ConnectionPropertiesView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;

private:
  void showMessage(const QString& message);
  void showProperties(const std::vector<PropertySection>& sections, const std::vector<QString>& missing);
  void build(const std::vector<PropertySection>& sections);

  QLabel* m_message;
  QLabel* m_missing;
  QWidget* m_content;
  QHBoxLayout* m_columns;
  /// Value labels in the order of the sections; rebuilt when names change, else only their texts.
  std::vector<QLabel*> m_values;
  std::vector<QString> m_names;
  std::size_t m_columnCount = 0;
};

}  // namespace tcpscope
