#include "app/changes/transport/remote_command.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>

#include "app/remote/ssh_failure.h"

namespace tcpscope {

namespace {

using Kind = ChangeErrorKind;

// Exit codes of the lines below, beyond those of the command line and before those of a shell. A shell of any kind may
// start them: they are one line, without an exclamation mark.
constexpr int kOtherPlace = 91;
constexpr int kNoSudo = 92;
constexpr int kNoProgram = 127;
/// $1 is the boot, $2 the network namespace as places name it, then comes the command.
constexpr const char* kOnlyThere =
    "[ \"$(cat /proc/sys/kernel/random/boot_id)\" = \"$1\" ] || exit 91; "
    "[ \"$(readlink /proc/self/ns/net)\" = \"net:[$2]\" ] || [ \"/run/netns/$2\" -ef /proc/self/ns/net ] || exit 91; "
    "shift 2; exec \"$@\"";
/// sudo has its own search path, and its messages follow the locale.
constexpr const char* kAsRoot =
    "[ \"$(id -u)\" = 0 ] && exec \"$@\"; program=$(command -v \"$1\") || exit 127; "
    "command -v sudo >/dev/null || exit 92; shift; export LC_ALL=C; exec sudo -n -- \"$program\" \"$@\"";

using HostWords = std::vector<std::string>;

HostWords shellLine(const char* line) {
  return {"sh", "-c", line, "tcpscope"};
}

bool says(const CommandResult& result, std::string_view text) {
  return result.errorText.find(text) != std::string::npos;
}

/// ssh prints these only before the command starts.
bool isBeforeStart(const CommandResult& result) {
  constexpr std::string_view kMessages[] = {"ssh: connect to host", "Could not resolve hostname", "Permission denied (",
                                            "Host key verification failed", "Too many authentication failures"};
  return result.output.empty() && std::any_of(std::begin(kMessages), std::end(kMessages),
                                              [&](std::string_view message) { return says(result, message); });
}

bool needsRights(const HostWords& words) {
  const HostWords rights = remoteRights();
  return words.size() > rights.size() && std::equal(rights.begin(), rights.end(), words.begin());
}

/// sudo's own failures share exit code 1 with a command that found nothing.
std::optional<Kind> sudoRefusal(const CommandResult& result) {
  if (result.exitCode == kNoSudo) return Kind::noSudo;
  if (result.exitCode != 1 || !result.output.empty() || says(result, "tcpscope-cli: ")) return std::nullopt;
  const bool asks =
      says(result, "password is required") || says(result, "terminal is required") || says(result, "must have a tty");
  return asks ? Kind::sudoAsks : Kind::sudoRefuses;
}

/// Without --json, which is for programs.
HostWords manualWords(const HostWords& words, Kind why) {
  HostWords line;
  if (why != Kind::noSudo) line.emplace_back("sudo");
  std::copy_if(words.begin() + static_cast<std::ptrdiff_t>(remoteRights().size()), words.end(),
               std::back_inserter(line), [](const std::string& word) { return word != "--json"; });
  return line;
}

/// Sets what exit code and standard error mean.
CommandResult interpreted(CommandResult result, const std::string& address, const HostWords& words) {
  const auto fail = [&](Kind kind, int errorNumber = 0) {
    result.failure = ChangeError{kind, errorNumber, UntrustedText(address)};
  };
  if (errnoOfSsh(result.exitCode, result.errorText) == ENODEV) {
    fail(Kind::unreachable, ENODEV);
  } else if (const auto refusal = needsRights(words) ? sudoRefusal(result) : std::nullopt) {
    fail(*refusal);
    result.manualCommand = manualWords(words, *refusal);
  } else if (result.exitCode == kOtherPlace) {
    fail(Kind::otherPlace);
  } else if (result.exitCode == kNoProgram) {
    fail(Kind::unreachable, ENOPKG);
  } else if (result.exitCode == kSshFailed && isBeforeStart(result)) {
    fail(Kind::unreachable, errnoOfSsh(kSshFailed, result.errorText).value_or(ECONNRESET));
  } else if (result.exitCode == kSshFailed || result.isLost) {
    fail(Kind::reportLost);
    result.isLost = true;
  }
  return result;
}

}  // namespace

std::vector<std::string> remoteRights() {
  return shellLine(kAsRoot);
}

RunCommand runOnHost(std::string address, const Place& place, SshManner manner, RunSsh run) {
  HostWords guard = shellLine(kOnlyThere);
  guard.insert(guard.end(), {place.bootId, place.networkNamespace});
  return [address = std::move(address), guard = std::move(guard), manner, run = std::move(run)](
             const HostWords& words, const std::stop_token& stop) -> CommandResult {
    const auto parts = parseSshAddress(address);
    if (!parts) {
      CommandResult result;
      result.failure = ChangeError{Kind::unreachable, EINVAL, UntrustedText(address)};
      return result;
    }
    HostWords all = sshWords(*parts, manner);
    HostWords remote = guard;
    remote.insert(remote.end(), words.begin(), words.end());
    for (std::string& word : wordsForThere(remote)) all.push_back(std::move(word));
    return interpreted(run(all, manner, stop), address, words);
  };
}

}  // namespace tcpscope
