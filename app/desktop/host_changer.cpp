#include "app/desktop/host_changer.h"

#include <algorithm>

#include "app/desktop/background_work.h"
#include "core/text/escape.h"

namespace tcpscope {

namespace {

constexpr std::chrono::seconds kToBeKept{60};
/// The timer of the change is another process: it needs a moment, too.
constexpr std::chrono::seconds kGrace{2};

}  // namespace

void HostChanger::preview(const HostChangeWish& wish) {
  forget();
  m_wish = wish;
  look();
}

void HostChanger::look() {
  m_before = m_state.phase;
  m_state.phase = HostChangePhase::looking;
  m_pending = postTo(m_background,
                     [means = m_parts.means, wish = m_wish, known = m_way](const std::stop_token& stop) -> Outcome {
                       auto way = known ? Expected<ChangeWayPointer, std::string>(known) : changeWayTo(wish, means);
                       if (!way) return {nullptr, {-1, {}, way.error()}};
                       CommandAnswer answer = (*way)->look(wish, stop);
                       return {std::move(*way), std::move(answer)};
                     });
}

void HostChanger::post(HostChangePhase during, Step step) {
  if (!m_way || m_pending.valid()) return;
  m_before = std::exchange(m_state.phase, during);
  m_state.notice.clear();
  m_pending = postTo(m_background, [way = m_way, step = std::move(step)](const std::stop_token& stop) -> Outcome {
    return {nullptr, step(*way, stop)};
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
    if (left < -Nanoseconds(kGrace) && m_state.phase == HostChangePhase::inForce) look();
  }
  return m_state;
}

std::optional<ChangeAnswer> HostChanger::read(const CommandAnswer& command) const {
  const bool looks = m_state.phase == HostChangePhase::looking;
  if (looks) return isTuning() ? readShown(command.output, m_wish.changes) : readPreview(command.output);
  return isTuning() ? readTuned(command.output) : readChanged(command.output);
}

void HostChanger::take(const Outcome& outcome) {
  if (outcome.way) m_way = outcome.way;
  if (m_state.phase == HostChangePhase::looking) return takeLook(outcome.command);
  takeChange(outcome.command);
}

void HostChanger::refuse(const CommandAnswer& command) {
  std::string text = forPlainText(UntrustedText(command.errorText));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  m_state.notice = text.empty() ? "The command line of tcpscope gave no answer that can be read." : text;
}

void HostChanger::takeLook(const CommandAnswer& command) {
  const bool wasInForce = m_before == HostChangePhase::inForce;
  auto answer = read(command);
  m_state.phase = wasInForce ? HostChangePhase::inForce : HostChangePhase::previewed;
  m_state.canPersist = m_way && !isTuning() && isOwnPlace(m_wish.place);
  m_undoneAt.reset();
  if (!answer) return refuse(command);
  m_state.rows = std::move(answer->rows);
  m_state.notes = std::move(answer->notes);
  m_state.canApply = answer->canApply;
  if (!wasInForce) return;
  // Its time is over: what could be applied anew is no longer there.
  if (!answer->canApply) return;
  m_state.phase = HostChangePhase::undone;
  m_state.notice = "Nobody kept it in time, so that it was undone.";
  for (HostChangeRow& row : m_state.rows) row.text.clear();
}

void HostChanger::takeChange(const CommandAnswer& command) {
  auto answer = read(command);
  if (!answer) {
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

}  // namespace tcpscope
