// `lab congestion-controls`: loads the congestion controls of the papers into the kernel, unloads them, and lists them.
#include <chrono>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/text_output.h"
#include "collectors/bpf/registered_controls.h"
#include "core/present/text/control_text.h"

namespace tcpscope {

namespace {

ExitCode failWith(ControlFailure failure) {
  switch (failure) {
    case ControlFailure::notPermitted:
      return fail(ExitCode::missingRight, sentence(failure));
    case ControlFailure::notSupported:
    case ControlFailure::notBuilt:
    case ControlFailure::noBpfFileSystem:
      return fail(ExitCode::notThere, sentence(failure));
    case ControlFailure::nameTaken:
      return fail(ExitCode::refused, sentence(failure));
    case ControlFailure::failed:
      break;
  }
  return fail(ExitCode::systemFailed, sentence(failure));
}

bool areHeldByProcesses(const LoadedControls& states) {
  return std::any_of(states.begin(), states.end(),
                     [](const LoadedControl& state) { return state.holder == ControlHolder::process; });
}

/// The kernel drops a pin's registration a moment after the file is gone; only what stays has another holder.
void waitUntilDropped() {
  constexpr int kMostPolls = 100;
  constexpr std::chrono::milliseconds kPause{10};
  for (int poll = 0; poll < kMostPolls; ++poll) {
    const LoadedControls states = readLoadedControls();
    const bool isGone = std::all_of(states.begin(), states.end(),
                                    [](const LoadedControl& state) { return state.holder == ControlHolder::none; });
    if (isGone) return;
    std::this_thread::sleep_for(kPause);
  }
}

ExitCode listControls() {
  TextTable table({{"NAME"}, {"STATE"}, {"ALGORITHM"}});
  const LoadedControls states = readLoadedControls();
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (const std::string_view text :
         {kLoadableControls[i].name, stateText(states[i].holder), kLoadableControls[i].title}) {
      append(table.cell(), text);
      table.endCell();
    }
  }
  TextBuffer out;
  table.print(out);
  return writeOut({out.data(), out.size()});
}

ExitCode loadControlsUntilUnload() {
  const auto held = RegisteredControls::hold();
  if (!held) return failWith(held.error());
  if (const auto pinned = held->pin(); !pinned) return failWith(pinned.error());
  return listControls();
}

ExitCode unloadControls() {
  const auto removed = unpinControls();
  if (!removed) return failWith(removed.error());
  if (*removed > 0) waitUntilDropped();
  const bool isHeld = areHeldByProcesses(readLoadedControls());
  if (*removed == 0) {
    return isHeld
               ? fail(ExitCode::refused, "a running lab uses the congestion controls; they are unloaded when it ends")
               : fail(ExitCode::notThere, "no congestion control of tcpscope is loaded; nothing to unload");
  }
  return writeOut(isHeld ? "A running lab uses the congestion controls; they are unloaded when it ends.\n"
                         : "Unloaded. Connections that use one of them keep it until they end.\n");
}

}  // namespace

ExitCode congestionControlsCommand(LabAction action) {
  if (action == LabAction::loadControls) return loadControlsUntilUnload();
  return action == LabAction::unloadControls ? unloadControls() : listControls();
}

}  // namespace tcpscope
