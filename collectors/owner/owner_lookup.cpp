#include "collectors/owner/owner_lookup.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tcpscope {

namespace {

constexpr std::uint64_t kMostLookupsSkipped = 64;
constexpr std::size_t kMostAbsent = 100'000;

}  // namespace

std::optional<UntrustedText> userNameOf(std::uint32_t userId) {
  const long suggested = sysconf(_SC_GETPW_R_SIZE_MAX);
  std::vector<char> buffer(suggested > 0 ? static_cast<std::size_t>(suggested) : 16384);
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(userId, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return std::nullopt;
  return UntrustedText(found->pw_name);
}

OwnerLookup::OwnerLookup(std::filesystem::path procRoot, UserNames userNames)
    : m_reader(std::move(procRoot)), m_userNames(std::move(userNames)) {}

OwnerLookup::Owners OwnerLookup::lookup(std::span<const std::uint32_t> inodes) {
  ++m_lookups;
  Owners owners;
  owners.reserve(inodes.size());
  Inodes wanted;
  for (const std::uint32_t inode : inodes) {
    if (inode == 0) continue;
    if (std::shared_ptr<const Owner> owner = known(inode)) {
      owners.emplace(inode, std::move(owner));
      continue;
    }
    const auto absent = m_absent.find(inode);
    if (absent == m_absent.end() || m_lookups >= absent->second.searchFrom) wanted.insert(inode);
  }
  if (!wanted.empty()) search(wanted, owners);
  if (m_absent.size() > kMostAbsent) m_absent.clear();
  for (const std::uint32_t inode : wanted) {
    Absence& absence = m_absent[inode];
    absence.searchFrom = m_lookups + absence.skip;
    absence.skip = std::min(absence.skip * 2, kMostLookupsSkipped);
  }
  return owners;
}

OwnerLookup::Owners OwnerLookup::everyone() {
  Owners owners;
  std::vector<std::int32_t> pids = m_reader.pids();
  // As in a search: of several holders the newest.
  std::sort(pids.begin(), pids.end(), std::greater<>());
  for (const std::int32_t pid : pids) {
    Process process;
    process.sockets = m_reader.sockets(pid).descriptors;
    for (const ProcessReader::Descriptor& descriptor : process.sockets) {
      owners.try_emplace(descriptor.inode, describe(pid, process));
    }
  }
  return owners;
}

std::shared_ptr<const Owner> OwnerLookup::known(std::uint32_t inode) {
  const auto holder = m_holders.find(inode);
  if (holder == m_holders.end()) return nullptr;
  const auto process = m_processes.find(holder->second.pid);
  if (process == m_processes.end() || !m_reader.holds(holder->second.pid, {holder->second.descriptor, inode})) {
    m_holders.erase(holder);
    return nullptr;
  }
  return describe(process->first, process->second);
}

std::optional<int> OwnerLookup::descriptorOf(std::int32_t pid, std::uint32_t inode) const {
  const auto holder = m_holders.find(inode);
  if (holder == m_holders.end() || holder->second.pid != pid) return std::nullopt;
  const int descriptor = holder->second.descriptor;
  return m_reader.holds(pid, {descriptor, inode}) ? std::optional(descriptor) : std::nullopt;
}

void OwnerLookup::search(Inodes& wanted, Owners& owners) {
  std::vector<std::int32_t> pids = m_reader.pids();
  forgetEnded(pids);
  // New sockets are most often in new processes, then in those that had sockets before; the newest pid first.
  const auto rank = [this](std::int32_t pid) {
    const auto process = m_processes.find(pid);
    if (process == m_processes.end()) return 0;
    return process->second.sockets.empty() ? 2 : 1;
  };
  std::vector<std::pair<int, std::int32_t>> order;
  order.reserve(pids.size());
  for (const std::int32_t pid : pids) order.emplace_back(rank(pid), -pid);
  std::sort(order.begin(), order.end());
  for (const std::pair<int, std::int32_t>& entry : order) {
    if (wanted.empty()) break;
    refresh(-entry.second, wanted, owners);
  }
}

void OwnerLookup::forgetEnded(const std::vector<std::int32_t>& pids) {
  const std::unordered_set<std::int32_t> alive(pids.begin(), pids.end());
  std::vector<std::int32_t> ended;
  for (const auto& process : m_processes) {
    if (alive.count(process.first) == 0) ended.push_back(process.first);
  }
  for (const std::int32_t pid : ended) forget(pid);
}

void OwnerLookup::refresh(std::int32_t pid, Inodes& wanted, Owners& owners) {
  const std::optional<std::uint64_t> startTime = m_reader.startTime(pid);
  if (!startTime) return forget(pid);
  const auto before = m_processes.find(pid);
  if (before != m_processes.end() && before->second.startTime != *startTime) forget(pid);
  ProcessReader::Sockets sockets = m_reader.sockets(pid);
  if (sockets.notPermitted) {
    m_notPermitted.insert(pid);
  } else {
    m_notPermitted.erase(pid);
  }
  Process& process = m_processes[pid];
  process.startTime = *startTime;
  // The name may change (exec), so that it is read again with the process's descriptors.
  process.owner.reset();
  for (const ProcessReader::Descriptor& descriptor : process.sockets) {
    const auto holder = m_holders.find(descriptor.inode);
    if (holder != m_holders.end() && holder->second.pid == pid) m_holders.erase(holder);
  }
  process.sockets = std::move(sockets.descriptors);
  for (const ProcessReader::Descriptor& descriptor : process.sockets) {
    m_holders.try_emplace(descriptor.inode, Holder{pid, descriptor.number});
    if (wanted.erase(descriptor.inode) == 0) continue;
    // It was just read: known() would read it once more.
    owners.emplace(descriptor.inode, describe(pid, process));
    m_absent.erase(descriptor.inode);
  }
}

void OwnerLookup::forget(std::int32_t pid) {
  m_notPermitted.erase(pid);
  const auto process = m_processes.find(pid);
  if (process == m_processes.end()) return;
  for (const ProcessReader::Descriptor& descriptor : process->second.sockets) {
    const auto holder = m_holders.find(descriptor.inode);
    if (holder != m_holders.end() && holder->second.pid == pid) m_holders.erase(holder);
  }
  m_processes.erase(process);
}

const std::shared_ptr<const Owner>& OwnerLookup::describe(std::int32_t pid, Process& process) {
  if (process.owner) return process.owner;
  Owner owner;
  owner.pid = pid;
  owner.processName = m_reader.name(pid);
  owner.unitOrContainer = m_reader.unitOrContainer(pid);
  if (const std::optional<std::uint32_t> userId = m_reader.userId(pid)) {
    const auto name = m_names.find(*userId);
    owner.userName =
        name != m_names.end() ? name->second : m_names.emplace(*userId, m_userNames(*userId)).first->second;
  }
  process.owner = std::make_shared<const Owner>(std::move(owner));
  return process.owner;
}

}  // namespace tcpscope
