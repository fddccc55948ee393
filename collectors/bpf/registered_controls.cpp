#include "collectors/bpf/registered_controls.h"

#include <fstream>
#include <string>
#include <system_error>

#ifndef TCPSCOPE_NO_BPF
#include <bpf/bpf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <thread>
#include <tuple>

#include "collectors/bpf/bpf_handles.h"
#include "collectors/bpf/control_object.h"
#endif

namespace tcpscope {

namespace {

using ControlRefusal = Unexpected<ControlFailure>;

/// Those that sockets may ask for: of the whole kernel, though the file belongs to a network namespace.
bool isAvailable(const std::filesystem::path& procRoot, std::string_view name) {
  std::ifstream file(procRoot / "sys/net/ipv4/tcp_available_congestion_control");
  std::string word;
  while (file >> word) {
    if (word == name) return true;
  }
  return false;
}

bool isPinned(const std::filesystem::path& folder, std::string_view name) {
  std::error_code unreadable;
  return std::filesystem::exists(folder / name, unreadable);
}

}  // namespace

#ifdef TCPSCOPE_NO_BPF

Expected<RegisteredControls, ControlFailure> RegisteredControls::hold() {
  return ControlRefusal(ControlFailure::notBuilt);
}

Expected<void, ControlFailure> RegisteredControls::pin(const std::filesystem::path& /*folder*/) const {
  return ControlRefusal(ControlFailure::notBuilt);
}

Expected<std::size_t, ControlFailure> unpinControls(const std::filesystem::path& /*folder*/) {
  return ControlRefusal(ControlFailure::notBuilt);
}

Expected<void, ControlFailure> tryLoadingControls() {
  return ControlRefusal(ControlFailure::notBuilt);
}

LoadedControls readLoadedControls(const std::filesystem::path& folder, const std::filesystem::path& procRoot) {
  LoadedControls states;
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].name = kLoadableControls[i].name;
    if (!isAvailable(procRoot, states[i].name)) continue;
    states[i].holder = isPinned(folder, states[i].name) ? ControlHolder::pin : ControlHolder::unknown;
  }
  return states;
}

#else

namespace {

// Of headers newer than Linux 6.1.
constexpr std::uint32_t kMapIsLinked = 1U << 13;                     // BPF_F_LINK
constexpr auto kAttachStructOps = static_cast<bpf_attach_type>(44);  // BPF_STRUCT_OPS
constexpr long kBpfFileSystem = 0xcafe4a11;                          // BPF_FS_MAGIC

ControlFailure controlFailure(int number) {
  switch (number) {
    case EPERM:
      return ControlFailure::notPermitted;
    case EEXIST:
      return ControlFailure::nameTaken;
    // EACCES: the kernel's verifier does not accept a program. EINVAL: before Linux 6.4 there is no such flag of maps.
    case EACCES:
    case EINVAL:
    case ENOENT:
    case ENOSYS:
    case ENOTSUP:
    case ESRCH:
      return ControlFailure::notSupported;
    default:
      return ControlFailure::failed;
  }
}

Expected<BpfObjectHandle, ControlFailure> loadControls() {
  // What the library would print is in the reason.
  libbpf_set_print(nullptr);
  const BtfHandle types(btf__load_vmlinux_btf());
  if (!types || btf__find_by_name_kind(types.get(), "bpf_struct_ops_tcp_congestion_ops", BTF_KIND_STRUCT) <= 0) {
    return ControlRefusal(ControlFailure::notSupported);
  }
  const auto program = controlObject();
  bpf_object_open_opts options{};
  options.sz = sizeof options;
  options.object_name = "tcpscope_ca";
  BpfObjectHandle object(bpf_object__open_mem(program.data(), program.size(), &options));
  if (!object) return ControlRefusal(controlFailure(errno));
  bpf_map* map = nullptr;
  while ((map = bpf_object__next_map(object.get(), map)) != nullptr) {
    if (bpf_map__type(map) != BPF_MAP_TYPE_STRUCT_OPS) continue;
    if (bpf_map__set_map_flags(map, bpf_map__map_flags(map) | kMapIsLinked) != 0) {
      return ControlRefusal(ControlFailure::failed);
    }
  }
  if (bpf_object__load(object.get()) != 0) return ControlRefusal(controlFailure(errno));
  return object;
}

/// None with errno.
OwnedDescriptor registerControl(bpf_map* map) {
  // Before 1.2 the library hands the members to the kernel and makes no link.
  BpfLinkHandle attached(bpf_map__attach_struct_ops(map));
  if (!attached) return {};
  const bool makesLinks = libbpf_major_version() > 1 || libbpf_minor_version() >= 2;
  OwnedDescriptor link(makesLinks ? fcntl(bpf_link__fd(attached.get()), F_DUPFD_CLOEXEC, 0)
                                  : bpf_link_create(bpf_map__fd(map), 0, kAttachStructOps, nullptr));
  // Releasing the library's handle makes calls of its own.
  const int error = errno;
  attached.reset();
  errno = error;
  return link;
}

/// The control that a link registers: its map has the control's name. Empty for all other links.
std::string controlOf(int link) {
  bpf_link_info info{};
  std::uint32_t size = sizeof info;
  if (bpf_obj_get_info_by_fd(link, &info, &size) != 0 || info.type != BPF_LINK_TYPE_STRUCT_OPS) return {};
  // The first member of the union, struct_ops.map_id; 0 once it is detached.
  std::uint32_t mapId = 0;
  std::memcpy(&mapId, &info.raw_tracepoint, sizeof mapId);
  const OwnedDescriptor map(bpf_map_get_fd_by_id(mapId));
  if (!map) return {};
  bpf_map_info mapInfo{};
  size = sizeof mapInfo;
  if (bpf_obj_get_info_by_fd(map.get(), &mapInfo, &size) != 0) return {};
  return {mapInfo.name, strnlen(mapInfo.name, sizeof mapInfo.name)};
}

using ControlLinks = std::array<OwnedDescriptor, kLoadableControls.size()>;

/// One link of each control that is registered; with errno where links may not be listed.
Expected<ControlLinks, ControlFailure> findLinks() {
  ControlLinks found;
  std::uint32_t id = 0;
  while (bpf_link_get_next_id(id, &id) == 0) {
    // It may have ended meanwhile.
    OwnedDescriptor link(bpf_link_get_fd_by_id(id));
    if (!link) continue;
    const std::string control = controlOf(link.get());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (kLoadableControls[i].name != control) continue;
      found[i] = std::move(link);
      break;
    }
  }
  if (errno != ENOENT) return ControlRefusal(controlFailure(errno));
  return found;
}

bool hasAll(const ControlLinks& links) {
  return std::all_of(links.begin(), links.end(), [](const OwnedDescriptor& link) { return static_cast<bool>(link); });
}

/// What another has registered meanwhile stays missing. A map whose registration was refused cannot be registered
/// again: each attempt takes a program of its own.
Expected<void, ControlFailure> registerMissing(ControlLinks& links) {
  const auto object = loadControls();
  if (!object) return ControlRefusal(object.error());
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i]) continue;
    bpf_map* const map = bpf_object__find_map_by_name(object->get(), kLoadableControls[i].name.data());
    if (map == nullptr) return ControlRefusal(ControlFailure::failed);
    links[i] = registerControl(map);
    if (!links[i] && errno != EEXIST) return ControlRefusal(controlFailure(errno));
  }
  return {};
}

bool isBpfFileSystem(const std::filesystem::path& folder) {
  struct statfs system {};
  return statfs(folder.c_str(), &system) == 0 && system.f_type == kBpfFileSystem;
}

}  // namespace

Expected<RegisteredControls, ControlFailure> RegisteredControls::hold() {
  // Another process may register one, or end, between the steps. What is held stays held meanwhile, so that two
  // processes that begin at once share what each has.
  constexpr int kMostAttempts = 50;
  constexpr std::chrono::milliseconds kPause{10};
  ControlLinks held;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(kPause);
    auto found = findLinks();
    if (!found) return ControlRefusal(found.error());
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (!held[i]) held[i] = std::move((*found)[i]);
    }
    if (!hasAll(held)) {
      if (const auto registered = registerMissing(held); !registered) return ControlRefusal(registered.error());
    }
    if (hasAll(held)) {
      return RegisteredControls({std::make_move_iterator(held.begin()), std::make_move_iterator(held.end())});
    }
  }
  return ControlRefusal(ControlFailure::nameTaken);
}

Expected<void, ControlFailure> RegisteredControls::pin(const std::filesystem::path& folder) const {
  if (!isBpfFileSystem(folder.parent_path())) return ControlRefusal(ControlFailure::noBpfFileSystem);
  if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return ControlRefusal(controlFailure(errno));
  std::vector<std::filesystem::path> pinned;
  for (std::size_t i = 0; i < m_links.size(); ++i) {
    const std::filesystem::path file = folder / kLoadableControls[i].name;
    if (bpf_obj_pin(m_links[i].get(), file.c_str()) == 0) {
      pinned.push_back(file);
    } else if (errno != EEXIST) {
      const ControlFailure failure = controlFailure(errno);
      for (const std::filesystem::path& one : pinned) unlink(one.c_str());
      return ControlRefusal(failure);
    }
  }
  return {};
}

Expected<std::size_t, ControlFailure> unpinControls(const std::filesystem::path& folder) {
  std::size_t removed = 0;
  for (const LoadableControl& control : kLoadableControls) {
    if (unlink((folder / control.name).c_str()) == 0) {
      ++removed;
    } else if (errno == EACCES || errno == EPERM) {
      return ControlRefusal(ControlFailure::notPermitted);
    } else if (errno != ENOENT) {
      return ControlRefusal(ControlFailure::failed);
    }
  }
  rmdir(folder.c_str());
  return removed;
}

Expected<void, ControlFailure> tryLoadingControls() {
  const auto loaded = loadControls();
  if (!loaded) return ControlRefusal(loaded.error());
  return {};
}

LoadedControls readLoadedControls(const std::filesystem::path& folder, const std::filesystem::path& procRoot) {
  const auto links = findLinks();
  LoadedControls states;
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].name = kLoadableControls[i].name;
    if (!isAvailable(procRoot, states[i].name)) continue;
    const bool hasLink = links && (*links)[i];
    states[i].holder = isPinned(folder, states[i].name) ? ControlHolder::pin
                       : hasLink                        ? ControlHolder::process
                                                        : ControlHolder::unknown;
  }
  return states;
}

#endif

}  // namespace tcpscope
