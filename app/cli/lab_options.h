// What `lab` understands: `lab list`, `lab run SCENARIO`, `lab record SCENARIO`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tcpscope {

enum class LabAction : std::uint8_t { list, run, record };

struct LabOptions {
  LabAction action = LabAction::list;
  /// Name of a bundled scenario, or a file.
  std::string scenario;
  std::optional<double> forSeconds;
  /// KEY=VALUE; several values with commas between them make a grid.
  std::vector<std::string> changes;
  std::optional<std::size_t> repeats;
  /// record: the folder for one recording a host. run: *.csv: the table, *.svg: the plot, *.json: the document.
  std::vector<std::string> outputs;
  /// record: the packets, too.
  bool packets = false;
  /// The figure that a plot shows.
  std::string figure = "goodput_bps";
};

/// `json` is shared with the other commands.
void addLabOptions(CLI::App& command, LabOptions& options, bool& json);

}  // namespace tcpscope
