#include "app/desktop/host_changer.h"

#include <algorithm>

#include "app/desktop/background_work.h"
#include "app/desktop/lost_step.h"
#include "core/base/escape.h"
#include "core/present/text/change_text.h"
#include "core/present/text/error_text.h"

namespace tcpscope {

namespace {

constexpr std::chrono::seconds kTrial{60};
/// The timer of the change is another process and may be a little late.
constexpr std::chrono::seconds kGrace{2};
/// A command whose connection ended may start that late on the host.
constexpr std::chrono::seconds kMayStillStart{5};

ChangeError unopened(std::string reason) {
  return {ChangeErrorKind::reported, 0, UntrustedText(std::move(reason))};
}

/// Of the options in `rows`, those that `inForce` has as well.
bool haveSameValues(const std::vector<HostChangeRow>& rows, const std::vector<HostChangeRow>& inForce) {
  return std::all_of(rows.begin(), rows.end(), [&](const HostChangeRow& row) {
    const auto same =
        std::find_if(inForce.begin(), inForce.end(), [&](const HostChangeRow& one) { return one.key == row.key; });
    return same == inForce.end() || same->now == row.now;
  });
}

}  // namespace

ChangeRequest HostChanger::request() const {
  ChangeRequest request;
  for (const SettingChange& change : m_requested.changes) {
    request.settings.push_back({std::string(change.key), change.wanted});
  }
  if (isTuning()) {
    request.kind = ChangeKind::socketOption;
    request.replacesTrial = m_requested.replacesTrial;
    request.connection = m_requested.local.toString() + "-" + m_requested.remote.toString();
  }
  return request;
}

void HostChanger::preview(const HostChangeRequest& request) {
  forget();
  m_requested = request;
  m_state.place = request.place.id;
  if (const auto host = remoteHost()) {
    m_address = host->address;
    m_transport = sshTransport(m_address, request.place, SshManner::asking, m_parts.transport.runSsh);
  }
  refresh();
}

void HostChanger::refresh() {
  const bool isIdle = m_state.phase == HostChangePhase::none || m_state.phase == HostChangePhase::previewed ||
                      m_state.phase == HostChangePhase::unknown;
  if (m_pending.valid() || !isIdle) return;
  m_state.notice.clear();
  m_state.byHand.clear();
  if (isListed() && isConnected()) return poll(SshManner::asking);
  if (m_state.phase == HostChangePhase::none) m_state.phase = HostChangePhase::previewed;
  say(isListed() ? ChangeErrorKind::notConnected : ChangeErrorKind::left);
}

void HostChanger::poll(SshManner manner) {
  m_before = std::exchange(m_state.phase, HostChangePhase::previewing);
  ChangeTransportPointer open = m_transport;
  if (!m_address.empty() && manner == SshManner::alone) {
    open = sshTransport(m_address, m_requested.place, manner, m_parts.transport.runSsh);
  }
  // If the timer on another host ended with its login session, listing the journal reverts what is overdue.
  const bool isOverdue = m_before == HostChangePhase::inForce && !m_address.empty();
  const bool needsJournal = !isTuning() && (isOverdue || m_before == HostChangePhase::unknown);
  m_pending = postTo(m_background,
                     [parts = m_parts.transport, place = m_requested.place, request = request(), open = std::move(open),
                      needsJournal](const std::stop_token& stop) -> Outcome {
                       auto transport = open ? Expected<ChangeTransportPointer, std::string>(open)
                                             : openTransport(place, request.kind, parts);
                       if (!transport) return {nullptr, tl::unexpected(unopened(transport.error())), {}};
                       std::optional<ChangeResult> journal;
                       if (needsJournal) journal = (*transport)->list(stop);
                       return {open ? nullptr : *transport, (*transport)->preview(request, stop), std::move(journal)};
                     });
}

void HostChanger::pollUnattended() {
  if (isListed() && isConnected()) return poll(SshManner::alone);
  if (m_state.phase == HostChangePhase::unknown) return;
  lose({ChangeErrorKind::unreadableReport});
  say(isListed() ? ChangeErrorKind::notConnected : ChangeErrorKind::left);
}

void HostChanger::post(HostChangePhase during, Step step) {
  if (!m_transport || m_pending.valid()) return;
  m_state.notice.clear();
  m_state.byHand.clear();
  if (!isListed()) return say(ChangeErrorKind::left);
  m_before = std::exchange(m_state.phase, during);
  m_pending =
      postTo(m_background, [transport = m_transport, step = std::move(step)](const std::stop_token& stop) -> Outcome {
        return {nullptr, step(*transport, stop), {}};
      });
}

void HostChanger::apply(bool persist) {
  if (m_state.phase != HostChangePhase::previewed || !m_state.canApply) return;
  ChangeRequest change = request();
  change.persist = persist && m_state.canPersist;
  change.revertAfter = kTrial;
  for (const HostChangeRow& row : m_state.rows) {
    if (row.now) change.expected.push_back({row.key, *row.now});
  }
  post(HostChangePhase::changing,
       [change = std::move(change)](ChangeTransport& transport, const std::stop_token& stop) {
         return transport.apply(change, stop);
       });
}

void HostChanger::keep() {
  if (m_state.phase != HostChangePhase::inForce || !m_undoneAt) return;
  post(HostChangePhase::keeping,
       [request = request(), change = m_change](ChangeTransport& transport, const std::stop_token& stop) {
         return transport.confirm(request, change, stop);
       });
}

void HostChanger::undo() {
  if (m_state.phase != HostChangePhase::inForce && m_state.phase != HostChangePhase::kept) return;
  post(HostChangePhase::undoing,
       [request = request(), change = m_change](ChangeTransport& transport, const std::stop_token& stop) {
         return transport.revert(request, change, stop);
       });
}

void HostChanger::forget() {
  m_state = {};
  m_transport.reset();
  m_address.clear();
  m_undoneAt.reset();
  m_change = 0;
  // A pending step goes on; its result is dropped.
  m_pending = {};
}

HostChangeState HostChanger::state() {
  if (isThere(m_pending)) take(m_pending.get());
  m_state.undoneIn.reset();
  if (m_undoneAt) {
    const Nanoseconds left = *m_undoneAt - m_parts.now();
    m_state.undoneIn = std::max(std::chrono::duration_cast<Milliseconds>(left), Milliseconds(0));
    if (left < -Nanoseconds(kGrace) && m_state.phase == HostChangePhase::inForce) pollUnattended();
  }
  if (m_state.phase == HostChangePhase::unknown) {
    // Once per reconnect: a login that fails should not fail every second.
    const bool isDue = isConnected() && m_parts.now() - m_lostAt >= kMayStillStart;
    if (isDue && !std::exchange(m_wasRequested, true)) pollUnattended();
    if (!isConnected()) m_wasRequested = false;
  }
  return m_state;
}

std::optional<RemoteHost> HostChanger::remoteHost() const {
  return m_parts.remoteHost ? m_parts.remoteHost(m_requested.place.id) : std::nullopt;
}

bool HostChanger::isListed() const {
  if (m_address.empty()) return true;
  const auto host = remoteHost();
  return host && host->address == m_address;
}

bool HostChanger::isConnected() const {
  if (m_address.empty()) return true;
  const auto host = remoteHost();
  return host && host->isConnected;
}

ChangeDisplay HostChanger::displayOfPoll(const ChangeReport& report) const {
  return isTuning() ? displayOfOptions(report, m_requested.changes) : displayOf(report);
}

void HostChanger::take(const Outcome& outcome) {
  if (outcome.transport) m_transport = outcome.transport;
  if (m_state.phase != HostChangePhase::previewing) return takeStep(outcome.result);
  if (m_before == HostChangePhase::unknown) return takeOutcome(outcome);
  takePoll(outcome.result);
}

void HostChanger::refuse(const ChangeError& error) {
  m_state.notice = sentence(error);
  m_state.byHand.clear();
  for (const std::string& word : error.manualCommand) {
    if (!m_state.byHand.empty()) m_state.byHand += ' ';
    m_state.byHand += forShell(word);
  }
}

void HostChanger::say(ChangeErrorKind kind) {
  m_state.notice =
      sentence(ChangeError{kind, 0, m_address.empty() ? m_requested.place.host : UntrustedText(m_address)});
}

void HostChanger::takePoll(const ChangeResult& result) {
  const bool wasInForce = m_before == HostChangePhase::inForce;
  // What a host has at its start is for its own namespace.
  const bool isOtherHost = !m_address.empty() && loginOf(m_address) == m_address;
  m_state.canPersist = m_transport && !isTuning() && (isOtherHost || isOwnPlace(m_requested.place));
  if (!result && wasInForce) return lose(result.error());
  m_state.phase = wasInForce ? HostChangePhase::inForce : HostChangePhase::previewed;
  m_undoneAt.reset();
  if (!result) {
    m_state.rows.clear();
    m_state.canApply = false;
    return refuse(result.error());
  }
  const std::vector<HostChangeRow> inForce = m_state.rows;
  show(displayOfPoll(*result));
  if (!wasInForce) return;
  // The trial has ended: if the change could be applied again, it is no longer active. Options can always be set; the
  // command line reverts an overdue trial before it shows them, so that the old values mean the same.
  const bool isReverted = isTuning() ? !haveSameValues(m_state.rows, inForce) : m_state.canApply;
  if (isReverted) becomeReverted();
}

void HostChanger::takeStep(const ChangeResult& result) {
  if (!result) {
    if (result.error().isOutcomeUnknown) return lose(result.error());
    m_state.phase = m_before;
    return refuse(result.error());
  }
  switch (m_state.phase) {
    case HostChangePhase::changing:
      m_state.phase = HostChangePhase::inForce;
      m_change = result->changes.empty() ? 0 : result->changes.front().id;
      m_undoneAt = m_parts.now() + kTrial;
      break;
    case HostChangePhase::keeping:
      m_state.phase = HostChangePhase::kept;
      m_undoneAt.reset();
      break;
    default:
      m_state.phase = HostChangePhase::undone;
      m_undoneAt.reset();
      break;
  }
  ChangeDisplay display = isTuning() ? displayOfOptionChanges(*result) : displayOf(*result);
  m_state.rows = std::move(display.rows);
  m_state.notes = std::move(display.notes);
  if (result->isPartial()) m_state.notice = "Another program changed some of it meanwhile; those values stay.";
}

void HostChanger::lose(const ChangeError& error) {
  m_lost = m_state.phase == HostChangePhase::previewing ? m_before : m_state.phase;
  m_lostAt = m_parts.now();
  m_wasRequested = false;
  m_state.phase = HostChangePhase::unknown;
  m_previewed = m_state.rows;
  for (HostChangeRow& row : m_state.rows) {
    row.now.reset();
    row.text.clear();
  }
  refuse(error);
}

void HostChanger::takeOutcome(const Outcome& outcome) {
  m_state.phase = HostChangePhase::unknown;
  if (!outcome.result) return refuse(outcome.result.error());
  ChangeDisplay display = displayOfPoll(*outcome.result);
  const LostStep lost{m_lost, m_change, m_requested.place.bootId, m_previewed};
  StepOutcome found;
  if (isTuning()) {
    found = outcomeOfOptions(display.canRevert, outcome.result->revertsIn, lost);
  } else {
    const ChangeResult& journal = *outcome.journal;
    if (!journal) return refuse(journal.error());
    found = outcomeIn(*journal, lost);
  }
  const bool mayStillStart = m_parts.now() - m_lostAt < kMayStillStart;
  if (found.phase == HostChangePhase::previewed && mayStillStart) {
    m_wasRequested = false;
    return;
  }
  m_state.notice.clear();
  m_state.phase = found.phase;
  m_change = found.change;
  m_undoneAt.reset();
  if (found.age) m_undoneAt = m_parts.now() + kTrial - *found.age;
  if (found.left) m_undoneAt = m_parts.now() + *found.left;
  if (found.phase == HostChangePhase::unknown) return say(ChangeErrorKind::outcomeNotReported);
  show(std::move(display));
  if (found.phase == HostChangePhase::previewed) say(ChangeErrorKind::notActive);
  if (found.phase == HostChangePhase::undone) becomeReverted();
}

void HostChanger::show(ChangeDisplay&& display) {
  m_state.rows = std::move(display.rows);
  m_state.notes = std::move(display.notes);
  m_state.canApply = display.canApply;
}

void HostChanger::becomeReverted() {
  const bool wasRequested = m_before == HostChangePhase::unknown && m_lost == HostChangePhase::undoing;
  m_state.phase = HostChangePhase::undone;
  if (!wasRequested) m_state.notice = "The change was not confirmed in time and was reverted.";
  for (HostChangeRow& row : m_state.rows) row.text.clear();
}

}  // namespace tcpscope
