// Starts a demo: a lab of its scenario, watched through the agents of its hosts; where this system denies user
// namespaces, the bundled recording of the default demo instead.
//
// Blocks for up to some seconds: it is called on the background queue.
#pragma once

#include <filesystem>
#include <functional>

#include "app/desktop/demo_catalogue.h"
#include "app/lab/engine/lab_process.h"
#include "core/session/session_port.h"

namespace tcpscope {

/// Where demos come from; a test gives others.
struct DemoSources {
  using StartLab = std::function<Expected<std::unique_ptr<lab::LabProcess>, LabError>(const lab::Scenario&)>;

  StartLab startLab = lab::LabProcess::start;
  /// Of the default demo, one file a host.
  std::vector<std::filesystem::path> recordings;
};

struct RunningDemo {
  /// Index into the catalogue: another than was asked for where a recording plays.
  std::size_t demo = 0;
  /// Null where a recording plays. Outlives the session that watches it.
  std::unique_ptr<lab::LabProcess> lab;
  std::unique_ptr<SessionPort> session;
  /// What is different from what was asked for; empty for nothing.
  std::string notice;
};

/// Its places are numbered from `firstPlace` on. The error is a sentence for people.
Expected<std::shared_ptr<RunningDemo>, std::string> startDemo(const std::vector<Demo>& demos, std::size_t wanted,
                                                              const DemoSources& sources, PlaceId firstPlace);

/// What is bundled with the program: beside the executable in a build tree, in the folder for shared files where it is
/// installed. Empty where it is missing. `programFolder` is the executable's.
std::vector<std::filesystem::path> bundledRecordings(const std::filesystem::path& programFolder);

}  // namespace tcpscope
