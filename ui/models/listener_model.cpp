#include "ui/models/listener_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>

#include "core/present/text/diagnosis_text.h"
#include "ui/models/owner_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

constexpr int kListenerColumns = static_cast<int>(ListenerColumn::count);

bool isNumber(ListenerColumn column) {
  return column == ListenerColumn::waiting || column == ListenerColumn::allowed;
}

bool haveSameListeners(const SnapshotPointer& a, const SnapshotPointer& b) {
  return a != nullptr &&
         std::equal(a->listeners.begin(), a->listeners.end(), b->listeners.begin(), b->listeners.end(),
                    [](const ListenerRow& one, const ListenerRow& other) { return one.id == other.id; });
}

QString findingText(const ListenerRow& listener) {
  QStringList sentences;
  for (const Finding& finding : listener.findings) sentences << toQString(sentence(finding, Side::receiving));
  return sentences.join(u' ');
}

}  // namespace

void ListenerModel::setSnapshot(const SnapshotPointer& snapshot) {
  if (haveSameListeners(m_snapshot, snapshot)) {
    m_snapshot = snapshot;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kListenerColumns - 1));
    return;
  }
  beginResetModel();
  m_snapshot = snapshot;
  endResetModel();
}

int ListenerModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || m_snapshot == nullptr ? 0 : static_cast<int>(m_snapshot->listeners.size());
}

int ListenerModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kListenerColumns;
}

QString ListenerModel::text(const ListenerRow& listener, ListenerColumn column) const {
  switch (column) {
    case ListenerColumn::process:
      return processText(listener.owner.get());
    case ListenerColumn::local:
      return toQString(listener.local.toString());
    case ListenerColumn::waiting:
      return QString::number(listener.acceptQueue);
    case ListenerColumn::allowed:
      return QString::number(listener.backlog);
    case ListenerColumn::finding:
      return findingText(listener);
    case ListenerColumn::count:
      break;
  }
  return {};
}

QVariant ListenerModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const ListenerRow& listener = m_snapshot->listeners[static_cast<std::size_t>(index.row())];
  const auto column = static_cast<ListenerColumn>(index.column());
  switch (role) {
    case Qt::DisplayRole:
      return text(listener, column);
    case Qt::ToolTipRole:
      return toolTipText(text(listener, column));
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
      if (listener.findings.empty()) return {};
      return severityColor(listener.findings.front().severity, appearanceOf(QGuiApplication::palette()));
    default:
      return {};
  }
}

QVariant ListenerModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kListenerColumns) return {};
  const auto column = static_cast<ListenerColumn>(section);
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::Alignment(isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  const bool isHint = role == Qt::ToolTipRole;
  switch (column) {
    case ListenerColumn::process:
      return isHint ? QStringLiteral("Process that holds the socket, with its PID.") : QStringLiteral("Process");
    case ListenerColumn::local:
      return isHint ? QStringLiteral("Address and port of the listening socket.") : QStringLiteral("Listens on");
    case ListenerColumn::waiting:
      return isHint ? QStringLiteral(
                          "Accept queue length: established connections that the application has not accepted yet "
                          "(Recv-Q in ss).")
                    : QStringLiteral("Accept queue");
    case ListenerColumn::allowed:
      return isHint ? QStringLiteral(
                          "Accept queue limit: the backlog of listen(), at most net.core.somaxconn (Send-Q in ss).")
                    : QStringLiteral("Limit");
    case ListenerColumn::finding:
      return isHint ? QStringLiteral("What is wrong with this listener.") : QStringLiteral("Finding");
    case ListenerColumn::count:
      break;
  }
  return {};
}

}  // namespace tcpscope
