#include "ui/window/view_stack.h"

#include <QSettings>
#include <utility>

#include "core/session/problems.h"

namespace tcpscope {

ViewStack::ViewStack(const ViewContext& context, QWidget* parent) : QTabWidget(parent) {
  setDocumentMode(true);
  setAccessibleName(QStringLiteral("Views of the selected connection"));
  for (const ViewRow& row : viewCatalogue()) {
    View* view = row.create(context, this);
    const QString title = QString::fromUtf8(row.title);
    m_views.push_back(view);
    addTab(view, title);
    setTabToolTip(count() - 1, QStringLiteral("%1 (%2)").arg(title, QLatin1String(row.shortcut)));
    connect(view, &View::traceRequested, this, [this](Metric metric) { open(QStringLiteral("scope"), metric); });
    connect(view, &View::viewRequested, this, &ViewStack::showView);
    connect(view, &View::packetsRequested, this, &ViewStack::openPackets);
    connect(view, &View::backRequested, this, [this] {
      if (!m_askedFrom.isEmpty()) showView(m_askedFrom);
    });
    connect(view, &View::meterRequested, this, [this](Metric metric) { open(QStringLiteral("meters"), metric); });
  }
  connect(this, &QTabWidget::currentChanged, this, [this] {
    if (!m_isSwitching) {
      m_isChosen = m_isRequested = true;
      m_ownKey = currentKey();
    }
    feedCurrent();
  });
  connect(this, &QTabWidget::tabBarClicked, this, [this] { m_isChosen = m_isRequested = true; });
}

void ViewStack::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  showProblems();
  feedCurrent();
  feedOthers();
}

void ViewStack::feedOthers() {
  for (View* view : m_views) {
    if (view->needsEverySnapshot() && view != currentWidget()) view->setSnapshot(m_snapshot);
  }
}

void ViewStack::showProblems() {
  // Verdicts take some polls; later a jump would take its user by surprise.
  constexpr Nanoseconds kStart = std::chrono::seconds(5);
  if (!m_startedAt) m_startedAt = m_snapshot->time;
  const auto& problems = m_snapshot->problems;
  const QString key = QStringLiteral("problems");
  const auto tab = indexOf(key);
  if (!tab) return;
  const QString title = QString::fromUtf8(viewCatalogue()[static_cast<std::size_t>(*tab)].title);
  const QString text =
      !problems || problems->empty() ? title : QStringLiteral("%1 (%2)").arg(title).arg(problems->size());
  // The tab bar computes its layout again each time.
  if (tabText(*tab) != text) setTabText(*tab, text);
  const bool isTrouble = problems && !problems->empty() && problems->front().severity == FindingSeverity::problem;
  if (isTrouble && !m_isChosen && m_snapshot->time - *m_startedAt <= kStart) showView(key);
}

void ViewStack::feedCurrent() {
  const int current = currentIndex();
  if (m_snapshot == nullptr || current < 0 || !isVisible()) return;
  m_views[static_cast<std::size_t>(current)]->setSnapshot(m_snapshot);
}

void ViewStack::setSelection(const Selection& selection) {
  for (View* view : m_views) view->setSelection(selection);
  feedCurrent();
}

void ViewStack::forgetSource() {
  for (View* view : m_views) view->forgetSource();
}

std::optional<int> ViewStack::indexOf(const QString& key) {
  const auto catalogue = viewCatalogue();
  for (std::size_t index = 0; index < catalogue.size(); ++index) {
    if (key == QLatin1String(catalogue[index].key)) return static_cast<int>(index);
  }
  return std::nullopt;
}

bool ViewStack::showView(const QString& key) {
  const auto index = indexOf(key);
  if (!index) return false;
  m_isChosen = m_isRequested = true;
  setCurrentIndex(*index);
  return true;
}

void ViewStack::focusCurrent() {
  QWidget* view = currentWidget();
  // The first that takes keys: the view as a whole, or what is in it.
  QWidget* taker = view;
  while (taker->focusPolicy() == Qt::NoFocus && view->isAncestorOf(taker->nextInFocusChain())) {
    taker = taker->nextInFocusChain();
  }
  taker->setFocus(Qt::ShortcutFocusReason);
}

void ViewStack::beginFix() {
  if (!showView(QStringLiteral("advice"))) return;
  // The remedies come with the snapshot, if the view was not shown before.
  feedCurrent();
  m_views[static_cast<std::size_t>(currentIndex())]->beginFix();
}

void ViewStack::startAt(const QString& key) {
  if (m_ownKey.isEmpty()) m_ownKey = currentKey();
  switchTo(key);
  m_isChosen = false;
  m_startedAt.reset();
}

void ViewStack::switchTo(const QString& key) {
  const bool wasSwitching = std::exchange(m_isSwitching, true);
  if (const auto index = indexOf(key)) setCurrentIndex(*index);
  m_isSwitching = wasSwitching;
}

QString ViewStack::currentKey() const {
  return QLatin1String(viewCatalogue()[static_cast<std::size_t>(currentIndex())].key);
}

bool ViewStack::showsPackets() const {
  return viewCatalogue()[static_cast<std::size_t>(currentIndex())].isOfPackets;
}

void ViewStack::open(const QString& key, Metric metric) {
  if (!showView(key)) return;
  m_views[static_cast<std::size_t>(currentIndex())]->openMetric(metric);
  feedCurrent();
}

void ViewStack::openPackets(const PacketTarget& target) {
  m_askedFrom = currentKey();
  if (!showView(QStringLiteral("packets"))) return;
  // The packets come with the snapshot, if the view was not shown before.
  feedCurrent();
  m_views[static_cast<std::size_t>(currentIndex())]->openPackets(target);
}

void ViewStack::saveSettings(QSettings& settings) const {
  settings.setValue("window/view", m_ownKey.isEmpty() ? currentKey() : m_ownKey);
  for (const View* view : m_views) view->saveSettings(settings);
}

void ViewStack::restoreSettings(QSettings& settings) {
  for (View* view : m_views) view->restoreSettings(settings);
  switchTo(settings.value("window/view").toString());
}

}  // namespace tcpscope
