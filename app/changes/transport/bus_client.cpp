#include "app/changes/transport/bus_client.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "app/changes/bus/helper_names.h"
#include "app/changes/bus/settings_message.h"

namespace tcpscope {

namespace {

using namespace std::chrono_literals;

/// The helper may have to be started.
constexpr std::chrono::microseconds kAtOnce = 30s;
/// Longer than the helper waits for polkit.
constexpr std::chrono::microseconds kAfterPassword = 5min;

HelperError notAvailable(int number) {
  return {HelperErrorKind::notAvailable, UntrustedText(std::generic_category().message(-number))};
}

/// sd-bus's lists of strings: allocated, each of its members as well.
bool takeName(char** names, std::string_view wanted) {
  bool isThere = false;
  for (char** name = names; name != nullptr && *name != nullptr; ++name) {
    isThere = isThere || *name == wanted;
    free(*name);  // NOLINT(cppcoreguidelines-no-malloc)
  }
  free(names);  // NOLINT(cppcoreguidelines-no-malloc)
  return isThere;
}

}  // namespace

int BusClient::connect() {
  if (m_bus && sd_bus_is_open(m_bus.get()) > 0) return 0;
  sd_bus* bus = nullptr;
  const int opened = sd_bus_open_system(&bus);
  m_bus.reset(bus);
  return opened;
}

bool BusClient::isAvailable() {
  char** running = nullptr;
  char** startable = nullptr;
  if (connect() < 0 || sd_bus_list_names(m_bus.get(), &running, &startable) < 0) return false;
  const bool isRunning = takeName(running, kHelperName);
  return takeName(startable, kHelperName) || isRunning;
}

BusClient::Answer BusClient::call(const char* method, std::chrono::microseconds patience,
                                        const std::function<int(sd_bus_message*)>& append) {
  int done = connect();
  sd_bus_message* made = nullptr;
  if (done >= 0) {
    done = sd_bus_message_new_method_call(m_bus.get(), &made, kHelperName, kHelperPath, kHelperInterface, method);
  }
  const BusMessage request(made);
  if (done >= 0) done = append(made);
  if (done < 0) return tl::unexpected(notAvailable(done));

  sd_bus_error error{};
  sd_bus_message* answered = nullptr;
  done = sd_bus_call(m_bus.get(), made, static_cast<std::uint64_t>(patience.count()), &error, &answered);
  const BusMessage answer(answered);
  if (done < 0) {
    HelperError failure{HelperErrorKind::notAvailable, UntrustedText(error.message != nullptr ? error.message : "")};
    if (sd_bus_error_has_name(&error, kDeniedError) > 0) failure.kind = HelperErrorKind::denied;
    if (sd_bus_error_has_name(&error, kFailedError) > 0) failure.kind = HelperErrorKind::failed;
    sd_bus_error_free(&error);
    return tl::unexpected(failure);
  }
  const char* document = nullptr;
  done = sd_bus_message_read(answered, "s", &document);
  if (done < 0) return tl::unexpected(notAvailable(done));
  return std::string(document);
}

BusClient::Answer BusClient::preview(const std::vector<WantedSetting>& wanted) {
  return call("Preview", kAtOnce, [&](sd_bus_message* request) { return appendSettings(request, wanted); });
}

BusClient::Answer BusClient::apply(const SysctlRequest& wish) {
  return call("Apply", kAfterPassword, [&](sd_bus_message* request) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(wish.revertAfter.value_or(Milliseconds(0))).count();
    int done = appendSettings(request, wish.settings);
    if (done >= 0) done = appendSettings(request, wish.expected);
    if (done >= 0) {
      done = sd_bus_message_append(request, "bu", static_cast<int>(wish.persist), static_cast<std::uint32_t>(seconds));
    }
    return done;
  });
}

BusClient::Answer BusClient::confirm(std::uint32_t change) {
  return call("Confirm", kAfterPassword,
              [&](sd_bus_message* request) { return sd_bus_message_append(request, "u", change); });
}

BusClient::Answer BusClient::revert(std::uint32_t change) {
  return call("Revert", kAfterPassword,
              [&](sd_bus_message* request) { return sd_bus_message_append(request, "u", change); });
}

BusClient::Answer BusClient::list() {
  return call("List", kAtOnce, [](sd_bus_message*) { return 0; });
}

}  // namespace tcpscope
