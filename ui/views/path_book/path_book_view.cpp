#include "ui/views/path_book/path_book_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

#include "core/advice/path_advice.h"
#include "core/present/text/path_book_text.h"
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

PathBookView::PathBookView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_timer(this),
      m_rows(new SteadyList({tr("Path to"), tr("Round trip"), tr("Sending"), tr("Receiving"), tr("BDP"), tr("Losses"),
                             tr("Usually held back by"), tr("Connections"), tr("Last seen")},
                            tr("Paths"))),
      m_forget(tr("&Forget this path")) {
  m_headline.setText(port() == nullptr ? QStringLiteral("No path history is kept here.")
                                       : QStringLiteral("Reading the path history…"));
  m_headline.setTextFormat(Qt::PlainText);
  m_headline.setWordWrap(true);
  m_told.setReadOnly(true);
  m_told.setAccessibleName(tr("What the chosen path has shown"));
  m_forget.setEnabled(false);
  buildLayout();
  connect(&m_timer, &QTimer::timeout, this, &PathBookView::poll);
  connect(m_rows, &QTreeWidget::currentItemChanged, this, &PathBookView::tellChosen);
  connect(&m_forget, &QPushButton::clicked, this, [this] {
    const PathEntry* entry = chosen();
    if (port() == nullptr || entry == nullptr) return;
    port()->forget(entry->path);
    poll();
  });
}

void PathBookView::buildLayout() {
  for (int column = 0; column < m_rows->columnCount() - 1; ++column) {
    m_rows->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  }
  m_rows->header()->setStretchLastSection(true);
  m_rows->headerItem()->setToolTip(4, tr("Bandwidth times delay: so much has to be under way to fill the path"));
  auto* top = new QHBoxLayout;
  top->addWidget(&m_headline, 1);
  top->addWidget(&m_forget);
  auto* parts = new QSplitter(Qt::Vertical);
  parts->addWidget(m_rows);
  parts->addWidget(&m_told);
  parts->setStretchFactor(0, 1);
  parts->setStretchFactor(1, 1);
  parts->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(top);
  layout->addWidget(parts, 1);
}

void PathBookView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  if (port() == nullptr) return;
  m_timer.start(kAskEvery);
  poll();
}

void PathBookView::hideEvent(QHideEvent* event) {
  View::hideEvent(event);
  m_timer.stop();
}

void PathBookView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  followSelection();
}

void PathBookView::setSelection(const Selection&) {
  m_follows = true;
  followSelection();
}

void PathBookView::poll() {
  if (port() == nullptr) return;
  const auto state = port()->state();
  if (state == nullptr || state == m_state) return;
  m_state = state;
  showState();
}

void PathBookView::showState() {
  const std::size_t count = m_state->entries.size();
  if (!m_state->problem.empty()) {
    m_headline.setText(toQString(m_state->problem));
  } else if (count == 0) {
    m_headline.setText(tr("No path is known yet: what transfers show of their paths comes here."));
  } else {
    m_headline.setText(tr("Networks that connections of this host went to: %1").arg(count));
  }
  std::vector<SteadyRow> rows;
  for (const PathEntry& entry : m_state->entries) rows.push_back(rowOf(entry));
  m_rows->setRows(std::move(rows));
  followSelection();
  tellChosen();
}

/// Once for each connection that gets selected: whoever looks at another path then is left there.
void PathBookView::followSelection() {
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

const PathEntry* PathBookView::chosen() const {
  if (m_state == nullptr || m_rows->currentItem() == nullptr) return nullptr;
  const auto path = PathPrefix::parse(m_rows->currentItem()->text(0).toStdString());
  return path ? m_state->find(*path) : nullptr;
}

void PathBookView::tellChosen() {
  const PathEntry* entry = chosen();
  m_forget.setEnabled(entry != nullptr);
  if (entry == nullptr) return m_told.clear();
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
  if (text != m_told.toPlainText()) m_told.setPlainText(text);
}

}  // namespace tcpscope
