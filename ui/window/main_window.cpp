#include "ui/window/main_window.h"

#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/feed/change_port.h"
#include "ui/text/plain_text.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope {

namespace {

/// The hosts of a demo are gone, and with them what was changed there.
void forgetChangeOf(const SnapshotPointer& demo, ChangePort* port) {
  if (demo == nullptr || port == nullptr) return;
  const auto place = port->state().place;
  const bool isOfDemo =
      std::any_of(demo->places.begin(), demo->places.end(), [&](const Place& one) { return one.id == place; });
  if (isOfDemo) port->forget();
}

}  // namespace

MainWindow::MainWindow(SessionPort& session, const Ports& ports, QWidget* parent)
    : QMainWindow(parent),
      m_feed(session),
      m_control(session),
      m_bars(new NoticeBars(ports, m_control, this)),
      m_list(new ConnectionListView({m_selection, m_control, ports}, this)),
      m_views(new ViewStack({m_selection, m_control, ports}, this)),
      m_splitter(new QSplitter(Qt::Vertical)),
      m_status(new StatusLine(m_control, this)),
      m_source(new ShownSource(shownParts(), this)),
      m_demoPackets(new DemoPackets(*m_bars, m_selection, *m_views, this)),
      m_files(new FileActions(*m_bars, *this)),
      m_theme(new ThemeMenu(this)),
      m_textSize(new TextSize(*this)),
      m_presentation(new Presentation({*this, *m_list, *m_views, *m_status})) {
  if (ports.reports != nullptr) m_reports = new ReportActions(*m_bars->report(), m_feed, m_selection, m_control, *this);
  if (ports.hosts != nullptr) m_hosts = new HostActions(*ports.hosts, *m_bars, *this);
  setWindowTitle(QStringLiteral("tcpscope"));
  resize(1280, 720);
  layOut();
  buildMainMenu(*this, {shownParts(), ports, *m_files, *m_theme, *m_textSize, *m_presentation, m_reports, m_hosts});
  connectParts(ports);
  connectTriggers();
  m_list->setFocus();
}

void MainWindow::layOut() {
  m_splitter->addWidget(m_list);
  // A demo starts a capture with a view of packets: below it, so that the tabs stay under the pointer.
  auto* lower = new QWidget;
  auto* views = new QVBoxLayout(lower);
  views->setContentsMargins(0, 0, 0, 0);
  views->setSpacing(0);
  views->addWidget(m_views, 1);
  views->addWidget(&m_bars->liveCapture());
  m_splitter->addWidget(lower);
  m_splitter->setChildrenCollapsible(false);
  // Some rows of the list, and the rest is the view's.
  m_splitter->setSizes({180, 490});
  m_splitter->setStretchFactor(0, 1);
  m_splitter->setStretchFactor(1, 5);
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_bars);
  layout->addWidget(m_splitter, 1);
  setCentralWidget(page);
  setStatusBar(m_status);
}

void MainWindow::connectParts(const Ports& ports) {
  if (m_bars->demo() != nullptr) {
    connect(m_bars->demo(), &DemoBar::riddleChanged, m_list, &ConnectionListView::hideVerdicts);
    connect(m_bars->demo(), &DemoBar::ended, this, [this, ports] {
      for (ChangePort* port : {ports.changes, ports.settings}) forgetChangeOf(m_feed.latest(), port);
    });
  }
  connect(&m_feed, &SnapshotFeed::snapshotChanged, this, &MainWindow::showSnapshot);
  connect(&m_selection, &Selection::connectionChanged, this, &MainWindow::followSelection);
  connect(&m_selection, &Selection::spanChanged, this, &MainWindow::followSpan);
  connect(&m_selection, &Selection::furtherChanged, this, &MainWindow::followFurther);
  connect(m_list, &ConnectionListView::problemsRequested, this,
          [this] { m_views->showView(QStringLiteral("problems")); });
  connect(m_list, &ConnectionListView::captureRequested, this, &MainWindow::capturePackets);
  // A recording with packets needs a capture that takes some.
  connect(m_files, &FileActions::packetsRecorded, this, [this] {
    if (!m_bars->liveCapture().isRunning()) capturePackets();
  });
  connect(m_list, &ConnectionListView::wiresharkRequested, m_files, &FileActions::showInWireshark);
  connect(m_list, &ConnectionListView::packetsRequested, m_files, &FileActions::choosePacketsFile);
}

void MainWindow::connectTriggers() {
  m_triggers = new TriggerResponder({*this, m_feed, m_reports, m_bars->record(), &m_bars->liveCapture()}, {}, this);
  for (View* view : m_views->views()) {
    auto* scope = dynamic_cast<ScopeView*>(view);
    if (scope == nullptr) continue;
    connect(scope, &ScopeView::triggerArmed, m_triggers, &TriggerResponder::arm);
    connect(scope, &ScopeView::triggerFired, m_triggers, &TriggerResponder::respond);
  }
}

void MainWindow::capturePackets() {
  const SnapshotPointer& snapshot = m_feed.latest();
  if (snapshot == nullptr || !m_selection.connection()) return;
  const ConnectionFacts* connection = snapshot->find(*m_selection.connection());
  if (connection == nullptr) return;
  m_bars->liveCapture().capture(*connection);
  m_views->showView(QStringLiteral("packets"));
}

void MainWindow::showSnapshot(const SnapshotPointer& snapshot) {
  m_list->setSnapshot(snapshot);
  m_status->setSnapshot(snapshot);
  m_bars->liveCapture().setSnapshot(snapshot);
  m_views->setSnapshot(snapshot);
  const Place* const file = shownFile(*snapshot);
  // Of several windows the one with this file.
  setWindowTitle(file == nullptr ? QStringLiteral("tcpscope")
                                 : QStringLiteral("%1 – tcpscope").arg(plainText(file->recording)));
  // A replay that goes back knows them again.
  if (file == nullptr) m_selection.dropUnknown(*snapshot);
  if (m_bars->replay() != nullptr) m_bars->replay()->poll();
  m_source->setSnapshot(*snapshot);
  m_demoPackets->setSnapshot(snapshot);
}

void MainWindow::followSelection() {
  m_control.setFocus(m_selection.connection());
  followSpan();
}

void MainWindow::followSpan() {
  m_list->setSelection(m_selection);
  m_views->setSelection(m_selection);
}

void MainWindow::followFurther() {
  m_control.setFurther({m_selection.further().begin(), m_selection.further().end()});
  followSpan();
}

void MainWindow::saveSettings(QSettings& settings) const {
  m_presentation->present(false);
  settings.setValue("window/geometry", saveGeometry());
  settings.setValue("window/splitter", m_splitter->saveState());
  settings.setValue("sampling/listMs", static_cast<qlonglong>(m_control.value().listInterval.count()));
  settings.setValue("sampling/focusUs", static_cast<qlonglong>(m_control.value().focusInterval.count()));
  m_theme->saveSettings(settings);
  m_textSize->saveSettings(settings);
  m_files->saveSettings(settings);
  if (m_reports != nullptr) m_reports->saveSettings(settings);
  if (m_hosts != nullptr) m_hosts->saveSettings(settings);
  m_list->saveSettings(settings);
  m_views->saveSettings(settings);
}

void MainWindow::restoreSettings(QSettings& settings) {
  restoreGeometry(settings.value("window/geometry").toByteArray());
  m_presentation->followWindow();
  m_splitter->restoreState(settings.value("window/splitter").toByteArray());
  m_control.setListInterval(
      Milliseconds(std::clamp<qlonglong>(settings.value("sampling/listMs", 1000).toLongLong(), 100, 10'000)));
  m_control.setFocusInterval(
      Microseconds(std::clamp<qlonglong>(settings.value("sampling/focusUs", 10'000).toLongLong(), 1'000, 1'000'000)));
  m_theme->restoreSettings(settings);
  m_textSize->restoreSettings(settings);
  m_files->restoreSettings(settings);
  if (m_reports != nullptr) m_reports->restoreSettings(settings);
  if (m_hosts != nullptr) m_hosts->restoreSettings(settings);
  m_list->restoreSettings(settings);
  m_views->restoreSettings(settings);
}

}  // namespace tcpscope
