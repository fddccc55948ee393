// What the scope does on request: scales and the menu of a trace, pictures and samples to files.
#include <QFileDialog>
#include <QMenu>
#include <QTableView>

#include "core/present/text/quantity_text.h"
#include "ui/plots/axis_tickers.h"
#include "ui/plots/xy_plot.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"
#include "ui/views/saved_file.h"
#include "ui/views/scope/scope_text.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope {

namespace {

/// Steps on offer on each side of the one in use.
constexpr int kOffered = 5;

}  // namespace

void ScopeView::showTraceMenu(const QPoint& position) {
  const QModelIndex index = m_table->indexAt(position);
  if (!index.isValid() || m_traces.empty()) return;
  const std::size_t row = static_cast<std::size_t>(index.row()) % m_traces.size();
  QMenu menu(this);
  addScaleActions(*menu.addMenu(QStringLiteral("Units per division")), row);
  menu.addAction(QStringLiteral("Remove trace"), this, [this, row] {
    m_hasOwnTraces = true;
    m_traces.remove(row);
    rescaled();
  });
  menu.exec(m_table->viewport()->mapToGlobal(position));
}

void ScopeView::showScaleMenu(const QModelIndex& cell) {
  if (m_traces.empty()) return;
  QMenu menu(this);
  addScaleActions(menu, static_cast<std::size_t>(cell.row()) % m_traces.size());
  menu.exec(m_table->viewport()->mapToGlobal(m_table->visualRect(cell).bottomLeft()));
}

void ScopeView::addScaleActions(QMenu& menu, std::size_t trace) {
  if (trace >= m_traces.size()) return;
  const VerticalScale& scale = m_traces.at(trace).scale;
  const auto addStep = [&](const QString& text, bool inUse, auto change) {
    QAction* action = menu.addAction(text, this, [this, trace, change] {
      m_hasOwnTraces = true;
      change(m_traces.at(trace).scale);
      rescaled();
    });
    action->setCheckable(true);
    action->setChecked(inUse);
  };
  addStep(QStringLiteral("Automatic"), scale.isAutomatic(), [](VerticalScale& changed) { changed.setAutomatic(); });
  const double inUse = scale.unitsPerDivision();
  double step = inUse;
  for (int count = 0; count < kOffered; ++count) step = previousUnitsPerDivision(scale.unit(), step);
  for (int count = 0; count <= 2 * kOffered; ++count) {
    addStep(valueLabel(scale.unit(), step), !scale.isAutomatic() && step == inUse,
            [step](VerticalScale& changed) { changed.setUnitsPerDivision(step); });
    step = nextUnitsPerDivision(scale.unit(), step);
  }
}

void ScopeView::turnScale(int steps) {
  if (m_selected >= m_traces.size()) return;
  VerticalScale& scale = m_traces.at(m_selected).scale;
  if (steps > 0) {
    scale.finer();
  } else {
    scale.coarser();
  }
  m_hasOwnTraces = true;
  rescaled();
}

void ScopeView::fitScale() {
  if (m_selected >= m_traces.size()) return;
  m_traces.at(m_selected).scale.setAutomatic();
  rescaled();
}

void ScopeView::rescaled() {
  m_readingsAt = Moment();
  refresh();
}

void ScopeView::exportPicture() {
  QString chosen;
  const QString path =
      QFileDialog::getSaveFileName(this, QStringLiteral("Save picture"), QStringLiteral("scope.png"),
                                   QStringLiteral("PNG picture (*.png);;PDF document (*.pdf)"), &chosen);
  if (path.isEmpty()) return;
  showFailure(this, QStringLiteral("Save picture"),
              writePicture(context().ports.files, path, pictureTitle(), [this](const PictureFile& file) {
                return m_xy ? m_xyPlot->savePicture(file) : m_plot->savePicture(file);
              }));
}

QString ScopeView::pictureTitle() const {
  const auto screen = m_acquisition.screen();
  if (!screen || m_snapshot == nullptr) return {};
  QStringList names;
  for (const ShownConnection& connection : m_shown.all()) names << connectionTitle(*m_snapshot, connection.detail->row);
  return QStringLiteral("%1\n%2, %3")
      .arg(names.join(QLatin1Char('\n')), wallText(m_snapshot->clock, screen->from),
           toQString(formatTime(toSeconds(screen->to - screen->from))));
}

std::string ScopeView::samplesText(TimeSpan screen) const {
  std::vector<TraceSource> sources;
  for (const Trace& trace : m_traces.traces()) sources.push_back(trace.source);
  std::vector<std::shared_ptr<const ConnectionDetail>> details;
  for (const ShownConnection& connection : m_shown.all()) details.push_back(connection.detail);
  return details.size() == 1 ? samplesCsv(details.front()->history, sources, screen, packetSamplesOf(*details.front()))
                             : samplesCsv(details, sources, screen);
}

void ScopeView::exportSamples() {
  const auto screen = m_acquisition.screen();
  if (!screen || !m_shown.selected()) return;
  const std::string csv = samplesText(*screen);
  const QString path = QFileDialog::getSaveFileName(this, QStringLiteral("Save samples"), QStringLiteral("samples.csv"),
                                                    QStringLiteral("Comma-separated values (*.csv)"));
  if (path.isEmpty()) return;
  showFailure(this, QStringLiteral("Save samples"), writeFile(context().ports.files, path, csv));
}

}  // namespace tcpscope
