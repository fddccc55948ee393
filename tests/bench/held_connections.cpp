#include "tests/bench/held_connections.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/bench/measurement.h"

namespace tcpscope::bench {

namespace {

/// Longer than the kernel delays an acknowledgment (40 to 200 ms).
constexpr std::chrono::milliseconds kSettling{300};
constexpr std::size_t kFilesForOtherUse = 200;

/// What a child receives: a byte over the connections whose number modulo 100 is in [offset, offset + percent).
struct ChangeOrder {
  std::uint32_t percent = 0;
  std::uint32_t offset = 0;
};

struct Pair {
  int client = -1;
  int server = -1;
};

/// An end of the process resets the connection: no TIME-WAIT stays behind.
void resetOnClose(int descriptor) {
  const linger now{1, 0};
  if (setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now) != 0) giveUp("SO_LINGER");
}

std::vector<Pair> openPairs(std::size_t childNumber, std::size_t count) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(0x7f010001U + static_cast<std::uint32_t>(childNumber));
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || bind(listener, generic, size) != 0 || listen(listener, 128) != 0 ||
      getsockname(listener, generic, &size) != 0) {
    giveUp("listen");
  }
  std::vector<Pair> pairs(count);
  for (Pair& pair : pairs) {
    pair.client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (pair.client < 0 || connect(pair.client, generic, size) != 0) giveUp("connect");
    pair.server = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (pair.server < 0) giveUp("accept");
    resetOnClose(pair.client);
    resetOnClose(pair.server);
  }
  close(listener);
  return pairs;
}

void passBytes(const std::vector<Pair>& pairs, const ChangeOrder& order) {
  for (std::size_t number = 0; number < pairs.size(); ++number) {
    if ((number + 100 - order.offset) % 100 >= order.percent) continue;
    char byte = 'x';
    if (write(pairs[number].client, &byte, 1) != 1 || read(pairs[number].server, &byte, 1) != 1) giveUp("pass a byte");
  }
}

[[noreturn]] void runChild(int channel, std::size_t number, std::size_t count, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) std::_Exit(EXIT_FAILURE);
  const std::vector<Pair> pairs = openPairs(number, count);
  const char done = 'd';
  if (write(channel, &done, 1) != 1) std::_Exit(EXIT_FAILURE);
  ChangeOrder order;
  while (read(channel, &order, sizeof order) == sizeof order) {
    passBytes(pairs, order);
    if (write(channel, &done, 1) != 1) break;
  }
  std::_Exit(EXIT_SUCCESS);
}

void awaitDone(int channel) {
  char done = 0;
  if (read(channel, &done, 1) != 1) {
    std::fputs("a child that holds connections ended early\n", stderr);
    std::exit(EXIT_FAILURE);
  }
}

std::size_t pairsPerChild() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) giveUp("RLIMIT_NOFILE");
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  // More ephemeral ports than these a child cannot have either.
  return (std::min<std::size_t>(files.rlim_cur, 20'000) - kFilesForOtherUse) / 2;
}

}  // namespace

HeldConnections::HeldConnections(std::size_t sockets) : m_sockets(sockets) {
  const std::size_t most = pairsPerChild();
  std::size_t left = sockets / 2;
  for (std::size_t number = 0; left > 0; ++number) {
    const std::size_t pairs = std::min(left, most);
    startChild(number, pairs);
    left -= pairs;
  }
  for (const Child& child : m_children) awaitDone(child.channel);
}

void HeldConnections::startChild(std::size_t number, std::size_t pairs) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) giveUp("socketpair");
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) giveUp("fork");
  if (pid == 0) {
    close(ends[0]);
    for (const Child& older : m_children) close(older.channel);
    runChild(ends[1], number, pairs, parent);
  }
  close(ends[1]);
  m_children.push_back({pid, ends[0]});
}

HeldConnections::~HeldConnections() {
  for (const Child& child : m_children) close(child.channel);
  for (const Child& child : m_children) waitpid(child.pid, nullptr, 0);
}

void HeldConnections::change(unsigned percent) {
  const ChangeOrder order{percent, m_nextOffset};
  m_nextOffset = (m_nextOffset + percent) % 100;
  for (const Child& child : m_children) {
    if (write(child.channel, &order, sizeof order) != sizeof order) giveUp("order a change");
  }
  for (const Child& child : m_children) awaitDone(child.channel);
  std::this_thread::sleep_for(kSettling);
}

}  // namespace tcpscope::bench
