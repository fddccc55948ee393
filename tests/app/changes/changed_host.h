// A host to change: the real settings of this process's network namespace, taken for those of the host, with a journal
// and a folder for the next boot of its own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

#include "app/changes/execute/sysctl_changer.h"

namespace tcpscope::test {

inline constexpr const char* kSack = "net.ipv4.tcp_sack";
inline constexpr const char* kRmem = "net.ipv4.tcp_rmem";
inline constexpr const char* kControl = "net.ipv4.tcp_congestion_control";
/// The process that waits for it goes soon after.
inline constexpr Milliseconds kLongerThanATest{30'000};

class ChangedHost {
public:
  explicit ChangedHost(ChangeClocks clocks = {}) : m_clocks(std::move(clocks)) {
    std::string name = (std::filesystem::temp_directory_path() / "tcpscope-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    m_root = name;
    namespace fs = std::filesystem;
    fs::create_directories(m_root / "etc/sysctl.d");
    fs::create_directories(m_root / "proc/self/ns");
    fs::create_directories(m_root / "proc/1");
    fs::create_symlink("/proc/sys", m_root / "proc/sys");
    fs::create_symlink("/proc/self/ns/net", m_root / "proc/self/ns/net");
    fs::create_symlink("/proc/self/net", m_root / "proc/self/net");
    fs::create_symlink("/proc/self/net", m_root / "proc/1/net");
  }
  ChangedHost(const ChangedHost&) = delete;
  ChangedHost& operator=(const ChangedHost&) = delete;
  ~ChangedHost() {
    std::error_code error;
    std::filesystem::remove_all(m_root, error);
  }

  [[nodiscard]] ChangeFolders folders() const { return {journal(), m_root}; }
  [[nodiscard]] SysctlChanger changes() const { return SysctlChanger(folders(), m_clocks); }
  [[nodiscard]] std::filesystem::path journal() const { return m_root / "changes"; }
  [[nodiscard]] std::filesystem::path persisted() const { return m_root / "etc/sysctl.d/90-tcpscope.conf"; }
  [[nodiscard]] std::string persistedText() const {
    std::ostringstream text;
    text << std::ifstream(persisted()).rdbuf();
    return text.str();
  }
  /// As a boot does, for what the journal knows of it: another number, in a file of its own.
  void bootAgain(unsigned number = 1) const {
    namespace fs = std::filesystem;
    if (fs::is_symlink(m_root / "proc/sys")) fs::remove(m_root / "proc/sys");
    fs::create_directories(m_root / "proc/sys/kernel/random");
    std::error_code isThere;
    fs::create_symlink("/proc/sys/net", m_root / "proc/sys/net", isThere);
    // No boot of a test has more digits.
    std::ofstream(m_root / "proc/sys/kernel/random/boot_id")
        << "00000000-0000-4000-8000-" << std::setw(12) << std::setfill('0') << number << '\n';
  }

  static std::string setting(const std::string& key) { return SysctlTree().read(key).value_or("unreadable"); }
  static void set(const std::string& key, const std::string& value) {
    static_cast<void>(SysctlTree().write(key, value));
  }

private:
  ChangeClocks m_clocks;
  std::filesystem::path m_root;
};

}  // namespace tcpscope::test
