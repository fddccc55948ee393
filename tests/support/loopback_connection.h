// Real TCP sockets on the loopback interface: a listener, and connections to it, both ends in this process. Any failure
// to make one ends the test with an exception.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tcpscope::test {

class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : m_number(number) {
    if (number < 0) throw std::runtime_error("a system call of the test failed");
  }
  Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(m_number, other.m_number);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  void close() {
    if (m_number >= 0) ::close(std::exchange(m_number, -1));
  }
  [[nodiscard]] int number() const { return m_number; }

private:
  int m_number = -1;
};

/// The local port of a socket.
inline std::uint16_t portOf(const Descriptor& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

class LoopbackListener {
public:
  explicit LoopbackListener(int family = AF_INET, int backlog = 4096)
      : m_family(family), m_socket(::socket(family, SOCK_STREAM, 0)) {
    sockaddr_storage address = loopback(0);
    if (bind(m_socket.number(), asGeneric(address), sizeof address) != 0 || listen(m_socket.number(), backlog) != 0) {
      throw std::runtime_error("cannot listen on the loopback interface");
    }
    socklen_t size = sizeof address;
    getsockname(m_socket.number(), asGeneric(address), &size);
    // The port lies at the same place for both families.
    m_port = ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  }

  [[nodiscard]] std::uint16_t port() const { return m_port; }
  [[nodiscard]] int number() const { return m_socket.number(); }

  /// The client's end and the server's.
  [[nodiscard]] std::pair<Descriptor, Descriptor> connect() const {
    Descriptor client = waitingClient();
    Descriptor server(accept(m_socket.number(), nullptr, nullptr));
    return {std::move(client), std::move(server)};
  }

  /// The end of a client that is not accepted yet.
  [[nodiscard]] Descriptor waitingClient() const {
    Descriptor client(::socket(m_family, SOCK_STREAM, 0));
    sockaddr_storage address = loopback(m_port);
    if (::connect(client.number(), asGeneric(address), sizeof address) != 0) {
      throw std::system_error(errno, std::generic_category(), "cannot connect on the loopback interface");
    }
    return client;
  }

private:
  static sockaddr* asGeneric(sockaddr_storage& address) { return reinterpret_cast<sockaddr*>(&address); }

  [[nodiscard]] sockaddr_storage loopback(std::uint16_t port) const {
    sockaddr_storage storage{};
    if (m_family == AF_INET) {
      auto& address = reinterpret_cast<sockaddr_in&>(storage);
      address.sin_family = AF_INET;
      address.sin_port = htons(port);
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
      auto& address = reinterpret_cast<sockaddr_in6&>(storage);
      address.sin6_family = AF_INET6;
      address.sin6_port = htons(port);
      address.sin6_addr = in6addr_loopback;
    }
    return storage;
  }

  int m_family;
  Descriptor m_socket;
  std::uint16_t m_port = 0;
};

/// The kernel's cookie of a socket.
inline std::uint64_t cookieOf(const Descriptor& socket) {
  std::uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  constexpr int kSocketCookie = 57;  // SO_COOKIE
  if (getsockopt(socket.number(), SOL_SOCKET, kSocketCookie, &cookie, &size) != 0) {
    throw std::runtime_error("the kernel gives no cookie");
  }
  return cookie;
}

/// Ends the connection at once and without a TIME-WAIT behind it.
inline void reset(Descriptor& socket) {
  const linger now{1, 0};
  setsockopt(socket.number(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  socket.close();
}

}  // namespace tcpscope::test
