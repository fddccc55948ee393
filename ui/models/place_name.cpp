#include "ui/models/place_name.h"

#include <QStringList>
#include <algorithm>

#include "ui/models/owner_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

const Place* find(PlaceId id, const std::vector<Place>& places) {
  const auto found = std::find_if(places.begin(), places.end(), [&](const Place& place) { return place.id == id; });
  return found == places.end() ? nullptr : &*found;
}

/// That of this process, or of a host's agent, known by its inode only, which says nothing to a person.
bool isOwnWithoutName(const Place& place, const std::vector<Place>& places) {
  const std::string& name = place.namespaceLabel();
  const bool hasFurther =
      std::ranges::any_of(places, [&](const Place& other) { return namespaceNumber(other.id, place.id).has_value(); });
  return (place.id == PlaceId{0} || hasFurther) && name.find_first_not_of("0123456789") == std::string::npos;
}

QString networkNamespace(const Place& place) {
  return plainText(UntrustedText(place.namespaceLabel()));
}

}  // namespace

QString placeName(PlaceId id, const std::vector<Place>& places) {
  const Place* place = find(id, places);
  if (place == nullptr) return notKnown();
  const auto ofThisHost = std::count_if(places.begin(), places.end(), [&](const Place& other) {
    return other.host.rawBytes() == place->host.rawBytes();
  });
  const QString host = plainText(place->host);
  const bool isOneOfSeveral = ofThisHost > 1 && !isOwnWithoutName(*place, places);
  // What differs is in front: a narrow column cuts the end.
  const QString name = isOneOfSeveral ? QStringLiteral("%1 on %2").arg(networkNamespace(*place), host) : host;
  return place->lostSince ? QStringLiteral("disconnected: %1").arg(name) : name;
}

QString placeDescription(PlaceId id, const std::vector<Place>& places) {
  const Place* place = find(id, places);
  if (place == nullptr) return {};
  QStringList lines{plainText(place->host)};
  if (!place->namespaceLabel().empty()) lines << QStringLiteral("Network namespace: %1").arg(networkNamespace(*place));
  if (!place->kernel.empty()) lines << QStringLiteral("Kernel: %1").arg(plainText(place->kernel));
  if (place->lostSince) lines << QStringLiteral("This host is disconnected: the figures are from before.");
  return lines.join(u'\n');
}

}  // namespace tcpscope
