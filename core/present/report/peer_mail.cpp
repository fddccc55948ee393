#include "core/present/report/peer_mail.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/escape.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/remedy_text.h"
#include "core/present/text/report_text.h"

namespace tcpscope {

namespace {

void addPercentEncoded(std::string& out, std::string_view text) {
  for (const char character : forPlainText(text)) {
    const bool isLetter = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    const bool isDigit = character >= '0' && character <= '9';
    if (isLetter || isDigit || std::string_view("-._~").find(character) != std::string_view::npos) {
      out += character;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    }
  }
}

const Remedy* firstOfPeer(const ReportedConnection& connection) {
  const bool sends = connection.detail->diagnosis.bulk == Side::sending;
  const auto& advice = sends ? connection.advice.sending : connection.advice.receiving;
  if (!advice) return nullptr;
  const auto remedy = std::find_if(advice->remedies.begin(), advice->remedies.end(),
                                   [](const Remedy& one) { return one.place == RemedyPlace::peer; });
  return remedy != advice->remedies.end() ? &*remedy : nullptr;
}

void addLines(std::vector<std::string>& lines, std::string_view text) {
  while (true) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<PeerMail> peerMail(const ReportedConnection& connection, const ClockPair& clock) {
  const Remedy* const remedy = firstOfPeer(connection);
  if (remedy == nullptr) return std::nullopt;
  const ConnectionDetail& detail = *connection.detail;
  const std::string local = detail.socket.local.toString();
  const std::string remote = detail.socket.remote.toString();
  PeerMail mail;
  mail.subject = fmt::format("TCP connection {} – {}: {}", local, remote, title(*remedy));
  mail.lines = {fmt::format("Connection: {} (our host) – {} (your host)", local, remote)};
  if (const auto last = detail.history.lastTime()) {
    mail.lines.push_back("Observed: " + formatWallTime(clock.wallAt(*last)));
  }
  mail.lines.push_back("Result: " + verdictSentence(detail));
  mail.lines.emplace_back();
  addLines(mail.lines, letter(*remedy));
  return mail;
}

std::string mailtoAddress(std::string_view subject, const std::vector<std::string>& lines) {
  std::string address = "mailto:?subject=";
  addPercentEncoded(address, subject);
  address += "&body=";
  for (const std::string& line : lines) {
    addPercentEncoded(address, line);
    address += "%0D%0A";
  }
  return address;
}

}  // namespace tcpscope
