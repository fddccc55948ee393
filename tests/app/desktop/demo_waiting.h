// Demos in a test: their sources, and waiting for the outcome of one while the window stays alive.
#pragma once

#include <QCoreApplication>
#include <chrono>
#include <thread>

#include "app/desktop/lab_demo.h"
#include "tests/support/built_paths.h"
#include "tests/ui/support/recording_port.h"

namespace tcpscope::test {

/// Machines without user namespaces, whatever this one is.
inline DemoSources sourcesWithoutLab() {
  DemoSources sources;
  sources.startLab = [](const lab::Scenario&) -> Expected<std::unique_ptr<lab::LabProcess>, LabError> {
    return tl::unexpected(LabError{LabErrorKind::noUserNamespaces, 0, UntrustedText("user.max_user_namespaces")});
  };
  // As the program finds them, which lies beside the command line's folder.
  const std::filesystem::path programs = std::filesystem::path(commandLineProgram()).parent_path().parent_path();
  sources.recordings = bundledRecordings(programs / "desktop");
  return sources;
}

/// False where the condition does not come true within a minute.
template <class Condition>
bool comesTrue(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    QCoreApplication::processEvents();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// The state once no start is in progress any more.
inline DemoState settled(LabDemo& demo) {
  DemoState state;
  comesTrue([&] { return (state = demo.state()).phase != DemoPhase::starting; });
  return state;
}

inline std::size_t numberOf(const LabDemo& demo, std::string_view name) {
  std::size_t number = 0;
  while (number < demo.scenarios().size() && demo.scenarios()[number].name != name) ++number;
  return number;
}

}  // namespace tcpscope::test
