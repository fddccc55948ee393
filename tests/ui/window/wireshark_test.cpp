#include "ui/window/wireshark.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>

namespace tcpscope {
namespace {

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
QByteArray contentOnceWritten(const QString& path) {
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

TEST(Wireshark, IsStartedWithTheFileAndTheFilter) {
  const OnlyPath path;
  QFile program(path.file("wireshark"));
  ASSERT_TRUE(program.open(QFile::WriteOnly));
  const QString arguments = path.file("arguments");
  program.write("#!/bin/sh\nfor word; do echo \"$word\"; done > '" + arguments.toUtf8() + "'\necho end >> '" +
                arguments.toUtf8() + "'\n");
  program.close();
  program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  ASSERT_TRUE(startWireshark("/tmp/a capture.pcap", "tcp.port == 443"));
  EXPECT_EQ(contentOnceWritten(arguments), "-r\n/tmp/a capture.pcap\n-Y\ntcp.port == 443\nend\n");
}

TEST(Wireshark, IsMissingWhereItIsNotInstalled) {
  const OnlyPath path;
  EXPECT_FALSE(startWireshark("/tmp/a.pcap", "tcp"));
}

}  // namespace
}  // namespace tcpscope
