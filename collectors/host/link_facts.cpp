#include "collectors/host/link_facts.h"

#include <algorithm>

#include "collectors/host/link_files.h"
#include "collectors/host/rtnetlink_reader.h"
#include "core/host/sysctl_values.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

std::string driverName(const fs::path& folder) {
  std::error_code error;
  return fs::read_symlink(folder / "device/driver", error).filename().string();
}

std::vector<fs::path> adapters(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (found.size() < kMostLinkFacts && fs::exists(entry.path() / "device", error)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

HostFacts readLinkFacts(const fs::path& root, const HostAccess& access) {
  HostFacts facts;
  const std::vector<fs::path> folders = adapters(root / "sys/class/net");
  if (folders.empty()) return facts;
  const Reported<LinkTable> table = readLinkTable(access);
  for (const fs::path& folder : folders) {
    const std::string name = folder.filename().string();
    // /sys shows the network namespace that it was mounted in.
    if (table && !table->links.contains(UntrustedText(name))) continue;
    const auto add = [&](std::string_view what, std::string value) {
      if (!value.empty())
        facts.push_back({UntrustedText(linkSettingKey({name, what})), UntrustedText(std::move(value))});
    };
    add("mtu", firstLineOf(folder / "mtu"));
    if (const auto megabits = linkMegabits(folder)) add("speed", std::to_string(*megabits) + " Mbit/s");
    add("duplex", linkDuplex(folder));
    add("driver", driverName(folder));
    if (!table) continue;
    const auto& discipline = table->links.at(UntrustedText(name)).queueDiscipline;
    if (discipline) add("qdisc", discipline->kind.rawBytes());
  }
  return facts;
}

}  // namespace tcpscope
