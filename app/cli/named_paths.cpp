#include "app/cli/named_paths.h"

#include "app/cli/resolved_host.h"
#include "core/base/escape.h"

namespace tcpscope {

Expected<std::set<PathPrefix>, ExitCode> pathsOfName(const std::string& word) {
  if (const auto path = PathPrefix::parse(word)) return std::set<PathPrefix>{*path};
  const std::string shown = forTerminal(UntrustedText(word));
  const auto failed = [](ExitCode code, const std::string& text) { return Unexpected<ExitCode>(fail(code, text)); };
  const auto noPath = [&] {
    return failed(ExitCode::notThere, "no path leads to '" + shown + "': it is this host, or only its own link");
  };
  if (IpAddress::parse(word)) return noPath();
  if (word.find('/') != std::string::npos) {
    return failed(ExitCode::wrongUsage,
                  "'" + shown + "' is not a network; use 192.0.2.0/24, 2001:db8::/48, an address or a name");
  }
  const auto addresses = resolveHost(word);
  if (!addresses) return Unexpected<ExitCode>(addresses.error());
  std::set<PathPrefix> paths;
  for (const IpAddress& address : *addresses) {
    if (const auto path = PathPrefix::of(address)) paths.insert(*path);
  }
  if (paths.empty()) return noPath();
  return paths;
}

}  // namespace tcpscope
