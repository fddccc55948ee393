// Which process holds a socket, by its inode: a map of /proc/PID/fd that is refreshed by difference and only as far as
// a question needs it. Blocks on /proc: for the background queue, never for the collector's or the GUI's thread.
//
// A socket that several processes hold gives the one found first. A socket without a readable owner is asked for less
// and less often, since such a search has to go through every process.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "collectors/owner/process_reader.h"

namespace tcpscope {

/// A user's name for a user id; nothing where it has none.
using UserNames = std::function<std::optional<UntrustedText>(std::uint32_t userId)>;
/// From the system's user database, as it is now.
std::optional<UntrustedText> userNameOf(std::uint32_t userId);

class OwnerLookup {
public:
  explicit OwnerLookup(std::filesystem::path procRoot = "/proc", UserNames userNames = userNameOf);

  /// By inode; sockets of one process share the object.
  using Owners = std::unordered_map<std::uint32_t, std::shared_ptr<const Owner>>;
  /// The owners of those inodes whose owner can be seen. Inode 0 has no owner.
  Owners lookup(std::span<const std::uint32_t> inodes);
  /// The descriptor by which this process holds the socket, as a lookup found it and as it still is; nothing where
  /// none did.
  [[nodiscard]] std::optional<int> descriptorOf(std::int32_t pid, std::uint32_t inode) const;
  /// The owners of all sockets of all processes that may be read, for a single look: nothing of it is remembered.
  [[nodiscard]] Owners everyone();

  /// Processes whose descriptors may not be read, at the last search that went through all: above zero means that
  /// owners are missing for lack of privilege.
  [[nodiscard]] std::size_t processesNotPermitted() const { return m_notPermitted.size(); }

private:
  struct Process {
    std::uint64_t startTime = 0;
    std::vector<ProcessReader::Descriptor> sockets;
    std::shared_ptr<const Owner> owner;
  };
  struct Holder {
    std::int32_t pid = 0;
    int descriptor = 0;
  };
  struct Absence {
    /// Number of the lookup from which on it is searched again, and how many are skipped after that.
    std::uint64_t searchFrom = 0;
    std::uint64_t skip = 1;
  };
  using Inodes = std::unordered_set<std::uint32_t>;

  /// Null where it is not known, or held there no more.
  [[nodiscard]] std::shared_ptr<const Owner> known(std::uint32_t inode);
  /// What is found goes from `wanted` to `owners`.
  void search(Inodes& wanted, Owners& owners);
  void forgetEnded(const std::vector<std::int32_t>& pids);
  void refresh(std::int32_t pid, Inodes& wanted, Owners& owners);
  void forget(std::int32_t pid);
  const std::shared_ptr<const Owner>& describe(std::int32_t pid, Process& process);

  ProcessReader m_reader;
  UserNames m_userNames;
  std::unordered_map<std::int32_t, Process> m_processes;
  std::unordered_map<std::uint32_t, Holder> m_holders;
  std::unordered_map<std::uint32_t, Absence> m_absent;
  std::unordered_map<std::uint32_t, std::optional<UntrustedText>> m_names;
  std::unordered_set<std::int32_t> m_notPermitted;
  std::uint64_t m_lookups = 0;
};

}  // namespace tcpscope
