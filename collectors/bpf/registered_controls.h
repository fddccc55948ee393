// Registers the congestion controls of the papers (core/control, congestion_control.bpf.c) with the kernel: for all of
// its network namespaces, for sockets that ask for one by name, never as the default.
//
// Needs CAP_BPF, CAP_NET_ADMIN and CAP_SYS_ADMIN (root), type information of the kernel (BTF) and Linux 6.4, the first
// where a registration is a link: it ends with the last descriptor or pin, however a process ends. Connections that use
// a control keep it until they end; the kernel refuses nothing for their sake.
#pragma once

#include <filesystem>
#include <vector>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/control/loadable_controls.h"

namespace tcpscope {

inline constexpr const char* kControlPins = "/sys/fs/bpf/tcpscope";

class RegisteredControls {
public:
  /// Registers the controls, or shares the registration of another process or pin; they stay as long as this object.
  static Expected<RegisteredControls, ControlFailure> hold();

  /// They stay beyond this object and process, until unpin() or the next boot.
  [[nodiscard]] Expected<void, ControlFailure> pin(const std::filesystem::path& folder = kControlPins) const;

private:
  explicit RegisteredControls(std::vector<OwnedDescriptor> links) : m_links(std::move(links)) {}

  std::vector<OwnedDescriptor> m_links;
};

/// Removes the pins; how many there were. What a process still holds stays registered.
Expected<std::size_t, ControlFailure> unpinControls(const std::filesystem::path& folder = kControlPins);

/// Whether the kernel accepts the programs: loads them without registering anything, and removes them.
Expected<void, ControlFailure> tryLoadingControls();

LoadedControls readLoadedControls(const std::filesystem::path& folder = kControlPins,
                                  const std::filesystem::path& procRoot = "/proc");

}  // namespace tcpscope
