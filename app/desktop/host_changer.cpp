#include "app/desktop/host_changer.h"

#include <algorithm>

#include "app/desktop/background_work.h"
#include "app/desktop/change_finding.h"
#include "core/base/escape.h"
#include "core/present/text/remote_change_text.h"

namespace tcpscope {

namespace {

constexpr std::chrono::seconds kToBeKept{60};
/// The timer of the change is another process: it needs a moment, too.
constexpr std::chrono::seconds kGrace{2};
/// A command whose connection ended may still have to begin there.
constexpr std::chrono::seconds kMayStillBegin{5};

}  // namespace

void HostChanger::preview(const HostChangeRequest& wish) {
  forget();
  m_wish = wish;
  if (const auto host = remoteHost()) {
    m_address = host->address;
    m_way = wayToHost(m_address, wish.place, SshManner::asking, m_parts.means.runSsh);
  }
  lookAgain();
}

void HostChanger::lookAgain() {
  const bool isIdle = m_state.phase == HostChangePhase::none || m_state.phase == HostChangePhase::previewed ||
                      m_state.phase == HostChangePhase::notKnown;
  if (m_pending.valid() || !isIdle) return;
  m_state.notice.clear();
  m_state.byHand.clear();
  if (isStillThere() && isHeard()) return look(SshManner::asking);
  if (m_state.phase == HostChangePhase::none) m_state.phase = HostChangePhase::previewed;
  say(isStillThere() ? RemoteChangeErrorKind::notConnected : RemoteChangeErrorKind::left);
}

void HostChanger::look(SshManner manner) {
  m_before = std::exchange(m_state.phase, HostChangePhase::looking);
  ChangeWayPointer known = m_way;
  if (!m_address.empty() && manner == SshManner::alone) {
    known = wayToHost(m_address, m_wish.place, manner, m_parts.means.runSsh);
  }
  // Where another host ended the timer with the session that began it, its journal undoes what is overdue.
  const bool isOverdue = m_before == HostChangePhase::inForce && !m_address.empty();
  const bool asksJournal = !isTuning() && (isOverdue || m_before == HostChangePhase::notKnown);
  m_pending = postTo(m_background,
                     [means = m_parts.means, wish = m_wish, known = std::move(known),
                      asksJournal](const std::stop_token& stop) -> Outcome {
                       auto way = known ? Expected<ChangeWayPointer, std::string>(known) : changeWayTo(wish, means);
                       if (!way) return {nullptr, {-1, {}, way.error()}, {}};
                       std::optional<CommandAnswer> journal;
                       if (asksJournal) journal = (*way)->list(stop);
                       return {known ? nullptr : *way, (*way)->look(wish, stop), std::move(journal)};
                     });
}

/// Asks no person for anything: nobody pressed a button.
void HostChanger::lookByItself() {
  if (isStillThere() && isHeard()) return look(SshManner::alone);
  if (m_state.phase == HostChangePhase::notKnown) return;
  lose({});
  say(isStillThere() ? RemoteChangeErrorKind::notConnected : RemoteChangeErrorKind::left);
}

void HostChanger::post(HostChangePhase during, Step step) {
  if (!m_way || m_pending.valid()) return;
  m_state.notice.clear();
  m_state.byHand.clear();
  if (!isStillThere()) return say(RemoteChangeErrorKind::left);
  m_before = std::exchange(m_state.phase, during);
  m_pending = postTo(m_background, [way = m_way, step = std::move(step)](const std::stop_token& stop) -> Outcome {
    return {nullptr, step(*way, stop), {}};
  });
}

void HostChanger::apply(bool persist) {
  if (m_state.phase != HostChangePhase::previewed || !m_state.canApply) return;
  ShownWish shown{m_wish, m_state.rows, persist && m_state.canPersist, kToBeKept};
  post(HostChangePhase::changing,
       [shown = std::move(shown)](ChangeWay& way, const std::stop_token& stop) { return way.apply(shown, stop); });
}

void HostChanger::keep() {
  if (m_state.phase != HostChangePhase::inForce || !m_undoneAt) return;
  post(HostChangePhase::keeping,
       [change = m_change](ChangeWay& way, const std::stop_token& stop) { return way.keep(change, stop); });
}

void HostChanger::undo() {
  if (m_state.phase != HostChangePhase::inForce && m_state.phase != HostChangePhase::kept) return;
  post(HostChangePhase::undoing, [wish = m_wish, change = m_change](ChangeWay& way, const std::stop_token& stop) {
    return way.undo(wish, change, stop);
  });
}

void HostChanger::forget() {
  m_state = {};
  m_way.reset();
  m_address.clear();
  m_undoneAt.reset();
  m_change = 0;
  // What is under way goes on; nobody takes what it says.
  m_pending = {};
}

HostChangeState HostChanger::state() {
  if (isThere(m_pending)) take(m_pending.get());
  m_state.undoneIn.reset();
  if (m_undoneAt) {
    const Nanoseconds left = *m_undoneAt - m_parts.now();
    m_state.undoneIn = std::max(std::chrono::duration_cast<Milliseconds>(left), Milliseconds(0));
    if (left < -Nanoseconds(kGrace) && m_state.phase == HostChangePhase::inForce) lookByItself();
  }
  if (m_state.phase == HostChangePhase::notKnown) {
    // Once for each time that it is heard again: a login that fails should not fail every second.
    const bool isDue = isHeard() && m_parts.now() - m_lostAt >= kMayStillBegin;
    if (isDue && !std::exchange(m_wasAsked, true)) lookByItself();
    if (!isHeard()) m_wasAsked = false;
  }
  return m_state;
}

std::optional<RemoteHost> HostChanger::remoteHost() const {
  return m_parts.remoteHost ? m_parts.remoteHost(m_wish.place.id) : std::nullopt;
}

bool HostChanger::isStillThere() const {
  if (m_address.empty()) return true;
  const auto host = remoteHost();
  return host && host->address == m_address;
}

bool HostChanger::isHeard() const {
  if (m_address.empty()) return true;
  const auto host = remoteHost();
  return host && host->isConnected;
}

std::optional<ChangeAnswer> HostChanger::read(const CommandAnswer& command) const {
  const bool looks = m_state.phase == HostChangePhase::looking;
  if (looks) return isTuning() ? readShown(command.output, m_wish.changes) : readPreview(command.output);
  return isTuning() ? readTuned(command.output) : readChanged(command.output);
}

void HostChanger::take(const Outcome& outcome) {
  if (outcome.way) m_way = outcome.way;
  if (m_state.phase != HostChangePhase::looking) return takeChange(outcome.command);
  if (m_before == HostChangePhase::notKnown) return takeFindings(outcome);
  takeLook(outcome.command);
}

void HostChanger::refuse(const CommandAnswer& command) {
  std::string text = forPlainText(UntrustedText(command.errorText));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  m_state.notice = text.empty() ? "The command line of tcpscope gave no answer that can be read." : text;
  m_state.byHand.clear();
  for (const std::string& word : command.byHand) {
    if (!m_state.byHand.empty()) m_state.byHand += ' ';
    m_state.byHand += forShell(word);
  }
}

void HostChanger::say(RemoteChangeErrorKind kind) {
  m_state.notice = sentence(kind, m_address.empty() ? m_wish.place.host : UntrustedText(m_address));
}

void HostChanger::takeLook(const CommandAnswer& command) {
  const bool wasInForce = m_before == HostChangePhase::inForce;
  auto answer = read(command);
  m_state.canPersist = m_way && !isTuning() && (!m_address.empty() || isOwnPlace(m_wish.place));
  if (!answer && wasInForce) return lose(command);
  m_state.phase = wasInForce ? HostChangePhase::inForce : HostChangePhase::previewed;
  m_undoneAt.reset();
  if (!answer) {
    m_state.rows.clear();
    m_state.canApply = false;
    return refuse(command);
  }
  show(std::move(*answer));
  if (!wasInForce) return;
  // Its time is over: what could be applied anew is no longer there.
  if (m_state.canApply) becomeUndone();
}

void HostChanger::takeChange(const CommandAnswer& command) {
  auto answer = read(command);
  if (!answer) {
    // What ended well did something, whatever it said.
    if (command.isLost || command.exitCode == 0) return lose(command);
    m_state.phase = m_before;
    return refuse(command);
  }
  switch (m_state.phase) {
    case HostChangePhase::changing:
      m_state.phase = HostChangePhase::inForce;
      m_change = answer->change.value_or(0);
      if (!isTuning()) m_undoneAt = m_parts.now() + kToBeKept;
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
  m_state.rows = std::move(answer->rows);
  m_state.notes = std::move(answer->notes);
  if (answer->leftSomeAlone) m_state.notice = "Somebody else changed some of it since, which stays as it is.";
}

void HostChanger::lose(const CommandAnswer& command) {
  m_lost = m_state.phase == HostChangePhase::looking ? m_before : m_state.phase;
  m_lostAt = m_parts.now();
  m_wasAsked = false;
  m_state.phase = HostChangePhase::notKnown;
  m_shown = m_state.rows;
  for (HostChangeRow& row : m_state.rows) {
    row.now.reset();
    row.text.clear();
  }
  refuse(command);
}

void HostChanger::takeFindings(const Outcome& outcome) {
  auto now = read(outcome.command);
  m_state.phase = HostChangePhase::notKnown;
  if (!now) return refuse(outcome.command);
  const LostStep lost{m_lost, m_change, m_wish.place.bootId, m_shown};
  ChangeFinding found;
  if (isTuning()) {
    found = findingIn(*now, lost);
  } else {
    const auto journal = readJournal(outcome.journal->output);
    if (!journal) return refuse(*outcome.journal);
    found = findingIn(*journal, lost);
  }
  const bool mayStillBegin = m_parts.now() - m_lostAt < kMayStillBegin;
  if (found.phase == HostChangePhase::previewed && mayStillBegin) {
    m_wasAsked = false;
    return;
  }
  m_state.notice.clear();
  m_state.phase = found.phase;
  m_change = found.change;
  m_undoneAt.reset();
  if (found.age) m_undoneAt = m_parts.now() + kToBeKept - *found.age;
  if (found.phase == HostChangePhase::notKnown) return say(RemoteChangeErrorKind::notTold);
  show(std::move(*now));
  if (found.phase == HostChangePhase::previewed) say(RemoteChangeErrorKind::notInForce);
  if (found.phase == HostChangePhase::undone) becomeUndone();
}

void HostChanger::show(ChangeAnswer&& answer) {
  m_state.rows = std::move(answer.rows);
  m_state.notes = std::move(answer.notes);
  m_state.canApply = answer.canApply;
}

void HostChanger::becomeUndone() {
  const bool wasWanted = m_before == HostChangePhase::notKnown && m_lost == HostChangePhase::undoing;
  m_state.phase = HostChangePhase::undone;
  if (!wasWanted) m_state.notice = "Nobody kept it in time, so that it was undone.";
  for (HostChangeRow& row : m_state.rows) row.text.clear();
}

}  // namespace tcpscope
