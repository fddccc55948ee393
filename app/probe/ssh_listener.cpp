#include "app/probe/ssh_listener.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "app/remote/ssh_command.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"

namespace tcpscope {

namespace {

/// What stands behind the word at the beginning of a line: a banner may come before.
std::string lineBehind(std::string_view text, std::string_view word) {
  const std::string inside = '\n' + std::string(word);
  std::size_t begin = text.starts_with(word) ? 0 : text.find(inside);
  if (begin == std::string::npos) return {};
  begin += text[begin] == '\n' ? 1U : 0U;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return std::string(text.substr(begin + word.size(), end - begin - word.size()));
}

/// Until both lines have come, the output ends, or a minute has passed; nothing once `wakeDescriptor` is readable.
std::optional<std::string> readStart(int output, int wakeDescriptor) {
  std::string text;
  const Moment deadline = monotonicNow() + std::chrono::minutes(1);
  constexpr std::size_t kMostBytes = 4096;
  while (text.size() < kMostBytes && monotonicNow() < deadline) {
    std::array<pollfd, 2> waiting = {{{output, POLLIN, 0}, {wakeDescriptor, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), 500) <= 0) continue;
    if (waiting[1].revents != 0) return std::nullopt;
    std::array<char, 256> bytes{};
    const ssize_t count = read(output, bytes.data(), bytes.size());
    if (count <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(count));
    const std::size_t address = text.find('\n' + std::string(kListenerAddressWord));
    if (address != std::string::npos && text.find('\n', address + 1) != std::string::npos) break;
  }
  return text;
}

}  // namespace

Expected<SshListener, std::string> SshListener::start(const ProbeTarget& target, int wakeDescriptor) {
  using NoListener = Unexpected<std::string>;
  ChildCommand command;
  command.arguments = sshWords(target.address, SshManner::inTerminal);
  for (std::string& word : wordsForThere({"tcpscope-cli", "probe", "--listen", "--once"})) {
    command.arguments.push_back(std::move(word));
  }
  // What is typed meanwhile is for this program; ssh asks on the terminal itself.
  command.input = ChildStream::null();
  command.output = ChildStream::pipe();
  auto ssh = ChildProcess::start(command);
  if (!ssh) return NoListener("cannot start ssh; install the package openssh-client");
  const auto text = readStart(ssh->output().get(), wakeDescriptor);
  if (!text) return NoListener("interrupted");
  const auto port = parsePort(lineBehind(*text, kListenerPortWord));
  const auto address = IpAddress::parse(lineBehind(*text, kListenerAddressWord));
  if (port && address) return SshListener(std::move(*ssh), {*address, *port});
  const std::string name = forTerminal(UntrustedText(target.name));
  return NoListener(fmt::format(
      "{} started no listener; see that 'ssh {} tcpscope-cli probe --listen' works in a terminal", name, name));
}

}  // namespace tcpscope
