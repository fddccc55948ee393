// A plot as a file, with a title that says what it shows to someone who has only the file.
#pragma once

#include <QString>
#include <cstdint>

class QCustomPlot;

namespace tcpscope {

enum class PictureFormat : std::uint8_t { png, pdf };

struct PictureFile {
  QString path;
  PictureFormat format = PictureFormat::png;
  /// Above the plot; empty for none.
  QString title{};
};

/// False where the file could not be written. The plot on the screen stays as it is.
bool savePicture(QCustomPlot& plot, const PictureFile& file);

}  // namespace tcpscope
