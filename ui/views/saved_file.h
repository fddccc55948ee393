// Files that a view writes for the user: pictures of its plot, its figures.
#pragma once

#include <QString>
#include <functional>
#include <string_view>

#include "ui/plots/saved_picture.h"

class QWidget;

namespace tcpscope {

class FilePort;

/// Draws into this file; false where it cannot.
using DrawPicture = std::function<bool(const PictureFile& file)>;

/// Why it was not written, in words; empty where it was.
QString writeFile(FilePort* files, const QString& path, std::string_view content);
/// The same of a picture, whose format follows from its name.
QString writePicture(FilePort* files, const QString& path, const QString& title, const DrawPicture& draw);

/// Shows the words, as they are, where there are any.
void showFailure(QWidget* parent, const QString& title, const QString& why);

}  // namespace tcpscope
