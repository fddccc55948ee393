#include "app/desktop/change_at_host.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>

#include "app/remote/ssh_failure.h"
#include "core/present/text/remote_change_text.h"
#include "core/present/text/system_error_sentence.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

using Kind = RemoteChangeErrorKind;

/// A password may have to be typed; nothing of what runs there takes long.
constexpr Milliseconds kPatienceOfPerson = std::chrono::minutes(2);
constexpr Milliseconds kPatienceOfNobody = std::chrono::seconds(30);

// Exit codes of the lines below, beyond those of the command line and before those of a shell. A shell of any kind may
// start them: they are one line, without an exclamation mark.
constexpr int kOtherPlace = 91;
constexpr int kNoSudo = 92;
constexpr int kNoProgram = 127;
constexpr int kSshFailed = 255;
/// $1 is the boot, $2 the network namespace as places name it, then comes the command.
constexpr const char* kOnlyThere =
    "[ \"$(cat /proc/sys/kernel/random/boot_id)\" = \"$1\" ] || exit 91; "
    "[ \"$(readlink /proc/self/ns/net)\" = \"net:[$2]\" ] || [ \"/run/netns/$2\" -ef /proc/self/ns/net ] || exit 91; "
    "shift 2; exec \"$@\"";
/// sudo looks for programs elsewhere than the login does, and says in the login's language what it wants.
constexpr const char* kAsRoot =
    "[ \"$(id -u)\" = 0 ] && exec \"$@\"; program=$(command -v \"$1\") || exit 127; "
    "command -v sudo >/dev/null || exit 92; shift; export LC_ALL=C; exec sudo -n -- \"$program\" \"$@\"";

using HostWords = std::vector<std::string>;

HostWords shellLine(const char* line) {
  return {"sh", "-c", line, "tcpscope"};
}

bool says(const CommandAnswer& answer, std::string_view text) {
  return answer.errorText.find(text) != std::string::npos;
}

/// What ssh says only before anything runs there.
bool isFromBefore(const CommandAnswer& answer) {
  constexpr std::string_view kSayings[] = {"ssh: connect to host", "Could not resolve hostname", "Permission denied (",
                                           "Host key verification failed", "Too many authentication failures"};
  return answer.output.empty() && std::any_of(std::begin(kSayings), std::end(kSayings),
                                              [&](std::string_view saying) { return says(answer, saying); });
}

bool takesRights(const HostWords& words) {
  const HostWords rights = rightsThere();
  return words.size() > rights.size() && std::equal(rights.begin(), rights.end(), words.begin());
}

/// sudo's own refusals have the exit code of a command that found nothing.
std::optional<Kind> sudosRefusal(const CommandAnswer& answer) {
  if (answer.exitCode == kNoSudo) return Kind::noSudo;
  if (answer.exitCode != 1 || !answer.output.empty() || says(answer, "tcpscope-cli: ")) return std::nullopt;
  const bool asks =
      says(answer, "password is required") || says(answer, "terminal is required") || says(answer, "must have a tty");
  return asks ? Kind::sudoAsks : Kind::sudoRefuses;
}

/// For a person, who reads no JSON.
HostWords wordsByHand(const HostWords& words, Kind why) {
  HostWords line;
  if (why != Kind::noSudo) line.emplace_back("sudo");
  std::copy_if(words.begin() + static_cast<std::ptrdiff_t>(rightsThere().size()), words.end(), std::back_inserter(line),
               [](const std::string& word) { return word != "--json"; });
  return line;
}

std::string reachSentence(int errorNumber, const std::string& address) {
  return asSentence(sentence(SystemError{SystemAttempt::reachAgent, errorNumber, UntrustedText(address)}))
      .toStdString();
}

/// What the exit code and the words on standard error mean.
CommandAnswer understood(CommandAnswer answer, const std::string& address, const HostWords& words) {
  const UntrustedText host(address);
  if (const auto refusal = takesRights(words) ? sudosRefusal(answer) : std::nullopt) {
    answer.errorText = sentence(*refusal, host);
    answer.byHand = wordsByHand(words, *refusal);
  } else if (answer.exitCode == kOtherPlace) {
    answer.errorText = sentence(Kind::otherPlace, host);
  } else if (answer.exitCode == kNoProgram) {
    answer.errorText = reachSentence(ENOPKG, address);
  } else if (answer.exitCode == kSshFailed && isFromBefore(answer)) {
    answer.errorText = reachSentence(errnoOfSsh(kSshFailed, answer.errorText).value_or(ECONNRESET), address);
  } else if (answer.exitCode == kSshFailed || answer.isLost) {
    answer.errorText = sentence(Kind::answerLost, host);
    answer.isLost = true;
  }
  return answer;
}

}  // namespace

CommandAnswer runSsh(const std::vector<std::string>& words, SshManner manner, const std::stop_token& stop) {
  const bool asksNobody = manner == SshManner::alone;
  return runCommandAs({asksNobody, asksNobody ? kPatienceOfNobody : kPatienceOfPerson}, words, stop);
}

std::vector<std::string> rightsThere() {
  return shellLine(kAsRoot);
}

RunCommand runAtHost(std::string address, const Place& place, SshManner manner, RunSsh run) {
  HostWords before = shellLine(kOnlyThere);
  before.insert(before.end(), {place.bootId, place.networkNamespace});
  return [address = std::move(address), before = std::move(before), manner, run = std::move(run)](
             const HostWords& words, const std::stop_token& stop) -> CommandAnswer {
    const auto parts = parseSshAddress(address);
    if (!parts) return {-1, {}, reachSentence(EINVAL, address)};
    HostWords all = sshWords(*parts, manner);
    HostWords there = before;
    there.insert(there.end(), words.begin(), words.end());
    for (std::string& word : wordsForThere(there)) all.push_back(std::move(word));
    return understood(run(all, manner, stop), address, words);
  };
}

}  // namespace tcpscope
