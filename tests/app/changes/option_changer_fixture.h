// A changer of the socket options of a real process, whose clock and timers are the test's.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "app/changes/execute/option_changer.h"
#include "tests/support/socket_owner.h"

namespace tcpscope::test {

inline constexpr int kSmallBuffer = 65'536;

class OptionChangerFixture : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "tcpscope-tune-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_folder = std::filesystem::path(pattern) / "tuned";
    auto socket = openConnection(m_owner.pid(), m_owner.connection());
    if (!socket && socket.error().kind == TuneErrorKind::notPermitted) {
      GTEST_SKIP() << "no right to reach into an own child here";
    }
    ASSERT_TRUE(socket);
    m_key = *tuneKeyOf(m_owner.connection(), "3718446b-17c4-4e19-8e90-73bdad938571", "/proc/self/ns/net");
    OptionChanger::Parts parts;
    parts.open = [this] { return openSocket(); };
    parts.key = m_key;
    parts.folder = m_folder;
    parts.inode = m_owner.connection().inode;
    parts.now = [this] { return m_now; };
    parts.startTimer = [this](Nanoseconds deadline, const std::function<void()>& expire) {
      m_mostHeld = std::max(m_mostHeld, duplicatesHere());
      m_timers.push_back({deadline, expire});
      return m_timerError;
    };
    m_tuner.emplace(std::move(parts));
  }
  void TearDown() override { std::filesystem::remove_all(m_folder.parent_path()); }

  TuneReport tune(const std::vector<std::string>& words) {
    auto report = m_tuner->tune(*parseOptionChanges(words));
    EXPECT_TRUE(report);
    return report ? *report : TuneReport();
  }
  TuneReport tuneOnTrial(const std::vector<std::string>& words, Nanoseconds revertAfter = std::chrono::seconds(60)) {
    auto report = m_tuner->tune(*parseOptionChanges(words), revertAfter);
    EXPECT_TRUE(report);
    return report ? *report : TuneReport();
  }
  /// The timers that are due by then do their work.
  void advanceTo(Nanoseconds bootTime) {
    m_now = bootTime;
    for (const Timer& timer : m_timers) {
      if (timer.deadline <= bootTime) timer.expire();
    }
    std::erase_if(m_timers, [&](const Timer& timer) { return timer.deadline <= bootTime; });
  }
  TuneReport undo() {
    auto report = m_tuner->undo();
    EXPECT_TRUE(report);
    return report ? *report : TuneReport();
  }
  [[nodiscard]] std::filesystem::path file() const { return m_folder / m_key.fileName(); }
  Expected<OwnedDescriptor, TuneError> openSocket() {
    if (m_openError) return tl::unexpected(TuneError{*m_openError});
    m_mostHeld = std::max(m_mostHeld, duplicatesHere());
    if (m_beforeOpening) m_beforeOpening();
    ++m_opened;
    return openConnection(m_owner.pid(), m_owner.connection());
  }
  /// Descriptors of the program's socket in this process.
  [[nodiscard]] int duplicatesHere() const {
    const std::string wanted = fmt::format("socket:[{}]", m_owner.connection().inode);
    int found = 0;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      if (std::filesystem::read_symlink(entry.path(), gone) == wanted) ++found;
    }
    return found;
  }

  struct Timer {
    Nanoseconds deadline;
    std::function<void()> expire;
  };

  /// CLOCK_BOOTTIME.
  Nanoseconds m_now{std::chrono::seconds(100)};
  std::vector<Timer> m_timers;
  int m_timerError = 0;
  std::optional<TuneErrorKind> m_openError;
  SocketOwner m_owner{kSmallBuffer};
  std::filesystem::path m_folder;
  TuneKey m_key;
  std::optional<OptionChanger> m_tuner;
  std::function<void()> m_beforeOpening;
  int m_opened = 0;
  /// Of duplicates that were open when another was opened.
  int m_mostHeld = 0;
};

}  // namespace tcpscope::test
