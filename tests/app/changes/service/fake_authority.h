// A fake polkit that gives the test's answers and records the requests.
#pragma once

#include <systemd/sd-bus-vtable.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/changes/service/private_bus.h"

namespace tcpscope::test {

/// `odd`: an answer of another form. `silence`: none, but a yes when the question is taken back.
enum class Verdict : std::uint8_t { yes, no, couldBe, error, odd, silence };

class FakeAuthority {
public:
  struct Question {
    /// With the name of its one property: "system-bus-name.name".
    std::string subjectKind;
    std::string subjectName;
    std::string action;
    std::map<std::string, std::string> details;
    std::uint32_t flags = 0;
  };

  explicit FakeAuthority(Verdict verdict) : m_verdict(verdict), m_bus(PrivateBus::connect()) {
    static const std::array<sd_bus_vtable, 4> kMethods = {
        {SD_BUS_VTABLE_START(0),
         SD_BUS_METHOD("CheckAuthorization", "(sa{sv})sa{ss}us", "(bba{ss})", onCheck, SD_BUS_VTABLE_UNPRIVILEGED),
         SD_BUS_METHOD("CancelCheckAuthorization", "s", "", onCancel, SD_BUS_VTABLE_UNPRIVILEGED), SD_BUS_VTABLE_END}};
    const int added = sd_bus_add_object_vtable(m_bus.get(), nullptr, "/org/freedesktop/PolicyKit1/Authority",
                                               "org.freedesktop.PolicyKit1.Authority", kMethods.data(), this);
    if (added < 0 || sd_bus_request_name(m_bus.get(), "org.freedesktop.PolicyKit1", 0) < 0) std::abort();
    m_thread = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }
  ~FakeAuthority() { m_thread = std::jthread(); }

  void say(Verdict verdict) { m_verdict = verdict; }
  std::vector<Question> asked() {
    const std::scoped_lock lock(m_mutex);
    return m_asked;
  }
  void waitForQuestions(std::size_t count) { waitFor(m_asked, count); }
  /// Questions that were taken back.
  void waitForCancellations(std::size_t count) { waitFor(m_cancelled, count); }

private:
  template <class Row>
  void waitFor(const std::vector<Row>& rows, std::size_t count) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return rows.size() >= count; });
  }

  void serve(const std::stop_token& stop) {
    constexpr std::uint64_t kLookForStopMicroseconds = 5000;
    while (!stop.stop_requested()) {
      if (sd_bus_process(m_bus.get(), nullptr) <= 0) sd_bus_wait(m_bus.get(), kLookForStopMicroseconds);
    }
  }

  static int onCheck(sd_bus_message* question, void* self, sd_bus_error* /*error*/) {
    auto& authority = *static_cast<FakeAuthority*>(self);
    const Verdict verdict = authority.m_verdict;
    const char* kind = nullptr;
    const char* member = nullptr;
    const char* name = nullptr;
    const char* action = nullptr;
    Question asked;
    if (sd_bus_message_read(question, "(sa{sv})s", &kind, 1, &member, "s", &name, &action) < 0) return -EINVAL;
    asked.subjectKind = std::string(kind) + "." + member;
    asked.subjectName = name;
    asked.action = action;
    sd_bus_message_enter_container(question, 'a', "{ss}");
    const char* value = nullptr;
    while (sd_bus_message_read(question, "{ss}", &member, &value) > 0) asked.details[member] = value;
    sd_bus_message_exit_container(question);
    sd_bus_message_read(question, "u", &asked.flags);
    {
      const std::scoped_lock lock(authority.m_mutex);
      authority.m_asked.push_back(std::move(asked));
      authority.m_changed.notify_all();
    }
    // Who has the answer finds the question noted.
    return authority.answer(question, verdict);
  }

  int answer(sd_bus_message* question, Verdict verdict) {
    switch (verdict) {
      case Verdict::yes:
        return sd_bus_reply_method_return(question, "(bba{ss})", 1, 0, 0);
      case Verdict::no:
        return sd_bus_reply_method_return(question, "(bba{ss})", 0, 0, 0);
      case Verdict::couldBe:
        return sd_bus_reply_method_return(question, "(bba{ss})", 0, 1, 0);
      case Verdict::error:
        return sd_bus_reply_method_errorf(question, "org.freedesktop.PolicyKit1.Error.Failed", "yes");
      case Verdict::odd:
        return sd_bus_reply_method_return(question, "b", 1);
      case Verdict::silence:
        m_unanswered.emplace_back(sd_bus_message_ref(question));
        return 1;
    }
    return 1;
  }

  static int onCancel(sd_bus_message* cancelled, void* self, sd_bus_error* /*error*/) {
    auto& authority = *static_cast<FakeAuthority*>(self);
    for (const BusMessage& late : authority.m_unanswered) {
      sd_bus_reply_method_return(late.get(), "(bba{ss})", 1, 0, 0);
    }
    authority.m_unanswered.clear();
    const char* id = nullptr;
    sd_bus_message_read(cancelled, "s", &id);
    const std::scoped_lock lock(authority.m_mutex);
    authority.m_cancelled.emplace_back(id);
    authority.m_changed.notify_all();
    return sd_bus_reply_method_return(cancelled, "");
  }

  std::atomic<Verdict> m_verdict;
  BusHandle m_bus;
  /// The thread's own.
  std::vector<BusMessage> m_unanswered;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<Question> m_asked;
  std::vector<std::string> m_cancelled;
  std::jthread m_thread;
};

}  // namespace tcpscope::test
