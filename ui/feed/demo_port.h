// The door to the lab's demos: what there is to show, start one, end it. All calls return at once and come from the GUI
// thread; the outcome of start() is in the state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/limits/limit.h"
#include "core/filter/connection_filter.h"

namespace tcpscope {

/// Texts of tcpscope's own.
struct DemoScenario {
  /// As the command line calls it.
  std::string name;
  std::string title;
  /// One sentence on the path that gives no answer away: stands in the place of the story while it is guessed.
  std::string setting;
  /// A few sentences: what is wrong here, what to look at.
  std::string story;
  /// What limits it, shown on request; empty where the scenario has no single answer.
  std::string truth;
  /// Of the answer; absent where there is no single one.
  std::optional<Limit> limit{};
};

enum class DemoPhase : std::uint8_t { none, starting, running, failed };

struct DemoState {
  DemoPhase phase = DemoPhase::none;
  /// Index into the scenarios; meaningless without a demo.
  std::size_t scenario = 0;
  /// Failed: what happened, why, what to do next. Running: what is different from what was asked for; else empty.
  std::string notice;
  /// Whether the verdict agrees with the answer; empty where there is nothing to compare.
  std::string verdict{};
  /// The connection to look at, once it runs.
  std::optional<ConnectionFilter> main;
};

class DemoPort {
public:
  DemoPort() = default;
  DemoPort(const DemoPort&) = delete;
  DemoPort& operator=(const DemoPort&) = delete;
  virtual ~DemoPort() = default;

  [[nodiscard]] virtual const std::vector<DemoScenario>& scenarios() const = 0;
  /// Ends the one that runs.
  virtual void start(std::size_t scenario) = 0;
  virtual void stop() = 0;
  [[nodiscard]] virtual DemoState state() = 0;
};

}  // namespace tcpscope
