#include "app/desktop/checkup_process.h"

#include "app/desktop/command_process.h"

namespace tcpscope {

Expected<HostCheckup, std::string> checkRemoteHost(const std::string& address, const CheckupOrder& order,
                                                   const std::stop_token& stop) {
  const auto host = parseSshAddress(address);
  if (!host) return Unexpected<std::string>("this host has no address for ssh");
  const auto run = [&](const CheckupOrder& asked) {
    return runCommandAs({true, longestCheckup(asked)}, checkupWords(*host, SshManner::alone, asked), stop);
  };
  CommandResult result = run(order);
  // The process may have ended since it was seen. A path is an address here, so that nothing else is missing there.
  constexpr int kNotThere = 1;
  if (result.exitCode == kNotThere && order.pid) {
    CheckupOrder withoutProcess = order;
    withoutProcess.pid.reset();
    result = run(withoutProcess);
  }
  return checkupIn(address, {result.exitCode, std::move(result.output), std::move(result.errorText)});
}

}  // namespace tcpscope
