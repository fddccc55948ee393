#include "app/desktop/wireshark.h"

#include <QProcess>
#include <QStandardPaths>

namespace tcpscope {

bool startWireshark(const QString& file, const QString& displayFilter) {
  const QString program = QStandardPaths::findExecutable(QStringLiteral("wireshark"));
  if (program.isEmpty()) return false;
  return QProcess::startDetached(program, {QStringLiteral("-r"), file, QStringLiteral("-Y"), displayFilter});
}

}  // namespace tcpscope
