#include "ui/views/scope/shown_connections.h"

#include <algorithm>
#include <set>

#include "ui/models/owner_text.h"
#include "ui/models/place_name.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

/// Two processes of one name differ in their number alone, which says less than an address.
bool areNamedByProcess(const std::vector<ShownConnection>& shown) {
  std::set<UntrustedText> names;
  return std::all_of(shown.begin(), shown.end(), [&names](const ShownConnection& one) {
    return one.detail->owner != nullptr && names.insert(one.detail->owner->processName).second;
  });
}

bool areDistinct(const std::vector<ShownConnection>& shown, Endpoint ConnectionFacts::*end) {
  std::set<std::string> ends;
  return std::all_of(shown.begin(), shown.end(),
                     [&](const ShownConnection& one) { return ends.insert((one.detail->row.*end).toString()).second; });
}

QString bothEnds(const ConnectionFacts& facts) {
  return QStringLiteral("%1 → %2").arg(toQString(facts.local.toString()), toQString(facts.remote.toString()));
}

void nameAll(std::vector<ShownConnection>& shown) {
  const bool byProcess = areNamedByProcess(shown);
  const bool byRemote = areDistinct(shown, &ConnectionFacts::remote);
  const bool byLocal = areDistinct(shown, &ConnectionFacts::local);
  for (ShownConnection& one : shown) {
    const ConnectionFacts& facts = one.detail->row;
    if (byProcess) {
      one.name = processText(one.detail->owner.get());
    } else if (byRemote) {
      one.name = toQString(facts.remote.toString());
    } else {
      one.name = byLocal ? toQString(facts.local.toString()) : bothEnds(facts);
    }
  }
}

}  // namespace

void ShownConnections::update(const SnapshotPointer& snapshot, const Selection& selection) {
  m_all.clear();
  const auto add = [&](ConnectionId id) {
    const auto found = snapshot->details.find(id);
    if (found == snapshot->details.end()) return;
    m_all.push_back({id, found->second, {}, 0, selection.connection() == id});
  };
  if (snapshot != nullptr) {
    // A further one that is selected stays where it is, so that a selection moves no trace.
    if (selection.connection() && !selection.isFurther(*selection.connection())) add(*selection.connection());
    for (const ConnectionId id : selection.further()) add(id);
  }
  std::erase_if(m_styles, [this](const auto& styled) { return !indexOf(styled.first); });
  for (ShownConnection& one : m_all) one.style = styleOf(one.id);
  nameAll(m_all);
}

int ShownConnections::styleOf(ConnectionId id) {
  if (const auto known = m_styles.find(id); known != m_styles.end()) return known->second;
  int style = 0;
  const auto isTaken = [&style](const auto& styled) { return styled.second == style; };
  while (std::any_of(m_styles.begin(), m_styles.end(), isTaken)) ++style;
  m_styles[id] = style;
  return style;
}

std::optional<std::size_t> ShownConnections::indexOf(ConnectionId id) const {
  const auto found =
      std::find_if(m_all.begin(), m_all.end(), [id](const ShownConnection& one) { return one.id == id; });
  return found == m_all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_all.begin()));
}

std::optional<std::size_t> ShownConnections::selected() const {
  const auto found =
      std::find_if(m_all.begin(), m_all.end(), [](const ShownConnection& one) { return one.isSelected; });
  return found == m_all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_all.begin()));
}

QString connectionTitle(const SessionSnapshot& snapshot, const ConnectionFacts& facts) {
  const Owner* owner = snapshot.owner(facts);
  QString title =
      owner == nullptr ? bothEnds(facts) : QStringLiteral("%1, %2").arg(processText(owner), bothEnds(facts));
  // Containers have the same addresses, and hosts see the same connection.
  if (snapshot.places.size() < 2) return title;
  return QStringLiteral("%1: %2").arg(placeName(facts.id.place, snapshot.places), title);
}

}  // namespace tcpscope
