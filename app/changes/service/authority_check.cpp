#include "app/changes/service/authority_check.h"

#include <cstdint>

namespace tcpscope {

namespace {

constexpr const char* kName = "org.freedesktop.PolicyKit1";
constexpr const char* kPath = "/org/freedesktop/PolicyKit1/Authority";
constexpr const char* kInterface = "org.freedesktop.PolicyKit1.Authority";
constexpr std::uint32_t kAllowUserInteraction = 1;

int append(sd_bus_message* message, const AuthorityRequest& request, const std::string& cancellation) {
  int done = sd_bus_message_append(message, "(sa{sv})s", "system-bus-name", 1, "name", "s", request.caller.c_str(),
                                   request.action.c_str());
  if (done >= 0) done = sd_bus_message_open_container(message, 'a', "{ss}");
  for (const auto& [key, value] : request.details) {
    if (done >= 0) done = sd_bus_message_append(message, "{ss}", key.c_str(), value.c_str());
  }
  if (done >= 0) done = sd_bus_message_close_container(message);
  if (done >= 0) done = sd_bus_message_append(message, "us", kAllowUserInteraction, cancellation.c_str());
  return done;
}

/// The reply is (is authorized, could be after a challenge, details).
bool isAuthorized(sd_bus_message* reply) {
  int authorized = 0;
  return sd_bus_message_is_method_error(reply, nullptr) == 0 &&
         sd_bus_message_enter_container(reply, 'r', "bba{ss}") > 0 &&
         sd_bus_message_read_basic(reply, 'b', &authorized) > 0 && authorized != 0;
}

}  // namespace

int AuthorityCheck::send(const AuthorityRequest& request, std::chrono::microseconds timeout) {
  static std::uint64_t count = 0;
  const std::string cancellation = std::to_string(++count);
  sd_bus_message* made = nullptr;
  int done = sd_bus_message_new_method_call(m_bus, &made, kName, kPath, kInterface, "CheckAuthorization");
  const BusMessage message(made);
  if (done >= 0) done = append(made, request, cancellation);
  sd_bus_slot* slot = nullptr;
  const auto microseconds = static_cast<std::uint64_t>(timeout.count());
  if (done >= 0) done = sd_bus_call_async(m_bus, &slot, made, onReply, this, microseconds);
  if (done < 0) return done;
  m_slot.reset(slot);
  m_cancellation = cancellation;
  return 0;
}

int AuthorityCheck::onReply(sd_bus_message* reply, void* self, sd_bus_error* /*error*/) {
  auto& check = *static_cast<AuthorityCheck*>(self);
  // After an error the prompt may still be open.
  if (sd_bus_message_is_method_error(reply, nullptr) == 0) check.m_cancellation.clear();
  const auto decided = std::move(check.m_decided);
  decided(isAuthorized(reply));
  return 0;
}

AuthorityCheck::~AuthorityCheck() {
  if (m_cancellation.empty()) return;
  // The reply is ignored: a prompt that stays open does no harm.
  static_cast<void>(sd_bus_call_method_async(m_bus, nullptr, kName, kPath, kInterface, "CancelCheckAuthorization",
                                             nullptr, nullptr, "s", m_cancellation.c_str()));
}

}  // namespace tcpscope
