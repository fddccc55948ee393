// Hosts, programs and paths that are wrong in one way each, with the remedy that has to be advised for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lab/scenario/scenario.h"
#include "core/advice/advice.h"

namespace tcpscope::lab {

/// Number of the host in the scenario.
enum class End : std::uint8_t { sender, receiver };

struct AdviceCase {
  std::string_view name;
  /// Cases of one kind run together.
  std::string_view part;
  /// Absent for a path that is to get no advice.
  std::optional<RemedyId> remedy;
  /// Whose side is asked.
  End asked = End::sender;
  /// Hosts "sender" and "receiver", traffic "main"; "again" begins when the remedy has been applied, for a remedy that
  /// reaches new connections only.
  Scenario scenario;
  AdviceAim aim = AdviceAim::throughput;
  /// Another connection over the path had packets marked.
  bool pathMarks = false;
  /// OPTION=VALUE that spoil the running connection at that end.
  std::vector<std::string> spoiledBy{};
  /// From the change to the measurement.
  Milliseconds settles{2000};
  /// Of the path's rate, after the change.
  double leastOfRate = 0.90;
  /// Why no measurement here can show what it brings; empty where one does. Then the advice alone is proved.
  std::string_view notProvable{};

  [[nodiscard]] bool reconnects() const { return scenario.traffic.size() > 1; }
};

/// At least one a remedy.
std::vector<AdviceCase> adviceCases();

}  // namespace tcpscope::lab
