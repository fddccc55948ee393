// What the scope does on request: a trace's own menu, pictures and samples to files.
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QSaveFile>
#include <QTableView>

#include "ui/plots/axis_tickers.h"
#include "ui/views/scope/scope_text.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope {

namespace {

/// Steps on offer on each side of the one in use.
constexpr int kOffered = 5;

}  // namespace

void ScopeView::showTraceMenu(const QPoint& position) {
  const QModelIndex index = m_table->indexAt(position);
  if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_traces.size()) return;
  const auto row = static_cast<std::size_t>(index.row());
  Trace& trace = m_traces.at(row);
  QMenu menu(this);
  const auto rescaled = [this] {
    m_readingsAt = Moment();
    refresh();
  };
  QMenu* scale = menu.addMenu(tr("Units per division"));
  scale->addAction(tr("Automatic"), this, [&trace, rescaled] {
    trace.scale.setAutomatic();
    rescaled();
  });
  double step = trace.scale.unitsPerDivision();
  for (int count = 0; count < kOffered; ++count) step = previousUnitsPerDivision(trace.scale.unit(), step);
  for (int count = 0; count <= 2 * kOffered; ++count) {
    scale->addAction(valueLabel(trace.scale.unit(), step), this, [&trace, rescaled, step] {
      trace.scale.setUnitsPerDivision(step);
      rescaled();
    });
    step = nextUnitsPerDivision(trace.scale.unit(), step);
  }
  menu.addAction(tr("Remove trace"), this, [this, row, rescaled] {
    m_traces.remove(row);
    rescaled();
  });
  menu.exec(m_table->viewport()->mapToGlobal(position));
}

void ScopeView::exportPicture() {
  QString chosen;
  const QString path = QFileDialog::getSaveFileName(this, tr("Save picture"), QStringLiteral("scope.png"),
                                                    tr("PNG picture (*.png);;PDF document (*.pdf)"), &chosen);
  if (path.isEmpty()) return;
  const bool pdf = path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive);
  if (!m_plot->savePicture(path, pdf ? PictureFormat::pdf : PictureFormat::png)) {
    QMessageBox::warning(this, tr("Save picture"), tr("%1 could not be written. Choose another folder.").arg(path));
  }
}

void ScopeView::exportSamples() {
  const auto screen = m_acquisition.screen();
  const ConnectionDetail* detail = m_snapshot ? selectedDetail(m_snapshot, context().selection) : nullptr;
  if (detail == nullptr || !screen) return;
  std::vector<Metric> metrics;
  for (const Trace& trace : m_traces.traces()) metrics.push_back(trace.metric);
  const std::string csv = samplesCsv(detail->history, metrics, *screen);
  const QString path = QFileDialog::getSaveFileName(this, tr("Save samples"), QStringLiteral("samples.csv"),
                                                    tr("Comma-separated values (*.csv)"));
  if (path.isEmpty()) return;
  QSaveFile file(path);
  const bool written = file.open(QIODevice::WriteOnly) &&
                       file.write(csv.data(), static_cast<qint64>(csv.size())) == static_cast<qint64>(csv.size()) &&
                       file.commit();
  if (!written) {
    QMessageBox::warning(this, tr("Save samples"), tr("%1 could not be written: %2").arg(path, file.errorString()));
  }
}

}  // namespace tcpscope
