// `doctor`: tries what tcpscope needs on this machine, and names the command that mends what is missing.
#include <unistd.h>

#include <array>

#include "app/cli/commands.h"
#include "app/cli/text_output.h"
#include "app/session/local_place.h"
#include "collectors/owner/buffer_lock_reader.h"
#include "collectors/owner/owner_lookup.h"
#include "core/text/escape.h"
#include "core/text/system_error_sentence.h"

namespace tcpscope {

namespace {

struct Check {
  enum class State { works, partly, missing };
  std::string_view name;
  State state = State::works;
  std::string what;
  /// The command that mends it; empty where there is nothing to mend.
  std::string mend;
};

std::string_view word(Check::State state) {
  static constexpr std::array<std::string_view, 3> kWords = {"works", "partly", "missing"};
  return kWords[static_cast<std::size_t>(state)];
}

/// Empty where root runs it already: then something else forbids it, such as a container.
std::string asRoot(std::string_view words) {
  return geteuid() == 0 ? std::string() : fmt::format("sudo tcpscope-cli {}", words);
}

struct Dump {
  std::size_t sockets = 0;
  std::size_t infoBytes = 0;
};

Expected<Dump, SystemError> takeDump(const LocalPlace& place) {
  auto poller = openPoller(place);
  if (!poller) return Unexpected<SystemError>(poller.error());
  Dump dump;
  (*poller)->pollOnce([&](ObservationBatch&& batch) {
    dump.sockets += batch.changed.size();
    for (const SocketObservation& socket : batch.changed) {
      dump.infoBytes = std::max(dump.infoBytes, socket.info.bytes().size());
    }
    return true;
  });
  if ((*poller)->isBroken()) return Unexpected<SystemError>({SystemAttempt::listSockets, 0, {}});
  return dump;
}

Check checkList(const Expected<Dump, SystemError>& dump) {
  if (!dump) return {"connections", Check::State::missing, sentence(dump.error()), "sudo modprobe tcp_diag"};
  return {"connections", Check::State::works, fmt::format("{} sockets listed", dump->sockets), ""};
}

Check checkFields(const Expected<Dump, SystemError>& dump) {
  if (!dump || dump->infoBytes == 0) {
    return {"kernel figures", Check::State::partly, "no connection is there to try them on", ""};
  }
  const std::size_t bytes = dump->infoBytes;
  if (bytes >= tcp_info::kTotalRtoTime.end()) {
    return {"kernel figures", Check::State::works, fmt::format("TCP_INFO has {} bytes", bytes), ""};
  }
  return {"kernel figures", Check::State::partly,
          fmt::format("TCP_INFO has {} bytes: this kernel reports fewer figures than Linux 6.7", bytes),
          "sudo apt-get install --only-upgrade linux-image-amd64"};
}

Check checkOwners() {
  OwnerLookup lookup;
  // An inode that no socket has: the search goes through every process.
  const std::array<std::uint32_t, 1> nobody = {~std::uint32_t{0}};
  lookup.lookup(nobody);
  if (lookup.processesNotPermitted() == 0) {
    return {"owners", Check::State::works, "every process can be read", ""};
  }
  return {"owners", Check::State::partly,
          fmt::format("{} processes of other users cannot be read", lookup.processesNotPermitted()), asRoot("list")};
}

Check checkNamespaces() {
  const auto own = findLocalPlace(std::to_string(getpid()));
  const auto poller = own ? openPoller(*own).map([](const auto&) {}) : Unexpected<SystemError>(own.error());
  if (poller) return {"namespaces", Check::State::works, "other network namespaces can be entered", ""};
  return {"namespaces", Check::State::partly, "only the own network namespace can be seen",
          asRoot("list --netns NAME")};
}

}  // namespace

ExitCode doctorCommand(const CommandOptions& options) {
  const auto place = findLocalPlace(std::nullopt);
  if (!place) return fail(place.error());
  const auto dump = takeDump(*place);
  const std::array<Check, 4> checks = {checkList(dump), checkFields(dump), checkOwners(), checkNamespaces()};

  TextBuffer out;
  if (options.json) {
    append(out, R"({"schema":"tcpscope.doctor","schema_version":1,"checks":[)");
    for (const Check& check : checks) {
      fmt::format_to(std::back_inserter(out), R"({}{{"name":"{}","state":"{}","text":"{}","command":"{}"}})",
                     &check == checks.data() ? "" : ",", check.name, word(check.state), forJson(check.what),
                     forJson(check.mend));
    }
    append(out, "]}\n");
  } else {
    fmt::format_to(std::back_inserter(out), "Linux {}\n", forTerminal(place->place.kernel));
    TextTable table({{"WHAT"}, {"STATE"}, {"DETAIL"}, {"COMMAND THAT MENDS IT"}});
    for (const Check& check : checks) {
      for (const std::string_view text :
           {check.name, word(check.state), std::string_view(check.what), std::string_view(check.mend)}) {
        append(table.cell(), text);
        table.endCell();
      }
    }
    table.print(out);
  }
  const ExitCode code = writeOut({out.data(), out.size()});
  if (code != ExitCode::done) return code;
  return checks[0].state == Check::State::missing ? ExitCode::systemFailed : ExitCode::done;
}

}  // namespace tcpscope
