#include "app/changes/service/authority_check.h"

#include <cstdint>

namespace tcpscope {

namespace {

constexpr const char* kName = "org.freedesktop.PolicyKit1";
constexpr const char* kPath = "/org/freedesktop/PolicyKit1/Authority";
constexpr const char* kInterface = "org.freedesktop.PolicyKit1.Authority";
constexpr std::uint32_t kAllowUserInteraction = 1;

int append(sd_bus_message* message, const AuthorityQuestion& question, const std::string& cancellation) {
  int done = sd_bus_message_append(message, "(sa{sv})s", "system-bus-name", 1, "name", "s", question.caller.c_str(),
                                   question.action.c_str());
  if (done >= 0) done = sd_bus_message_open_container(message, 'a', "{ss}");
  for (const auto& [key, value] : question.details) {
    if (done >= 0) done = sd_bus_message_append(message, "{ss}", key.c_str(), value.c_str());
  }
  if (done >= 0) done = sd_bus_message_close_container(message);
  if (done >= 0) done = sd_bus_message_append(message, "us", kAllowUserInteraction, cancellation.c_str());
  return done;
}

/// The answer is (is authorized, could be after a challenge, details).
bool isYes(sd_bus_message* answer) {
  int isAuthorized = 0;
  return sd_bus_message_is_method_error(answer, nullptr) == 0 &&
         sd_bus_message_enter_container(answer, 'r', "bba{ss}") > 0 &&
         sd_bus_message_read_basic(answer, 'b', &isAuthorized) > 0 && isAuthorized != 0;
}

}  // namespace

int AuthorityCheck::ask(const AuthorityQuestion& question, std::chrono::microseconds patience) {
  static std::uint64_t asked = 0;
  const std::string cancellation = std::to_string(++asked);
  sd_bus_message* made = nullptr;
  int done = sd_bus_message_new_method_call(m_bus, &made, kName, kPath, kInterface, "CheckAuthorization");
  const BusMessage message(made);
  if (done >= 0) done = append(made, question, cancellation);
  sd_bus_slot* slot = nullptr;
  const auto microseconds = static_cast<std::uint64_t>(patience.count());
  if (done >= 0) done = sd_bus_call_async(m_bus, &slot, made, onAnswer, this, microseconds);
  if (done < 0) return done;
  m_slot.reset(slot);
  m_cancellation = cancellation;
  return 0;
}

int AuthorityCheck::onAnswer(sd_bus_message* answer, void* self, sd_bus_error* /*error*/) {
  auto& check = *static_cast<AuthorityCheck*>(self);
  // Of an error nobody knows whether the prompt is still there.
  if (sd_bus_message_is_method_error(answer, nullptr) == 0) check.m_cancellation.clear();
  const auto answered = std::move(check.m_answered);
  answered(isYes(answer));
  return 0;
}

AuthorityCheck::~AuthorityCheck() {
  if (m_cancellation.empty()) return;
  // Nobody waits for the answer, and a prompt that stays does no harm.
  static_cast<void>(sd_bus_call_method_async(m_bus, nullptr, kName, kPath, kInterface, "CancelCheckAuthorization",
                                             nullptr, nullptr, "s", m_cancellation.c_str()));
}

}  // namespace tcpscope
