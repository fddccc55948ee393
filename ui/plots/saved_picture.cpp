#include "ui/plots/saved_picture.h"

#include <qcustomplot.h>

namespace tcpscope {

bool savePicture(QCustomPlot& plot, const PictureFile& file) {
  QCPTextElement* title = nullptr;
  if (!file.title.isEmpty()) {
    title = new QCPTextElement(&plot, file.title, plot.font());
    title->setTextColor(plot.palette().color(QPalette::WindowText));
    title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap);
    title->setMargins(QMargins(8, 4, 8, 4));
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, title);
  }
  constexpr double kPixelsPerPoint = 2.0;
  const bool isSaved =
      file.format == PictureFormat::png ? plot.savePng(file.path, 0, 0, kPixelsPerPoint) : plot.savePdf(file.path);
  if (title != nullptr) {
    plot.plotLayout()->remove(title);
    plot.plotLayout()->simplify();
    plot.replot(QCustomPlot::rpQueuedReplot);
  }
  return isSaved;
}

}  // namespace tcpscope
