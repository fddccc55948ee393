#include "app/lab/path/tun_port.h"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/lab/path/device_counters.h"

namespace tcpscope::lab {

namespace {

/// The longest IP packet.
constexpr std::size_t kLongestPacket = 65'535;
constexpr const char* kCounters = "/proc/thread-self/net/dev";

/// net/dev of the network namespace that the TUN device is in: the file stays with the namespace that it was opened in.
int openCounters(int tun) {
  const int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
  const int devices = ioctl(tun, SIOCGSKNS);
  int counters = -1;
  if (own >= 0 && devices >= 0 && setns(devices, CLONE_NEWNET) == 0) {
    counters = open(kCounters, O_RDONLY | O_CLOEXEC);
    // The way back is the way here with the same right.
    if (setns(own, CLONE_NEWNET) != 0) _exit(1);
  }
  if (own >= 0) close(own);
  if (devices >= 0) close(devices);
  return counters;
}

}  // namespace

TunPort::TunPort(int descriptor)
    : m_descriptor(descriptor), m_counters(openCounters(descriptor)), m_buffer(kLongestPacket) {
  ifreq request{};
  if (ioctl(descriptor, TUNGETIFF, &request) == 0) m_device = request.ifr_name;
  m_dropsBefore = readTransmitDrops(m_counters, m_device);
}

TunPort::~TunPort() {
  if (m_counters >= 0) close(m_counters);
}

std::span<const std::uint8_t> TunPort::receive() {
  const ssize_t size = read(m_descriptor, m_buffer.data(), m_buffer.size());
  return {m_buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

bool TunPort::send(std::span<const std::uint8_t> packet) {
  return write(m_descriptor, packet.data(), packet.size()) == static_cast<ssize_t>(packet.size());
}

std::optional<Count> TunPort::missed() {
  const std::optional<std::uint64_t> drops = readTransmitDrops(m_counters, m_device);
  if (!drops || !m_dropsBefore) return std::nullopt;
  return Count(*drops - *m_dropsBefore);
}

}  // namespace tcpscope::lab
