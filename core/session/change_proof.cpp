#include "core/session/change_proof.h"

#include <algorithm>
#include <cmath>

#include "core/session/transfer_stretch.h"

namespace tcpscope {

namespace {

/// What the host was like long before says little of now.
constexpr Nanoseconds kLongestBefore = std::chrono::seconds(60);

/// One end of a client's connections has another port each time, the other stays.
bool isToSameEnd(const ConnectionFacts& one, const ConnectionFacts& other) {
  return one.id.place == other.id.place && one.remote.address == other.remote.address &&
         (one.remote.port == other.remote.port || one.local.port == other.local.port);
}

}  // namespace

ChangeProof::ChangeProof(const ConnectionDetail& connection, Moment changedAt, Reach reach)
    : m_connection(connection.row),
      m_side(connection.diagnosis.bulk),
      m_changedAt(changedAt),
      m_reach(reach),
      m_before(goodputBlocks(connection.history, m_side, changedAt - kLongestBefore, changedAt)),
      m_rttBefore(smallestRtt(connection.history, changedAt - kLongestBefore, changedAt)) {}

std::optional<SampleComparison> ChangeProof::compareAround(const ConnectionDetail& connection,
                                                           std::optional<Moment> previous, Moment changedAt,
                                                           std::optional<Moment> next) {
  const std::optional<Moment> end = connection.history.lastTime();
  if (!end) return std::nullopt;
  const Side side = connection.diagnosis.bulk;
  Moment from = changedAt - kLongestBefore;
  if (previous) from = std::max(from, *previous + kSettles);
  const auto before = goodputBlocks(connection.history, side, from, changedAt);
  const auto since = goodputBlocks(connection.history, side, changedAt + kSettles, std::min(next.value_or(*end), *end));
  if (before.size() < kFewestBlocks || since.size() < kFewestBlocks) return std::nullopt;
  return compare(before, since);
}

const ConnectionFacts* ChangeProof::newestSince(const SessionSnapshot& snapshot) const {
  const ConnectionFacts* newest = nullptr;
  for (const auto& page : snapshot.facts) {
    for (const ConnectionFacts& row : *page) {
      const bool began = row.firstSeen > m_changedAt && !row.closed && isToSameEnd(row, m_connection);
      if (began && (newest == nullptr || row.firstSeen > newest->firstSeen)) newest = &row;
    }
  }
  return newest;
}

void ChangeProof::observe(const SessionSnapshot& snapshot) {
  if (m_before.size() < kFewestBlocks) {
    m_state = State::nothingBefore;
    return;
  }
  // A connection with the same ports is another one: what reaches this one alone is not set on it.
  const ConnectionFacts* newest = m_reach == Reach::live ? nullptr : newestSince(snapshot);
  if (newest == nullptr && m_reach == Reach::afterReconnect) {
    m_state = State::awaitsConnection;
    return;
  }
  const ConnectionFacts* const own = snapshot.find(m_connection.id);
  if (m_reach == Reach::live && (own == nullptr || own->closed)) {
    if (m_state != State::compared) m_state = State::closed;
    return;
  }
  m_measured = newest != nullptr ? newest->id : m_connection.id;
  const auto detail = snapshot.details.find(*m_measured);
  if (detail != snapshot.details.end()) measure(*detail->second, newest != nullptr ? newest->firstSeen : m_changedAt);
  compareAll();
}

void ChangeProof::measure(const ConnectionDetail& detail, Moment began) {
  const auto end = detail.history.lastTime();
  if (!end) return;
  const Moment from = began + kSettles;
  m_since[detail.row.id] = goodputBlocks(detail.history, m_side, from, *end);
  const auto rtt = smallestRtt(detail.history, from, *end);
  m_changedRtts.reset();
  if (!m_rttBefore || !rtt) return;
  if (std::abs(rtt->count() - m_rttBefore->count()) * 10 > m_rttBefore->count()) {
    m_changedRtts = Rtts{*m_rttBefore, *rtt};
  }
}

void ChangeProof::compareAll() {
  std::vector<double> since;
  for (const auto& [id, blocks] : m_since) since.insert(since.end(), blocks.begin(), blocks.end());
  m_state = since.size() < kFewestBlocks ? State::gathers : State::compared;
  if (m_state == State::compared) m_comparison = compare(m_before, since);
}

}  // namespace tcpscope
