// Shows, changes and restores the socket options of one connection of a running program.
#pragma once

#include <filesystem>
#include <functional>

#include "collectors/system/owned_descriptor.h"
#include "core/changes/tune_error.h"
#include "core/changes/tune_report.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// A duplicate of the process's descriptor; its cookie has been compared with the connection's.
Expected<OwnedDescriptor, TuneError> openConnection(std::int32_t pid, const SocketObservation& connection);

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
  };
  explicit OptionChanger(Parts parts) : m_parts(std::move(parts)) {}

  [[nodiscard]] Expected<TuneReport, TuneError> show() const;
  /// All of the changes or none.
  [[nodiscard]] Expected<TuneReport, TuneError> tune(const std::vector<OptionChange>& wanted) const;
  [[nodiscard]] Expected<TuneReport, TuneError> undo() const;

private:
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

}  // namespace tcpscope
