#include "collectors/host/bus_neighbour_reader.h"

#include <algorithm>

#include "collectors/host/file_values.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

/// A bus has 32 devices of 8 functions; at most this many are reported.
constexpr std::size_t kMostNeighbours = 64;

/// The first byte of three: "0x020000" is a network controller. Only PCI devices have a number here.
std::optional<std::uint32_t> baseClassOf(const fs::path& device) {
  constexpr std::string_view kPrefix = "0x";
  const std::string text = firstLineOf(device / "class");
  if (!text.starts_with(kPrefix)) return std::nullopt;
  const auto number = numberIn<std::uint32_t>(std::string_view(text).substr(kPrefix.size()), 16);
  return number ? std::optional(*number >> 16U) : std::nullopt;
}

/// include/linux/pci_ids.h: PCI_BASE_CLASS_*
DeviceKind deviceKindOf(std::uint32_t baseClass) {
  switch (baseClass) {
    case 0x01:
      return DeviceKind::storage;
    case 0x02:
    case 0x0d:
      return DeviceKind::network;
    case 0x03:
      return DeviceKind::display;
    case 0x04:
      return DeviceKind::multimedia;
    case 0x0c:
      return DeviceKind::serialBus;
    case 0x12:
      return DeviceKind::accelerator;
    default:
      return DeviceKind::other;
  }
}

std::vector<UntrustedText> interfacesOf(const fs::path& device) {
  std::vector<UntrustedText> names;
  std::error_code error;
  for (fs::directory_iterator entry(device / "net", error), end; !error && entry != end; entry.increment(error)) {
    if (names.size() < kMostNeighbours) names.emplace_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

Reported<std::vector<BusNeighbour>> readBusNeighbours(const fs::path& device) {
  constexpr std::uint32_t kBridge = 0x06;
  std::error_code error;
  fs::path own = fs::canonical(device, error);
  if (error) return unreported();
  // A virtio device is one below the PCI device that it came by.
  if (!baseClassOf(own)) own = own.parent_path();
  if (!baseClassOf(own)) return unreported();
  const fs::path above = own.parent_path();
  std::vector<BusNeighbour> neighbours;
  if (baseClassOf(above) != kBridge) return neighbours;
  for (fs::directory_iterator entry(above, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& other = entry->path();
    const auto baseClass = other == own ? std::nullopt : baseClassOf(other);
    if (!baseClass || *baseClass == kBridge || neighbours.size() == kMostNeighbours) continue;
    neighbours.push_back({deviceKindOf(*baseClass), UntrustedText(other.filename().string()), interfacesOf(other)});
  }
  std::sort(neighbours.begin(), neighbours.end(),
            [](const BusNeighbour& left, const BusNeighbour& right) { return left.address < right.address; });
  return neighbours;
}

}  // namespace tcpscope
