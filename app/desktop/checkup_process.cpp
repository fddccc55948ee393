#include "app/desktop/checkup_process.h"

#include "app/desktop/command_process.h"
#include "app/remote/program_output.h"

namespace tcpscope {

Expected<HostCheckup, std::string> checkThere(const std::string& address, const CheckupOrder& order,
                                              const std::stop_token& stop) {
  const auto host = parseSshAddress(address);
  if (!host) return Unexpected<std::string>("this host has no address for ssh");
  const auto run = [&](const CheckupOrder& asked) {
    return runCommandAs({true, longestCheckup(asked)}, checkupWords(*host, SshManner::alone, asked), stop);
  };
  CommandResult result = run(order);
  // The process may have ended since it was seen.
  constexpr int kNotThere = 1;
  const bool isOfProcess = lastSentenceIn(result.errorText).starts_with("process ");
  if (result.exitCode == kNotThere && order.pid && isOfProcess) {
    CheckupOrder withoutProcess = order;
    withoutProcess.pid.reset();
    result = run(withoutProcess);
  }
  return checkupIn(address, {result.exitCode, std::move(result.output), std::move(result.errorText)});
}

}  // namespace tcpscope
