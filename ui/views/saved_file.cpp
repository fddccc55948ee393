#include "ui/views/saved_file.h"

#include <QFile>
#include <QMessageBox>
#include <QTemporaryDir>

#include "core/present/text/error_text.h"
#include "ui/feed/file_port.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

QString writeFile(FilePort* files, const QString& path, std::string_view content) {
  if (files == nullptr) return QStringLiteral("Files cannot be written from here.");
  const auto written = files->write(QFile::encodeName(path).toStdString(), content);
  return written ? QString() : asSentence(sentence(written.error()));
}

QString writePicture(FilePort* files, const QString& path, const QString& title, const DrawPicture& draw) {
  const bool isPdf = path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive);
  // Qt writes PDF to a name only, and through a link: it gets a name that no other user can have made a link.
  const QTemporaryDir folder;
  QFile drawn(folder.filePath(isPdf ? QStringLiteral("picture.pdf") : QStringLiteral("picture.png")));
  if (!draw({drawn.fileName(), isPdf ? PictureFormat::pdf : PictureFormat::png, title}) ||
      !drawn.open(QIODevice::ReadOnly)) {
    return QStringLiteral("The picture cannot be drawn in %1.").arg(folder.path());
  }
  const QByteArray bytes = drawn.readAll();
  return writeFile(files, path, {bytes.data(), static_cast<std::size_t>(bytes.size())});
}

void showFailure(QWidget* parent, const QString& title, const QString& why) {
  if (why.isEmpty()) return;
  QMessageBox box(QMessageBox::Warning, title, why, QMessageBox::Ok, parent);
  box.setTextFormat(Qt::PlainText);
  box.exec();
}

}  // namespace tcpscope
