// D-Bus messages as any user may send them to the helper: what is read stays within the bounds of a request, and what
// passes the allow-list is harmless text.
//
// The input, a line an argument: "key=value" in an array of settings, "--" the end of one, "u 60", "b 1", "s text".
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "app/changes/bus/settings_message.h"
#include "core/base/escape.h"
#include "core/base/invariant.h"

namespace {

using namespace tcpscope;

/// Connected to nothing that answers: enough to build messages. Lives as long as the process.
sd_bus* bus() {
  static sd_bus* const bus = [] {
    int ends[2];
    sd_bus* made = nullptr;
    TCPSCOPE_INVARIANT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    TCPSCOPE_INVARIANT(sd_bus_new(&made) >= 0 && sd_bus_set_fd(made, ends[0], ends[0]) >= 0 && sd_bus_start(made) >= 0);
    return made;
  }();
  return bus;
}

BusMessage emptyMessage() {
  sd_bus_message* made = nullptr;
  TCPSCOPE_INVARIANT(sd_bus_message_new_method_call(bus(), &made, "org.example", "/", "org.example", "Apply") >= 0);
  return BusMessage(made);
}

/// False where its signature is too long.
bool makeReadable(const BusMessage& message) {
  return sd_bus_message_seal(message.get(), 1, 0) >= 0 && sd_bus_message_rewind(message.get(), 1) >= 0;
}

class MessageText {
public:
  /// False where the bus would not carry it.
  bool append(const std::string& line) {
    if (line.starts_with("u ")) {
      const auto number = static_cast<std::uint32_t>(std::strtoul(line.c_str() + 2, nullptr, 10));
      return closeArray() && sd_bus_message_append(m_message.get(), "u", number) >= 0;
    }
    if (line.starts_with("b ")) {
      return closeArray() && sd_bus_message_append(m_message.get(), "b", line == "b 1" ? 1 : 0) >= 0;
    }
    if (line.starts_with("s ")) {
      return closeArray() && sd_bus_message_append(m_message.get(), "s", line.c_str() + 2) >= 0;
    }
    if (!openArray()) return false;
    if (line == "--") return closeArray();
    const std::size_t equals = std::min(line.find('='), line.size());
    const std::string key = line.substr(0, equals);
    const std::string value = line.substr(std::min(equals + 1, line.size()));
    return sd_bus_message_append(m_message.get(), "{ss}", key.c_str(), value.c_str()) >= 0;
  }
  /// Null where the bus would not carry it.
  BusMessage finish() {
    if (!closeArray() || !makeReadable(m_message)) return nullptr;
    return std::move(m_message);
  }

private:
  bool openArray() {
    return std::exchange(m_isInArray, true) || sd_bus_message_open_container(m_message.get(), 'a', "{ss}") >= 0;
  }
  bool closeArray() {
    return !std::exchange(m_isInArray, false) || sd_bus_message_close_container(m_message.get()) >= 0;
  }

  BusMessage m_message = emptyMessage();
  bool m_isInArray = false;
};

BusMessage messageOf(std::string_view input) {
  MessageText text;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    if (!text.append(std::string(input.substr(0, end)))) return nullptr;
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return text.finish();
}

std::size_t bytesOf(const std::vector<WantedSetting>& settings) {
  std::size_t bytes = 0;
  for (const WantedSetting& one : settings) bytes += one.key.size() + one.value.size();
  return bytes;
}

void expectSameBehindTheBus(const std::vector<WantedSetting>& settings) {
  const BusMessage message = emptyMessage();
  TCPSCOPE_INVARIANT(appendSettings(message.get(), settings) >= 0);
  TCPSCOPE_INVARIANT(makeReadable(message));
  std::vector<WantedSetting> read;
  std::size_t bytesLeft = kMostRequestBytes;
  TCPSCOPE_INVARIANT(readSettings(message.get(), read, bytesLeft) >= 0 && read == settings);
}

void expectHarmless(const std::vector<WantedSetting>& settings) {
  const auto checked = checkedRequest(settings);
  if (!checked) return;
  for (const WantedSetting& one : *checked) {
    TCPSCOPE_INVARIANT(forPlainText(one.key) == one.key && forPlainText(one.value) == one.value);
  }
  const auto again = checkedRequest(*checked);
  TCPSCOPE_INVARIANT(again && *again == *checked);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const BusMessage message = messageOf({reinterpret_cast<const char*>(bytes), size});
  if (!message) return 0;
  // As the helper reads Apply.
  std::vector<WantedSetting> wanted;
  std::vector<WantedSetting> expected;
  std::size_t bytesLeft = kMostRequestBytes;
  int persist = 0;
  std::uint32_t revertAfterSeconds = 0;
  int done = readSettings(message.get(), wanted, bytesLeft);
  const bool isWhole = done >= 0;
  if (done >= 0) done = readSettings(message.get(), expected, bytesLeft);
  if (done >= 0) done = sd_bus_message_read(message.get(), "bu", &persist, &revertAfterSeconds);
  TCPSCOPE_INVARIANT(wanted.size() <= kMostSettings && expected.size() <= kMostSettings);
  TCPSCOPE_INVARIANT(bytesLeft + bytesOf(wanted) + bytesOf(expected) == kMostRequestBytes);
  if (isWhole) expectSameBehindTheBus(wanted);
  expectHarmless(wanted);
  return 0;
}
