#include "app/changes/service/helper_service.h"

#include <systemd/sd-bus-vtable.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

#include "app/changes/bus/helper_names.h"
#include "app/changes/bus/settings_message.h"
#include "core/present/json/change_document.h"
#include "core/present/text/change_text.h"

namespace tcpscope {

namespace {

/// The bus limits the connections of all users together, and with it their requests: one a connection.
constexpr std::ptrdiff_t kMostWaitingOfUser = 16;
constexpr std::uint32_t kLongestRevertAfterSeconds = 86'400;

WallTime now() {
  return WallTime::fromNanoseconds(Nanoseconds(std::chrono::seconds(std::time(nullptr))).count());
}

int fail(sd_bus_message* request, const std::string& sentence) {
  return sd_bus_reply_method_errorf(request, kFailedError, "%s", sentence.c_str());
}

int tooMuch(sd_bus_message* request) {
  const ChangeError error{ChangeErrorKind::refusedSetting, 0, UntrustedText("this"), SettingRefusal::tooMuch};
  return fail(request, sentence(error));
}

/// As the bus knows the caller; nothing where it does not, as of one that is gone.
std::optional<uid_t> userOf(sd_bus_message* request) {
  sd_bus_creds* found = nullptr;
  const int done = sd_bus_query_sender_creds(request, SD_BUS_CREDS_EUID, &found);
  const BusCredentials credentials(found);
  uid_t user = 0;
  if (done < 0 || sd_bus_creds_get_euid(found, &user) < 0) return std::nullopt;
  return user;
}

/// Text of the prompt.
std::map<std::string, std::string> details(const std::vector<WantedSetting>& settings, bool persist) {
  std::string text;
  for (const WantedSetting& one : settings) text += (text.empty() ? "" : ", ") + one.key + " = " + one.value;
  return {{"settings", text}, {"until", persist ? "also after the next boot" : "until the next boot"}};
}

}  // namespace

int HelperService::start() {
  constexpr std::uint64_t kUnprivileged = SD_BUS_VTABLE_UNPRIVILEGED;
  static const std::array<sd_bus_vtable, 7> kMethods = {{
      SD_BUS_VTABLE_START(0),
      SD_BUS_METHOD_WITH_ARGS("Preview", SD_BUS_ARGS("a{ss}", wanted), SD_BUS_RESULT("s", document),
                              handle<&HelperService::preview>, kUnprivileged),
      SD_BUS_METHOD_WITH_ARGS("Apply",
                              SD_BUS_ARGS("a{ss}", wanted, "a{ss}", expectedNow, "b", persist, "u", revertAfterSeconds),
                              SD_BUS_RESULT("s", document), handle<&HelperService::apply>, kUnprivileged),
      SD_BUS_METHOD_WITH_ARGS("Confirm", SD_BUS_ARGS("u", change), SD_BUS_RESULT("s", document),
                              handle<&HelperService::confirm>, kUnprivileged),
      SD_BUS_METHOD_WITH_ARGS("Revert", SD_BUS_ARGS("u", change), SD_BUS_RESULT("s", document),
                              handle<&HelperService::revert>, kUnprivileged),
      SD_BUS_METHOD_WITH_ARGS("List", SD_BUS_NO_ARGS, SD_BUS_RESULT("s", document), handle<&HelperService::list>,
                              kUnprivileged),
      SD_BUS_VTABLE_END,
  }};
  sd_bus_slot* slot = nullptr;
  const int added = sd_bus_add_object_vtable(m_bus, &slot, kHelperPath, kHelperInterface, kMethods.data(), this);
  m_object.reset(slot);
  return added;
}

int HelperService::preview(sd_bus_message* request) {
  std::vector<WantedSetting> wanted;
  std::size_t bytesLeft = kMostRequestBytes;
  const int done = readSettings(request, wanted, bytesLeft);
  if (done == -E2BIG) return tooMuch(request);
  if (done < 0) return done;
  // The caller may be any user, and this process may read what they may not.
  SysctlReadLimits files;
  files.onlyWorldReadable = true;
  const auto rows = m_changes.preview(wanted, files);
  return sd_bus_reply_method_return(request, "s", toJson(ChangeReport::of(rows, now())).c_str());
}

int HelperService::list(sd_bus_message* request) {
  const auto records = m_changes.list();
  if (!records) return fail(request, sentence(records.error()));
  return sd_bus_reply_method_return(request, "s", toJson(ChangeReport::of(*records, now())).c_str());
}

int HelperService::apply(sd_bus_message* request) {
  ChangeRequest change;
  std::size_t bytesLeft = kMostRequestBytes;
  int persist = 0;
  std::uint32_t revertAfterSeconds = 0;
  int done = readSettings(request, change.settings, bytesLeft);
  if (done >= 0) done = readSettings(request, change.expected, bytesLeft);
  if (done >= 0) done = sd_bus_message_read(request, "bu", &persist, &revertAfterSeconds);
  if (done == -E2BIG || revertAfterSeconds > kLongestRevertAfterSeconds) return tooMuch(request);
  if (done < 0) return done;
  // Before the prompt, which shows only validated settings.
  const auto checked = checkedRequest(change.settings);
  if (!checked) {
    const RefusedSetting& refused = checked.error();
    return fail(request,
                sentence(ChangeError{ChangeErrorKind::refusedSetting, 0, UntrustedText(refused.key), refused.refusal}));
  }
  change.persist = persist != 0;
  if (revertAfterSeconds > 0) change.revertAfter = std::chrono::seconds(revertAfterSeconds);
  const std::string caller = sd_bus_message_get_sender(request);
  return whenAuthorized(request, {caller, kApplyAction, details(*checked, change.persist)},
                        [this, change, caller]() -> Reply {
                          const auto made = m_changes.apply(change);
                          if (!made) return tl::unexpected(made.error());
                          if (!*made) return toJson(ChangeReport::of(std::vector<ChangeRecord>(), now()));
                          m_makers[(*made)->id] = caller;
                          return toJson(ChangeReport::of(std::vector{**made}, now()));
                        });
}

int HelperService::confirm(sd_bus_message* request) {
  return finish(request, false);
}

int HelperService::revert(sd_bus_message* request) {
  return finish(request, true);
}

int HelperService::finish(sd_bus_message* request, bool isRevert) {
  std::uint32_t id = 0;
  if (const int done = sd_bus_message_read(request, "u", &id); done < 0) return done;
  const auto records = m_changes.list();
  if (!records) return fail(request, sentence(records.error()));
  const auto record =
      std::find_if(records->begin(), records->end(), [&](const ChangeRecord& one) { return one.id == id; });
  if (record == records->end()) {
    return fail(request,
                sentence(ChangeError{ChangeErrorKind::noSuchChange, 0, UntrustedText(std::to_string(id)), {}}));
  }
  std::vector<WantedSetting> settings;
  for (const ChangedSetting& one : record->settings) {
    settings.push_back({one.key, isRevert ? one.original : one.wanted});
  }
  const std::string caller = sd_bus_message_get_sender(request);
  const auto maker = m_makers.find(id);
  const char* const action = maker != m_makers.end() && maker->second == caller ? kFinishAction : kApplyAction;
  return whenAuthorized(request, {caller, action, details(settings, record->persist)}, [this, id, isRevert]() -> Reply {
    if (isRevert)
      return m_changes.revert(id).map([](const RevertedChange& one) { return toJson(ChangeReport::of(one, now())); });
    return m_changes.confirm(id).map(
        [](const ChangeRecord& one) { return toJson(ChangeReport::of(std::vector{one}, now())); });
  });
}

int HelperService::whenAuthorized(sd_bus_message* request, AuthorityRequest check, std::function<Reply()> change) {
  const bool hasOpenPrompt = std::any_of(m_waiting.begin(), m_waiting.end(), [&](const Waiting& one) {
    return check.caller == sd_bus_message_get_sender(one.request.get());
  });
  const std::optional<uid_t> user = userOf(request);
  if (!user) return fail(request, "the system bus does not report the user of this request; nothing was changed");
  const auto ofUser =
      std::count_if(m_waiting.begin(), m_waiting.end(), [&](const Waiting& one) { return one.user == *user; });
  if (hasOpenPrompt || ofUser >= kMostWaitingOfUser) {
    return fail(request, "an earlier request still waits to be allowed; nothing was changed");
  }
  Waiting& waiting = m_waiting.emplace_back();
  waiting.service = this;
  waiting.user = *user;
  waiting.request.reset(sd_bus_message_ref(request));
  waiting.change = std::move(change);
  waiting.check =
      std::make_unique<AuthorityCheck>(m_bus, [this, &waiting](bool isAllowed) { decide(waiting, isAllowed); });
  sd_bus_track* track = nullptr;
  int done = sd_bus_track_new(m_bus, &track, onCallerGone, &waiting);
  waiting.track.reset(track);
  if (done >= 0) done = sd_bus_track_add_sender(track, request);
  if (done >= 0) done = waiting.check->send(check, m_authorizationTimeout);
  if (done >= 0) return 1;
  m_waiting.pop_back();
  return done;
}

int HelperService::onCallerGone(sd_bus_track* /*track*/, void* waiting) {
  const auto& gone = *static_cast<Waiting*>(waiting);
  gone.service->forget(gone);
  return 0;
}

void HelperService::decide(Waiting& waiting, bool isAllowed) {
  sd_bus_message* const request = waiting.request.get();
  const auto reply = isAllowed ? std::optional<Reply>(waiting.change()) : std::nullopt;
  // A caller that disconnected gets no reply; its change is in the journal.
  if (!reply) {
    const std::string refused = sentence(ChangeError{ChangeErrorKind::denied});
    static_cast<void>(sd_bus_reply_method_errorf(request, kDeniedError, "%s", refused.c_str()));
  } else if (!*reply) {
    static_cast<void>(fail(request, sentence(reply->error())));
  } else {
    static_cast<void>(sd_bus_reply_method_return(request, "s", (*reply)->c_str()));
  }
  forget(waiting);
}

void HelperService::forget(const Waiting& waiting) {
  m_waiting.remove_if([&](const Waiting& one) { return &one == &waiting; });
}

}  // namespace tcpscope
