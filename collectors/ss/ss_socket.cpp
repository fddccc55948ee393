#include "collectors/ss/ss_socket.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "collectors/ss/ss_field.h"
#include "collectors/ss/ss_number.h"
#include "collectors/ss/ss_timer.h"

namespace tcpscope {

namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kMemoryWord = "skmem:(";
/// State, two queues, two addresses.
constexpr std::size_t kColumns = 5;

struct StateWord {
  std::string_view word;
  TcpState state;
};

constexpr std::array kStateWords = {
    StateWord{"ESTAB", TcpState::established},    StateWord{"SYN-SENT", TcpState::synSent},
    StateWord{"SYN-RECV", TcpState::synReceived}, StateWord{"FIN-WAIT-1", TcpState::finWait1},
    StateWord{"FIN-WAIT-2", TcpState::finWait2},  StateWord{"TIME-WAIT", TcpState::timeWait},
    StateWord{"UNCONN", TcpState::close},         StateWord{"CLOSE-WAIT", TcpState::closeWait},
    StateWord{"LAST-ACK", TcpState::lastAck},     StateWord{"LISTEN", TcpState::listen},
    StateWord{"CLOSING", TcpState::closing},
};

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kSpaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kSpaces, end);
  }
  return words;
}

std::optional<TcpState> stateOf(std::string_view word) {
  const auto* const found =
      std::find_if(kStateWords.begin(), kStateWords.end(), [word](const StateWord& one) { return one.word == word; });
  return found == kStateWords.end() ? std::nullopt : std::optional(found->state);
}

/// "127.0.0.1:80", "[::1]:80", "[fe80::1]%eth0:80", "*:80" for any address of IPv6, "0.0.0.0:*"; of old ones "::1:80".
std::optional<Endpoint> endpointOf(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view portWord = text.substr(colon + 1);
  const auto port = portWord == "*" ? std::optional<std::uint64_t>(0) : wholeNumber(portWord);
  if (!port || *port > 65'535) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  host = host.substr(0, host.find('%'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const auto address = host == "*" ? IpAddress::v6({}) : IpAddress::parse(host);
  if (!address) return std::nullopt;
  return Endpoint{*address, static_cast<std::uint16_t>(*port)};
}

/// "skmem:(r0,rb131072,t0,tb16384,f0,w0,o0,bl0,d0)".
std::optional<SocketMemory> memoryOf(std::string_view word) {
  if (!word.starts_with(kMemoryWord) || !word.ends_with(')')) return std::nullopt;
  word = word.substr(kMemoryWord.size(), word.size() - kMemoryWord.size() - 1);
  constexpr std::array<std::string_view, 9> kNames = {"r", "rb", "t", "tb", "f", "w", "o", "bl", "d"};
  constexpr std::size_t kWithoutDrops = 8;
  std::array<std::uint64_t, kNames.size()> figures{};
  std::size_t count = 0;
  for (; count < kNames.size() && !word.empty(); ++count) {
    const std::size_t end = std::min(word.find(','), word.size());
    if (!word.starts_with(kNames[count])) return std::nullopt;
    const auto value = wholeNumber(word.substr(kNames[count].size(), end - kNames[count].size()));
    if (!value) return std::nullopt;
    figures[count] = *value;
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  if (count < kWithoutDrops) return std::nullopt;
  SocketMemory memory{Bytes(figures[0]), Bytes(figures[1]), Bytes(figures[2]), Bytes(figures[3]), Bytes(figures[4]),
                      Bytes(figures[5]), Bytes(figures[6]), Bytes(figures[7]), std::nullopt};
  if (count > kWithoutDrops) memory.drops = Count(figures[kWithoutDrops]);
  return memory;
}

/// The number behind the first word that begins with `name`.
std::optional<std::uint64_t> numberOf(std::span<const std::string_view> words, std::string_view name, int base = 10) {
  const auto found =
      std::find_if(words.begin(), words.end(), [name](std::string_view one) { return one.starts_with(name); });
  return found == words.end() ? std::nullopt : wholeNumber(found->substr(name.size()), base);
}

bool isRunningTime(std::string_view word) {
  constexpr std::array<std::string_view, 4> kRunning = {"timer:", "lastsnd:", "lastrcv:", "lastack:"};
  return std::any_of(kRunning.begin(), kRunning.end(), [word](std::string_view one) { return word.starts_with(one); });
}

/// ",2)" of "timer:(on,2.1sec,2)": nothing else changes of a request whose SYN-ACK is unanswered.
std::string_view retriesOf(std::string_view timer) {
  const std::size_t comma = timer.rfind(',');
  return comma == std::string_view::npos ? std::string_view() : timer.substr(comma);
}

std::uint64_t digestOfWords(std::span<const std::string_view> words) {
  std::string stable;
  for (const std::string_view one : words) {
    if (!isRunningTime(one)) stable.append(one).push_back(' ');
    if (one.starts_with("timer:")) stable.append(retriesOf(one));
  }
  return std::hash<std::string>()(stable);
}

/// Cookie, inode and user stand before the cgroup, whose name may hold any words.
bool takeDetails(std::span<const std::string_view> words, SocketObservation& socket) {
  const auto cookie = numberOf(words, "sk:", 16);
  if (!cookie || *cookie == 0) return false;
  socket.id.cookie = *cookie;
  socket.inode = static_cast<std::uint32_t>(numberOf(words, "ino:").value_or(0));
  socket.userId = static_cast<std::uint32_t>(numberOf(words, "uid:").value_or(0));
  // The first word behind the addresses, where ss prints one.
  if (!words.empty()) socket.timer = parseSsTimer(words.front());
  return true;
}

}  // namespace

std::optional<SsSocket> parseSsSocket(std::string_view text, const SsDialect& dialect) {
  if (text.size() > kMaxSsSocketText) return std::nullopt;
  const std::vector<std::string_view> words = wordsOf(text);
  if (words.size() < kColumns) return std::nullopt;
  const auto state = stateOf(words[0]);
  const auto receiveQueue = wholeNumber(words[1]);
  const auto sendQueue = wholeNumber(words[2]);
  const auto local = endpointOf(words[3]);
  const auto remote = endpointOf(words[4]);
  if (!state || !receiveQueue || !sendQueue || !local || !remote) return std::nullopt;
  SsSocket found;
  SocketObservation& socket = found.observation;
  socket.state = *state;
  socket.receiveQueue = Bytes(*receiveQueue);
  socket.sendQueue = Bytes(*sendQueue);
  socket.local = *local;
  socket.remote = *remote;
  const std::span<const std::string_view> details = std::span(words).subspan(kColumns);
  if (!takeDetails(details, socket)) return std::nullopt;
  // The last one: the kernel's own, behind whatever a cgroup is called.
  const auto memory =
      std::find_if(details.rbegin(), details.rend(), [](std::string_view one) { return one.starts_with(kMemoryWord); });
  if (memory != details.rend()) {
    socket.memory = memoryOf(*memory);
    SsFields fields;
    fields.setState(*state);
    fields.take(details.last(static_cast<std::size_t>(memory - details.rbegin())));
    socket.info = fields.sample(dialect);
    socket.congestionControl = CongestionControlName(fields.congestionControl());
  }
  found.digest = digestOfWords(words);
  return found;
}

}  // namespace tcpscope
