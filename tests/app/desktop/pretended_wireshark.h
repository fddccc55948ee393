// A program in place of Wireshark, which writes down what it was started with.
#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>

namespace tcpscope::test {

/// A folder that stands for PATH while it lives.
class OnlyPath {
public:
  OnlyPath() { qputenv("PATH", m_folder.path().toUtf8()); }
  ~OnlyPath() { qputenv("PATH", m_before); }
  OnlyPath(const OnlyPath&) = delete;
  OnlyPath& operator=(const OnlyPath&) = delete;
  [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }

private:
  QByteArray m_before = qgetenv("PATH");
  QTemporaryDir m_folder;
};

/// Once the file is complete, which ends with a line of its own.
inline QByteArray contentOnceWritten(const QString& path) {
  QElapsedTimer waited;
  waited.start();
  constexpr int kLongMs = 30'000;
  while (waited.elapsed() < kLongMs) {
    QFile file(path);
    if (file.open(QFile::ReadOnly)) {
      const QByteArray content = file.readAll();
      if (content.endsWith("end\n")) return content;
    }
    QThread::msleep(5);
  }
  return {};
}

/// Makes it in `path`; the answer is the file that it writes to.
inline QString pretendWireshark(const OnlyPath& path) {
  QFile program(path.file("wireshark"));
  const QString arguments = path.file("arguments");
  if (!program.open(QFile::WriteOnly)) return {};
  program.write("#!/bin/sh\nfor word; do echo \"$word\"; done > '" + arguments.toUtf8() + "'\necho end >> '" +
                arguments.toUtf8() + "'\n");
  program.close();
  program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return arguments;
}

}  // namespace tcpscope::test
