// Shows, changes and restores the socket options of one connection of a running program.
#pragma once

#include <filesystem>
#include <functional>

#include "app/changes/execute/revert_timer.h"
#include "collectors/system/owned_descriptor.h"
#include "core/changes/tune_error.h"
#include "core/changes/tune_report.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

class OptionJournal;
class OwnerLookup;

/// A duplicate of the process's descriptor; its cookie has been compared with the connection's.
Expected<OwnedDescriptor, TuneError> openConnection(std::int32_t pid, const SocketObservation& connection);

/// The same by way of a process that holds the socket now: for a connection whose process has ended and left it to
/// another one, such as a child.
Expected<OwnedDescriptor, TuneError> openConnection(const SocketObservation& connection);
/// Why no process was found that holds it: hidden by missing rights, or the connection has no descriptor any more.
TuneErrorKind missingOwner(const SocketObservation& connection, const OwnerLookup& lookup);

/// Of a connection in the network namespace behind `namespaceFile` ("/proc/self/ns/net").
Expected<TuneKey, TuneError> tuneKeyOf(const SocketObservation& connection, std::string bootId,
                                       const std::filesystem::path& namespaceFile);

/// A duplicate keeps a connection open that its program closes: none is held between two readings, nor during any wait.
class OptionChanger {
public:
  using Open = std::function<Expected<OwnedDescriptor, TuneError>()>;
  struct Parts {
    /// A duplicate whose cookie has been compared. Called for each step.
    Open open;
    TuneKey key;
    /// Of the originals (journal/option_journal.h).
    std::filesystem::path folder;
    /// Largest window that the window scale can advertise.
    std::optional<std::uint64_t> largestWindowBytes;
    /// Sysctls of the connection's network namespace.
    SysctlValues settings;
    /// Of the socket, for the record of a trial.
    std::uint32_t inode = 0;
    /// CLOCK_BOOTTIME.
    std::function<Nanoseconds()> now = bootTime;
    /// Returns 0 or the errno.
    std::function<int(Nanoseconds deadline, const std::function<void()>& expire)> startTimer = startRevertTimer;
  };
  explicit OptionChanger(Parts parts) : m_parts(std::move(parts)) {}

  /// Changes nothing, except that an overdue trial is reverted.
  [[nodiscard]] Expected<TuneReport, TuneError> show() const;
  enum class RunningTrial : std::uint8_t {
    /// `onTrial` while another trial of this connection lasts.
    stays,
    /// It ends first, and what it changed is restored.
    replaced
  };
  /// All of the changes or none. With `revertAfter` on trial: reverted then unless confirm() comes first.
  [[nodiscard]] Expected<TuneReport, TuneError> tune(const std::vector<OptionChange>& wanted,
                                                     std::optional<Nanoseconds> revertAfter = std::nullopt,
                                                     RunningTrial running = RunningTrial::stays) const;
  [[nodiscard]] Expected<TuneReport, TuneError> confirm() const;
  /// Restores the values from before the first change, on trial or not.
  [[nodiscard]] Expected<TuneReport, TuneError> undo() const;
  /// Reverts an overdue trial of this connection to the values from before the trial, except those that another
  /// program changed. Closes the record of a connection that is gone.
  void settle() const;

private:
  /// The record after an overdue trial has ended; with the trial if the options cannot be restored now.
  [[nodiscard]] Expected<std::optional<TuneRecord>, TuneError> settled(const OptionJournal& journal) const;
  /// The record after its trial has ended now; with the trial if the options cannot be restored now.
  [[nodiscard]] Expected<std::optional<TuneRecord>, TuneError> withoutTrial(const OptionJournal& journal,
                                                                            TuneRecord record) const;
  /// Of its trial; absent if it has none.
  [[nodiscard]] std::optional<Nanoseconds> timeLeft(const TuneRecord& record) const;
  [[nodiscard]] Expected<OptionValues, TuneError> read() const;
  /// Sets the options, and reads all of them back. Sets none if one is refused.
  [[nodiscard]] Expected<OptionValues, TuneError> apply(const std::vector<OptionChange>& changes,
                                                        const TuneRecord& made) const;
  /// Autotuning rewrites a window clamp within about an RTT: waits for that, for one second at most.
  void waitForClamp(const std::vector<OptionChange>& changes, const OptionValues& set) const;
  [[nodiscard]] Expected<TuneReport, TuneError> report(TuneAction action, const std::vector<OptionChange>& changes,
                                                       const OptionValues& before, TuneRecord record) const;

  Parts m_parts;
};

/// Reverts every overdue trial of this boot in the journal `folder`: for one whose timer was killed.
void settleTrials(const std::filesystem::path& folder, const std::string& bootId);

}  // namespace tcpscope
