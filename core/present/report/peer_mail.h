// A mail to the administrator of the peer: which connection, what was measured, and what would have to be changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/present/report/report_model.h"

namespace tcpscope {

struct PeerMail {
  std::string subject;
  std::vector<std::string> lines;
};

/// About the first remedy that only the peer can apply; nothing where there is none.
std::optional<PeerMail> peerMail(const ReportedConnection& connection, const ClockPair& clock);

/// "mailto:?subject=…&body=…" without a recipient (RFC 6068): everything but letters, digits and -._~ is
/// percent-encoded, so that no text ends the address.
std::string mailtoAddress(std::string_view subject, const std::vector<std::string>& lines);

}  // namespace tcpscope
