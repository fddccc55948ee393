#include "app/changes/transport/bus_client.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "app/changes/bus/helper_names.h"
#include "app/changes/bus/settings_message.h"

namespace tcpscope {

namespace {

using namespace std::chrono_literals;

/// The bus may have to start the helper.
constexpr std::chrono::microseconds kStartTimeout = 30s;
/// Longer than the helper waits for polkit.
constexpr std::chrono::microseconds kAuthorizationTimeout = 5min;

ChangeError notAvailable(int number) {
  return {ChangeErrorKind::helperNotAvailable, -number, UntrustedText(std::generic_category().message(-number))};
}

/// Frees an sd-bus list of strings with its members.
bool containsName(char** names, std::string_view wanted) {
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
  const bool isRunning = containsName(running, kHelperName);
  return containsName(startable, kHelperName) || isRunning;
}

BusClient::Document BusClient::call(const char* method, std::chrono::microseconds timeout,
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
  done = sd_bus_call(m_bus.get(), made, static_cast<std::uint64_t>(timeout.count()), &error, &answered);
  const BusMessage answer(answered);
  if (done < 0) {
    ChangeError failure{ChangeErrorKind::helperNotAvailable, -done,
                        UntrustedText(error.message != nullptr ? error.message : "")};
    if (sd_bus_error_has_name(&error, kDeniedError) > 0) failure.kind = ChangeErrorKind::denied;
    if (sd_bus_error_has_name(&error, kFailedError) > 0) failure.kind = ChangeErrorKind::reported;
    sd_bus_error_free(&error);
    return tl::unexpected(failure);
  }
  const char* document = nullptr;
  done = sd_bus_message_read(answered, "s", &document);
  if (done < 0) return tl::unexpected(notAvailable(done));
  return std::string(document);
}

BusClient::Document BusClient::preview(const std::vector<WantedSetting>& wanted) {
  return call("Preview", kStartTimeout, [&](sd_bus_message* request) { return appendSettings(request, wanted); });
}

BusClient::Document BusClient::apply(const ChangeRequest& request) {
  return call("Apply", kAuthorizationTimeout, [&](sd_bus_message* message) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(request.revertAfter.value_or(Milliseconds(0))).count();
    int done = appendSettings(message, request.settings);
    if (done >= 0) done = appendSettings(message, request.expected);
    if (done >= 0) {
      done =
          sd_bus_message_append(message, "bu", static_cast<int>(request.persist), static_cast<std::uint32_t>(seconds));
    }
    return done;
  });
}

BusClient::Document BusClient::confirm(std::uint32_t change) {
  return call("Confirm", kAuthorizationTimeout,
              [&](sd_bus_message* request) { return sd_bus_message_append(request, "u", change); });
}

BusClient::Document BusClient::revert(std::uint32_t change) {
  return call("Revert", kAuthorizationTimeout,
              [&](sd_bus_message* request) { return sd_bus_message_append(request, "u", change); });
}

BusClient::Document BusClient::list() {
  return call("List", kStartTimeout, [](sd_bus_message*) { return 0; });
}

}  // namespace tcpscope
