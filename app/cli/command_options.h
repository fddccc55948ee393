// What every command understands, read from the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/connection_order.h"
#include "app/cli/exit_code.h"
#include "app/remote/started_agent.h"
#include "core/advice/advice.h"
#include "core/base/units.h"
#include "core/diagnosis/bounds/mathis.h"
#include "core/filter/connection_filter.h"
#include "core/model/segment_size.h"
#include "core/wire/probe/probe_plan.h"

namespace tcpscope {

enum class ColorChoice : std::uint8_t { automatic, always, never };
enum class OutputForm : std::uint8_t { text, json, jsonStream };

/// What `lab` understands: `lab list`, `lab run SCENARIO`, `lab record SCENARIO`.
enum class LabAction : std::uint8_t { list, run, record, compare, paper, listControls, loadControls, unloadControls };

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

/// What `calc` calculates.
enum class CalcEquation : std::uint8_t { mathis, pftk, lossBudget, mtu, window };

/// Of `calc`. Absent where it was not given, or the equation has no use for it.
struct CalcOptions {
  CalcEquation equation = CalcEquation::mathis;
  std::optional<double> rttSeconds;
  std::optional<double> lossEventRatio;
  std::optional<BitsPerSecond> rate;
  std::optional<double> windowBytes;
  std::optional<double> timeoutSeconds;
  Bytes mss = segmentOf(kEthernetMtu);
  Bytes mtu = kJumboMtu;
  Bytes currentMtu = kEthernetMtu;
  /// C of the Mathis equation.
  double constant = kMathisConstant;
};

/// `list --kill`.
struct CloseOptions {
  bool isAsked = false;
  /// Without asking in the terminal.
  bool yes = false;
};

/// Of `probe`.
struct ProbeOptions {
  /// HOST:PORT, or ssh://HOST where this program starts a listener itself; empty with `listens`.
  std::string target;
  bool listens = false;
  /// Port of the listener; 0 is any that is free.
  std::uint16_t port = 0;
  /// One sender, then an end.
  bool once = false;
  BitsPerSecond rate = kDefaultProbeRate;
  double seconds = toSeconds(kDefaultProbeTime);
  /// File of hosts; empty without `--mesh`.
  std::string mesh;
  /// Stops at the end of standard input.
  bool untilEof = false;
};

/// Of `apply`, `confirm`, `revert`, `verify` and `changes`.
struct ChangeOptions {
  /// KEY=VALUE, as `sysctl -w` takes them.
  std::vector<std::string> settings;
  std::vector<std::string> expected;
  bool preview = false;
  bool yes = false;
  bool persist = false;
  std::optional<double> revertAfterSeconds;
  /// confirm, revert and verify.
  std::uint32_t change = 0;
  /// verify: with the change, and as many without.
  std::uint32_t runs = 5;
};

struct TuneOptions {
  /// CONNECTION, where it is not named by a filter, and OPTION=VALUE.
  std::vector<std::string> words;
  bool show = false;
  bool undo = false;
  bool confirm = false;
  /// Revert the change after this many seconds unless it is confirmed.
  std::optional<double> revertAfterSeconds;
  bool replaceTrial = false;
  /// Measure the transfer for this long before the change, and after it.
  std::optional<double> measureSeconds;
};

struct PathHistoryOptions {
  /// A name, an address or a prefix.
  std::optional<std::string> host;
  std::optional<std::string> forget;
  std::optional<std::uint32_t> pruneDays;
};

/// Of `analyze`.
struct AnalysisOptions {
  std::vector<std::string> captures;
  bool insideTunnels = false;
  /// Of the analysis; by default what captureMemory() gives.
  std::optional<std::uint64_t> memoryBytes;
  bool jsonLines = false;
  bool details = false;
  std::optional<ConnectionOrder> order;
  std::optional<std::size_t> top;
  /// A file; empty for none.
  std::string savePackets;
  /// Of the path whose drops were recorded.
  std::optional<Nanoseconds> rtt;

  /// Anything that only captures have?
  [[nodiscard]] bool isAsked() const { return jsonLines || details || order || top || !savePackets.empty(); }
};

struct CommandOptions {
  bool json = false;
  bool jsonStream = false;
  /// Of `watch`: only the connections that end.
  bool ended = false;
  /// Of `watch`: what the kernel reports of connections, event by event.
  bool events = false;
  /// Of `watch`: what a connection has to begin to satisfy, in the filter's words; empty for the table.
  std::string trigger;
  /// From one such line of a connection to the next at least.
  double holdOffSeconds = 0.0;
  /// A recording around each event goes there; empty for none.
  std::string triggeredRecording;
  double recordBeforeSeconds = 60.0;
  double recordAfterSeconds = 10.0;
  double intervalSeconds = 1.0;
  std::optional<std::uint64_t> count;
  std::optional<std::string> networkNamespace;
  bool noResolve = false;
  ColorChoice color = ColorChoice::automatic;
  /// diagnose and advise only.
  double forSeconds = 5.0;
  /// advise only.
  AdviceGoal goal;
  /// checkup only: the process to check as well.
  std::optional<std::uint32_t> pid;
  /// checkup and report only: the host to which the path is probed, by name or address.
  std::optional<std::string> path;
  /// A recording, a capture, or another host as ssh://HOST, to use instead of this machine.
  std::optional<std::string> from;
  /// The command that was given `from` needs samples over time.
  bool refusesCaptures = false;
  /// How remote hosts are polled.
  AgentMeans means = AgentMeans::installed;
  /// list, report, record and export: placeholders for addresses and names.
  bool anonymize = false;
  /// report only: without the appendix.
  bool isBrief = false;
  /// report only: for whom it is, and by whom; empty where not given.
  std::string customer;
  std::string author;
  std::string ticket;
  /// report only: a PNG file.
  std::optional<std::string> logo;
  /// report only: what to put beside it, as in `from`.
  std::optional<std::string> compared;
  AnalysisOptions analysis;
  /// capture only.
  std::string interface = "any";
  /// Of packets to be recorded beside a recording.
  std::optional<std::string> packetsFilter;
  /// An open network namespace to capture in, from the program that started this one.
  std::optional<int> namespaceDescriptor;
  /// record, capture and report: the file, and its time limit.
  std::string output;
  std::optional<double> recordSeconds;
  double recordIntervalSeconds = 0.1;
  /// record only: limits beyond which the oldest data is deleted, and the recording comment.
  std::optional<std::uint64_t> maxBytes;
  std::optional<double> maxAgeSeconds;
  std::string note;
  /// export only: keys of metrics.
  std::vector<std::string> series;
  LabOptions lab;
  CalcOptions calc;
  ProbeOptions probe;
  CloseOptions kill;
  ChangeOptions change;
  TuneOptions tune;
  PathHistoryOptions paths;
  /// Do not write the path history.
  bool noPathHistory = false;
  /// The words behind `--`: a filter of connections, or of packets in the words of pcap-filter(7).
  std::string filterText;

  [[nodiscard]] OutputForm form() const {
    if (jsonStream) return OutputForm::jsonStream;
    return json ? OutputForm::json : OutputForm::text;
  }
  /// The host behind `--from ssh://HOST`.
  [[nodiscard]] std::optional<std::string_view> sshAddress() const {
    return from ? tcpscope::sshAddress(*from) : std::nullopt;
  }
  [[nodiscard]] Milliseconds interval() const {
    return Milliseconds(static_cast<std::int64_t>(intervalSeconds * 1000));
  }
  /// Colour on standard output?
  [[nodiscard]] bool useColor() const;
};

/// In the footer of each command that takes a filter.
inline constexpr std::string_view kFilterFollows = "The filter after '--'";

/// Checks a number of seconds, and names its bounds as people write them.
CLI::Validator secondsWithin(double least, double most);

void addCommonOptions(CLI::App& command, CommandOptions& options);
/// --netns and --json: for the commands that change a place instead of watching it.
void addChangeOptions(CLI::App& command, CommandOptions& options);
/// What a command takes after --from; the packets of captures show less than samples do.
enum class FromSources : std::uint8_t { recordingsHosts, recordingsCapturesHosts };
void addFromOption(CLI::App& command, CommandOptions& options, FromSources sources = FromSources::recordingsHosts);
/// What advise aims at.
void addGoalOptions(CLI::App& command, CommandOptions& options);
void addReportOptions(CLI::App& command, CommandOptions& options);
void addAnalyzeOptions(CLI::App& command, CommandOptions& options);
void addCaptureOptions(CLI::App& command, CommandOptions& options);
void addExportOptions(CLI::App& command, CommandOptions& options);
void addAnonymizeOption(CLI::App& command, CommandOptions& options);
void addRecordOptions(CLI::App& command, CommandOptions& options);
/// For the commands that look at this machine for a while.
void addPathHistoryOption(CLI::App& command, CommandOptions& options);
void addPathsOptions(CLI::App& command, CommandOptions& options);
void addTuneOptions(CLI::App& command, CommandOptions& options);

// change_commands.cpp
void addApplyOptions(CLI::App& command, ChangeOptions& options);
void addVerifyOptions(CLI::App& command, ChangeOptions& options);
void addChangeNumber(CLI::App& command, ChangeOptions& options);

// closed_connections.cpp
void addKillOptions(CLI::App& command, CommandOptions& options);

// probe_command.cpp
void addProbeOptions(CLI::App& command, CommandOptions& options);

// calc_command.cpp
/// `json` is shared with the other commands.
void addCalcOptions(CLI::App& command, CalcOptions& options, bool& json);

// lab_command.cpp
/// `json` is shared with the other commands.
void addLabOptions(CLI::App& command, LabOptions& options, bool& json);

/// Does a part of the filter ask for the process behind a socket?
bool asksForProcess(const ConnectionFilter& filter);

/// The filter, or the exit code after its error was printed.
Expected<ConnectionFilter, ExitCode> parseFilter(const CommandOptions& options);

}  // namespace tcpscope
