#include "tests/support/traffic.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>
#include <vector>

namespace tcpscope::test {

namespace {

sockaddr_in endpoint(const std::string& address, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(port);
  inet_pton(AF_INET, address.c_str(), &result.sin_addr);
  return result;
}

void setBuffer(int descriptor, int option, int bytes) {
  if (bytes > 0) setsockopt(descriptor, SOL_SOCKET, option, &bytes, sizeof bytes);
}

/// The kernel ends the process at the end of its life, whatever it waits for.
void limitLife(std::chrono::seconds life) {
  std::signal(SIGALRM, SIG_DFL);
  alarm(static_cast<unsigned>(life.count()));
}

void drain(int connection, const ReceiverProgram& program) {
  std::vector<char> buffer(program.bytesPerRead == 0 ? 1U << 18 : program.bytesPerRead);
  while (read(connection, buffer.data(), buffer.size()) > 0) {
    if (program.restBetweenReads.count() > 0) std::this_thread::sleep_for(program.restBetweenReads);
  }
}

/// A connected socket; the listener may not be there yet, so that a refusal is tried again.
int connectTo(const SenderProgram& program) {
  const sockaddr_in peer = endpoint(program.address, program.port);
  while (true) {
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setBuffer(connection, SO_SNDBUF, program.sendBufferBytes);
    setsockopt(connection, IPPROTO_TCP, TCP_CONGESTION, program.congestionControl.data(),
               static_cast<socklen_t>(program.congestionControl.size()));
    if (connect(connection, reinterpret_cast<const sockaddr*>(&peer), sizeof peer) == 0) return connection;
    close(connection);
    std::this_thread::sleep_for(Milliseconds(20));
  }
}

bool writeAll(int connection, const std::vector<char>& bytes, int flags) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = send(connection, bytes.data() + done, bytes.size() - done, flags);
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

void run(const ReceiverProgram& program, std::chrono::seconds life) {
  limitLife(life);
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setBuffer(listener, SO_RCVBUF, program.receiveBufferBytes);
  const sockaddr_in own = endpoint("0.0.0.0", program.port);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0) return;
  if (listen(listener, program.backlog) != 0) return;
  while (!program.accepts) pause();
  const int connection = accept(listener, nullptr, nullptr);
  drain(connection, program);
}

void run(const SenderProgram& program, std::chrono::seconds life) {
  limitLife(life);
  const int connection = connectTo(program);
  while (program.silent) pause();
  const std::vector<char> bytes(program.bytesPerWrite, 'x');
  const int flags = MSG_NOSIGNAL | (program.endsRecords ? MSG_EOR : 0);
  while (writeAll(connection, bytes, flags)) {
    if (program.restBetweenWrites.count() > 0) std::this_thread::sleep_for(program.restBetweenWrites);
  }
}

}  // namespace tcpscope::test
