// The congestion controls that tcpscope can load into the kernel (collectors/bpf/registered_controls), and what is
// known of them there: plain values. The sentences are in core/present/text/control_text.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace tcpscope {

struct LoadableControl {
  /// As TCP_CONGESTION takes it. No module of the kernel has it: that of HighSpeed TCP is called highspeed.
  std::string_view name;
  std::string_view title;
};

inline constexpr std::array kLoadableControls = {
    LoadableControl{"hstcp", "HighSpeed TCP (RFC 3649)"},
    LoadableControl{"ghstcp_orig", "gentle HighSpeed TCP, original: by the RTT trend"},
    LoadableControl{"ghstcp", "gentle HighSpeed TCP, refined: by RTT thresholds and trend"},
};

inline bool isLoadableControl(std::string_view name) {
  return std::any_of(kLoadableControls.begin(), kLoadableControls.end(),
                     [name](const LoadableControl& one) { return one.name == name; });
}

/// Until when a control stays loaded.
enum class ControlHolder : std::uint8_t {
  /// Not loaded.
  none,
  /// Until it is unloaded: its registration is pinned in the BPF file system.
  pin,
  /// Until the last process that uses its registration ends: a lab.
  process,
  /// It is loaded; this user may not see the rest.
  unknown,
};

struct LoadedControl {
  std::string_view name;
  ControlHolder holder = ControlHolder::none;
};
using LoadedControls = std::array<LoadedControl, kLoadableControls.size()>;

enum class ControlFailure : std::uint8_t {
  notPermitted,
  /// No BTF, no struct_ops, or no links to them: before Linux 6.4.
  notSupported,
  /// This program was built without clang or libbpf.
  notBuilt,
  /// Something else has registered a control of the same name.
  nameTaken,
  /// Nothing is mounted where registrations are pinned.
  noBpfFileSystem,
  failed,
};

}  // namespace tcpscope
