// Programs as the check-up reads them: children of this test that compute, write or idle, and some made of files.
#include "collectors/host/process_reading_reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "core/host/process_checks.h"
#include "core/present/text/checkup_text.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

/// A child of this test that lives as long as this object.
class ChildProgram {
public:
  explicit ChildProgram(const std::function<void()>& live) : m_pid(fork()) {
    if (m_pid != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    live();
    _exit(0);
  }
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  ~ChildProgram() {
    end();
    waitpid(m_pid, nullptr, 0);
  }

  void end() const { kill(m_pid, SIGKILL); }
  /// It ended, and its parent has not waited for it.
  void endAsZombie() const {
    end();
    siginfo_t state{};
    waitid(P_PID, static_cast<id_t>(m_pid), &state, WEXITED | WNOWAIT);
  }
  [[nodiscard]] std::uint32_t pid() const { return static_cast<std::uint32_t>(m_pid); }

private:
  pid_t m_pid;
};

[[noreturn]] void idle() {
  while (true) pause();
}

/// The row, from two readings of the program a moment apart, again and again until it is as wanted.
CheckRow rowUntil(const ChildProgram& child, CheckId id, CheckStatus wanted) {
  constexpr int kMostTries = 100;
  CheckRow row;
  for (int tries = 0; tries < kMostTries && row.status != wanted; ++tries) {
    const Reported<ProcessReading> before = readProcess("/", child.pid());
    Reported<ProcessReading> after = before;
    while (before && after && after->at - before->at < 200ms) {
      after = readProcess("/", child.pid());
      std::this_thread::yield();
    }
    for (const CheckRow& one : checkUpProcess(before, after)) {
      if (one.id == id) row = one;
    }
  }
  EXPECT_EQ(row.status, wanted) << finding(row);
  return row;
}

TEST(ProcessReadingReader, FindsTheOneThreadThatComputes) {
  const ChildProgram child([] {
    const std::jthread other(idle);
    prctl(PR_SET_NAME, "spin\x1b[31m)er");
    while (getppid() >= 0) {
    }
  });
  const CheckRow row = rowUntil(child, CheckId::oneThread, CheckStatus::warn);
  EXPECT_GE(row.timeRatio.value(), 0.9);
  EXPECT_THAT(finding(row), HasSubstr("; 1 of 2 threads busy"));
  EXPECT_EQ(finding(row).find('\x1b'), std::string::npos);
}

TEST(ProcessReadingReader, FindsOneByteAWrite) {
  const ChildProgram child([] {
    const int sink = open("/dev/null", O_WRONLY);
    while (write(sink, "x", 1) == 1) {
    }
  });
  if (const auto reading = readProcess("/", child.pid()); reading && !reading->writes) {
    GTEST_SKIP() << "this kernel does not count writes";
  }
  const CheckRow row = rowUntil(child, CheckId::smallWrites, CheckStatus::warn);
  // The kernel counts the bytes of a write before the call: a reading may fall between the two.
  EXPECT_NEAR(row.bytesACall.value(), 1.0, 0.01);
}

TEST(ProcessReadingReader, FindsNoFaultInAnIdleProgram) {
  const ChildProgram child(idle);
  const CheckRow row = rowUntil(child, CheckId::oneThread, CheckStatus::pass);
  EXPECT_LT(row.timeRatio.value(), 0.5);
  EXPECT_EQ(row.most, 1U);
  rowUntil(child, CheckId::processorWait, CheckStatus::pass);
}

TEST(ProcessReadingReader, ReportsThatAProgramEnded) {
  const ChildProgram child(idle);
  const auto before = readProcess("/", child.pid());
  ASSERT_TRUE(before);
  child.endAsZombie();
  const auto after = readProcess("/", child.pid());
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error(), UnknownReason::ended);
}

TEST(ProcessReadingReader, MayNotReadWhatAnotherUserWrites) {
  constexpr uid_t kUnprivilegedUser = 65'534;
  if (geteuid() != 0) GTEST_SKIP() << "needs root, to become another user";
  const std::uint32_t own = static_cast<std::uint32_t>(getpid());
  const pid_t stranger = fork();
  if (stranger == 0) {
    if (setuid(kUnprivilegedUser) != 0) _exit(2);
    const auto reading = readProcess("/", own);
    _exit(reading && !reading->threads.empty() && !reading->writes &&
                  reading->writes.error() == UnknownReason::notPermitted
              ? 0
              : 1);
  }
  int status = -1;
  waitpid(stranger, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

class ProcessOfFiles : public testing::Test {
protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "tcpscope-process-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    m_root = name;
  }
  void TearDown() override { fs::remove_all(m_root); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((m_root / path).parent_path());
    std::ofstream(m_root / path) << text;
  }
  static std::string stat(const std::string& name, char state, int begun) {
    return "7 (" + name + ") " + state + " 1 1 1 0 -1 1 1 1 1 1 20 30 1 1 1 1 1 1 " + std::to_string(begun) +
           " 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 40 1\n";
  }
  [[nodiscard]] Reported<ProcessReading> read() const { return readProcess(m_root, 7); }

  fs::path m_root;
};

TEST_F(ProcessOfFiles, IsReadWhole) {
  write("proc/7/stat", stat("server", 'S', 500));
  write("proc/7/task/7/stat", stat("server", 'S', 500));
  write("proc/7/task/7/schedstat", "500000000 1000 3\n");
  write("proc/7/task/8/stat", stat("disk)er\n", 'D', 600));
  write("proc/7/io", "rchar: 1\nwchar: 4096\nsyscr: 5\nsyscw: 2\n");
  write("proc/sys/kernel/task_delayacct", "1\n");
  const auto process = read();
  ASSERT_TRUE(process);
  EXPECT_EQ(process->name.rawBytes(), "server");
  EXPECT_EQ(process->writes->calls, 2U);
  EXPECT_EQ(process->writes->bytes, 4096U);
  EXPECT_EQ(process->countsDiskWaits, true);
  ASSERT_EQ(process->threads.size(), 2U);
  const auto disk = std::find_if(process->threads.begin(), process->threads.end(),
                                 [](const ThreadReading& one) { return one.id == 8; });
  ASSERT_NE(disk, process->threads.end());
  EXPECT_EQ(disk->name.rawBytes(), "disk)er\n");
  EXPECT_TRUE(disk->waitsUninterruptibly);
  EXPECT_EQ(disk->waitedForProcessor, std::nullopt);
  EXPECT_GT(disk->waitedForDisk.value(), 0s);
}

TEST_F(ProcessOfFiles, SaysWhatIsMissing) {
  EXPECT_EQ(read().error(), UnknownReason::ended);
  write("proc/7/stat", "nonsense\n");
  EXPECT_EQ(read().error(), UnknownReason::notReported);
  write("proc/7/stat", stat("server", 'S', 500));
  EXPECT_EQ(read().error(), UnknownReason::ended) << "no thread any more";
  write("proc/7/task/7/stat", stat("server", 'Z', 500));
  EXPECT_EQ(read().error(), UnknownReason::ended);
  write("proc/7/task/8/stat", stat("server", 'R', 500));
  const auto process = read();
  ASSERT_TRUE(process);
  EXPECT_EQ(process->threads.size(), 1U);
  EXPECT_EQ(process->writes.error(), UnknownReason::notSupported);
  EXPECT_EQ(process->countsDiskWaits, std::nullopt);
  write("proc/7/io", "wchar: 4096\n");
  EXPECT_EQ(read()->writes.error(), UnknownReason::notReported);
}

TEST_F(ProcessOfFiles, IsNotFollowedIntoMoreThreadsOrTextThanItMayHave) {
  write("proc/7/stat", stat("server", 'S', 500));
  write("proc/7/task/1/stat", stat("t", 'S', 500));
  for (int id = 2; id <= 4100; ++id) fs::create_directory_symlink("1", m_root / "proc/7/task" / std::to_string(id));
  write("proc/7/io", std::string(1 << 20, 'x'));
  const auto process = read();
  ASSERT_TRUE(process);
  EXPECT_FALSE(process->isWhole);
  EXPECT_EQ(process->threads.size(), 4096U);
  EXPECT_EQ(process->writes.error(), UnknownReason::notReported);
}

}  // namespace
}  // namespace tcpscope
