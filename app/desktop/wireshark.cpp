#include "app/desktop/wireshark.h"

#include <QProcess>
#include <QStandardPaths>

namespace tcpscope {

bool startWireshark(const QString& file, const QString& displayFilter, std::optional<std::uint64_t> frame) {
  const QString program = QStandardPaths::findExecutable(QStringLiteral("wireshark"));
  if (program.isEmpty()) return false;
  QStringList arguments{QStringLiteral("-r"), file, QStringLiteral("-Y"), displayFilter};
  if (frame) arguments << QStringLiteral("-g") << QString::number(*frame);
  return QProcess::startDetached(program, arguments);
}

}  // namespace tcpscope
