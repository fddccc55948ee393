#include "core/present/text/control_text.h"

#include <fmt/format.h>

namespace tcpscope {

std::string_view stateText(ControlHolder holder) {
  switch (holder) {
    case ControlHolder::none:
      return "not loaded";
    case ControlHolder::pin:
      return "loaded until 'congestion-controls unload' or a reboot";
    case ControlHolder::process:
      return "loaded until the last lab that uses it ends";
    case ControlHolder::unknown:
      break;
  }
  return "loaded";
}

std::string loadCommand(std::string_view control) {
  if (isLoadableControl(control)) return "sudo tcpscope-cli lab congestion-controls load";
  return fmt::format("sudo modprobe tcp_{}", control);
}

std::string sentence(ControlFailure failure) {
  switch (failure) {
    case ControlFailure::notPermitted:
      return "only root may load and unload congestion controls, and a container may forbid it; use 'sudo tcpscope-cli "
             "lab congestion-controls load'";
    case ControlFailure::notSupported:
      return "this kernel does not accept congestion controls as BPF programs; they need Linux 6.4 with CONFIG_BPF_JIT "
             "and CONFIG_DEBUG_INFO_BTF";
    case ControlFailure::notBuilt:
      return "this tcpscope was built without clang or libbpf; install a build that has them";
    case ControlFailure::nameTaken:
      return "another program has registered a congestion control of the same name; 'bpftool struct_ops list' shows it";
    case ControlFailure::noBpfFileSystem:
      return "no BPF file system is mounted, which keeps them loaded; mount it with 'sudo mount -t bpf bpf "
             "/sys/fs/bpf'";
    case ControlFailure::failed:
      break;
  }
  return "the kernel refused the congestion controls; 'sudo tcpscope-cli doctor' shows what works here";
}

}  // namespace tcpscope
