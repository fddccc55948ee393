// tcpscope-helper: changes sysctls for the desktop application. The service manager starts it as root on the first call
// on the system bus; it exits when idle.
#include <fmt/format.h>
#include <systemd/sd-daemon.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "app/changes/bus/helper_names.h"
#include "app/changes/service/helper_service.h"
#include "app/store/state_folder.h"

namespace tcpscope {
namespace {

struct HelperOptions {
  double idleSeconds = 300;
  double answerSeconds = 120;
};

std::chrono::microseconds microseconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::duration<double>(seconds));
}

int fail(std::string_view what, int number) {
  fmt::print(stderr, "tcpscope-helper: {}: {}\n", what, std::generic_category().message(number));
  return 5;
}

/// Returns after `idle` without a call; a negative errno if the bus disconnects.
int serve(sd_bus* bus, const HelperService& service, std::chrono::microseconds idle) {
  bool isLeaving = false;
  while (true) {
    const int processed = sd_bus_process(bus, nullptr);
    if (processed < 0) return processed;
    if (processed > 0) continue;
    if (isLeaving && !service.isWaiting()) return 0;
    const int woken = sd_bus_wait(bus, static_cast<std::uint64_t>(idle.count()));
    if (woken < 0 && woken != -EINTR) return woken;
    if (woken != 0 || isLeaving || service.isWaiting()) continue;
    // From here on a call starts another helper; calls that arrived before are still handled here.
    sd_notify(0, "STOPPING=1");
    if (const int released = sd_bus_release_name(bus, kHelperName); released < 0) return released;
    isLeaving = true;
  }
}

int run(const HelperOptions& options) {
  const auto journal = stateFolder("changes");
  if (!journal) return fail("no folder for the journal", ENOENT);
  sd_bus* opened = nullptr;
  const int open = sd_bus_open_system(&opened);
  const BusHandle bus(opened);
  if (open < 0) return fail("the system bus cannot be reached", -open);
  HelperService service(opened, SysctlChanger({*journal}), microseconds(options.answerSeconds));
  if (const int started = service.start(); started < 0) return fail("cannot register on the system bus", -started);
  if (const int named = sd_bus_request_name(opened, kHelperName, 0); named < 0) return fail(kHelperName, -named);
  if (const int served = serve(opened, service, microseconds(options.idleSeconds)); served < 0) {
    return fail("the system bus disconnected", -served);
  }
  return 0;
}

}  // namespace
}  // namespace tcpscope

int main(int argumentCount, char** arguments) {
  CLI::App app("tcpscope-helper: changes settings for tcpscope where polkit allows it", "tcpscope-helper");
  app.set_version_flag("--version", "tcpscope " TCPSCOPE_VERSION);
  tcpscope::HelperOptions options;
  const auto seconds = CLI::Range(0.01, 3600.0);
  app.add_option("--idle", options.idleSeconds, "Exit after this many seconds without a request")
      ->check(seconds)
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--answer-within", options.answerSeconds, "How long polkit and its authentication prompt may take")
      ->check(seconds)
      ->type_name("S")
      ->capture_default_str();
  try {
    app.parse(argumentCount, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return tcpscope::run(options);
}
