#include "ui/views/path_history/path_history_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

#include "core/advice/path_advice.h"
#include "core/present/text/path_history_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {

namespace {

constexpr std::chrono::seconds kAskEvery{1};

SteadyRow rowOf(const PathEntry& entry) {
  SteadyRow row;
  for (const std::string& text : pathCells(entry)) row.cells.append(toQString(text));
  return row;
}

}  // namespace

PathHistoryView::PathHistoryView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_timer(this),
      m_rows(new SteadyList(
          {QStringLiteral("Path to"), QStringLiteral("RTT"), QStringLiteral("Tx rate"), QStringLiteral("Rx rate"),
           QStringLiteral("BDP"), QStringLiteral("Loss"), QStringLiteral("Usually limited by"),
           QStringLiteral("Connections"), QStringLiteral("Last seen")},
          QStringLiteral("Paths"))),
      m_forget(QStringLiteral("For&get this path")) {
  m_headline.setText(port() == nullptr ? QStringLiteral("No path history is kept here.")
                                       : QStringLiteral("Reading the path history…"));
  m_headline.setTextFormat(Qt::PlainText);
  m_headline.setWordWrap(true);
  m_description.setReadOnly(true);
  m_description.setAccessibleName(QStringLiteral("History of the selected path"));
  m_forget.setEnabled(false);
  buildLayout();
  connect(&m_timer, &QTimer::timeout, this, &PathHistoryView::poll);
  connect(m_rows, &QTreeWidget::currentItemChanged, this, &PathHistoryView::describeChosen);
  connect(&m_forget, &QPushButton::clicked, this, [this] {
    const PathEntry* entry = chosen();
    if (port() == nullptr || entry == nullptr) return;
    port()->forget(entry->path);
    poll();
  });
}

void PathHistoryView::buildLayout() {
  for (int column = 0; column < m_rows->columnCount() - 1; ++column) {
    m_rows->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  }
  m_rows->header()->setStretchLastSection(true);
  m_rows->headerItem()->setToolTip(
      4, QStringLiteral("Bandwidth-delay product: the data in flight that saturates the path"));
  auto* top = new QHBoxLayout;
  top->addWidget(&m_headline, 1);
  top->addWidget(&m_forget);
  auto* parts = new QSplitter(Qt::Vertical);
  parts->addWidget(m_rows);
  parts->addWidget(&m_description);
  parts->setStretchFactor(0, 1);
  parts->setStretchFactor(1, 1);
  parts->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(top);
  layout->addWidget(parts, 1);
}

void PathHistoryView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  if (port() == nullptr) return;
  m_timer.start(kAskEvery);
  poll();
}

void PathHistoryView::hideEvent(QHideEvent* event) {
  View::hideEvent(event);
  m_timer.stop();
}

void PathHistoryView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  followSelection();
}

void PathHistoryView::setSelection(const Selection&) {
  m_follows = true;
  followSelection();
}

void PathHistoryView::poll() {
  if (port() == nullptr) return;
  const auto state = port()->state();
  if (state == nullptr || state == m_state) return;
  m_state = state;
  showState();
}

void PathHistoryView::showState() {
  const std::size_t count = m_state->entries.size();
  if (!m_state->problem.empty()) {
    m_headline.setText(toQString(m_state->problem));
  } else if (count == 0) {
    m_headline.setText(QStringLiteral("No paths yet: each transfer adds what it shows of its path."));
  } else {
    m_headline.setText(QStringLiteral("Networks that this host connected to: %1").arg(count));
  }
  std::vector<SteadyRow> rows;
  for (const PathEntry& entry : m_state->entries) rows.push_back(rowOf(entry));
  m_rows->setRows(std::move(rows));
  followSelection();
  describeChosen();
}

/// Once for each connection that gets selected, so that another choice of the user stays.
void PathHistoryView::followSelection() {
  if (!m_follows || m_state == nullptr || m_snapshot == nullptr || !context().selection.connection()) return;
  const ConnectionFacts* facts = m_snapshot->find(*context().selection.connection());
  if (facts == nullptr) return;
  const auto path = bookedPath(*port(), *m_snapshot, *facts);
  if (!path) return;
  const auto items = m_rows->findItems(toQString(path->toString()), Qt::MatchExactly);
  if (items.isEmpty()) return;
  m_follows = false;
  m_rows->setCurrentItem(items.constFirst());
}

const PathEntry* PathHistoryView::chosen() const {
  if (m_state == nullptr || m_rows->currentItem() == nullptr) return nullptr;
  const auto path = PathPrefix::parse(m_rows->currentItem()->text(0).toStdString());
  return path ? m_state->find(*path) : nullptr;
}

void PathHistoryView::describeChosen() {
  const PathEntry* entry = chosen();
  m_forget.setEnabled(entry != nullptr);
  if (entry == nullptr) return m_description.clear();
  QStringList lines = {toQString(pathSentence(*entry))};
  for (const auto& [title, text] : pathFacts(*entry)) {
    QString name = toQString(title);
    name[0] = name[0].toUpper();
    lines << QStringLiteral("%1: %2.").arg(name, toQString(text));
  }
  for (const Side side : {Side::sending, Side::receiving}) {
    lines << toQString(sentence(adviseBuffer(*entry, side, m_state->settings)));
  }
  const QString text = lines.join(QLatin1Char('\n'));
  // What did not change keeps its place and what was marked in it.
  if (text != m_description.toPlainText()) m_description.setPlainText(text);
}

}  // namespace tcpscope
