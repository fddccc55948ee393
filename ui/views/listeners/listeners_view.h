// The programs that wait for connections, with those that lose some first. It is about the place, not about the
// selected connection.
#pragma once

#include <QLabel>
#include <QTableView>

#include "ui/models/listener_model.h"
#include "ui/views/view.h"

namespace tcpscope {

class ListenersView : public View {
  Q_OBJECT
public:
  explicit ListenersView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection&) override {}

private:
  ListenerModel m_model;
  QTableView m_table;
  QLabel m_status;
};

}  // namespace tcpscope
