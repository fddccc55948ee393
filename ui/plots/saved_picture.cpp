#include "ui/plots/saved_picture.h"

#include <qcustomplot.h>

namespace tcpscope {

namespace {

constexpr int kMargin = 8;

}  // namespace

bool savePicture(QCustomPlot& plot, const PictureFile& file) {
  QCPTextElement* title = nullptr;
  int height = plot.height();
  if (!file.title.isEmpty()) {
    // The element does not make room for lines that wrap.
    const QFontMetrics metrics(plot.font());
    QStringList lines = file.title.split(QLatin1Char('\n'));
    for (QString& line : lines) line = metrics.elidedText(line, Qt::ElideMiddle, plot.width() - 2 * kMargin);
    height += static_cast<int>(lines.size()) * metrics.lineSpacing() + kMargin;
    title = new QCPTextElement(&plot, lines.join(QLatin1Char('\n')), plot.font());
    title->setTextColor(plot.palette().color(QPalette::WindowText));
    title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    title->setMargins(QMargins(kMargin, kMargin / 2, kMargin, kMargin / 2));
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, title);
  }
  constexpr double kPixelsPerPoint = 2.0;
  const bool isSaved = file.format == PictureFormat::png
                           ? plot.savePng(file.path, plot.width(), height, kPixelsPerPoint)
                           : plot.savePdf(file.path, plot.width(), height);
  if (title != nullptr) {
    plot.plotLayout()->remove(title);
    plot.plotLayout()->simplify();
    plot.replot(QCustomPlot::rpQueuedReplot);
  }
  return isSaved;
}

}  // namespace tcpscope
