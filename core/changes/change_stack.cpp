#include "core/changes/change_stack.h"

#include <algorithm>

namespace tcpscope {

namespace {

bool inOneNamespace(const ChangeRecord& one, const ChangeRecord& other) {
  // The initial one exists again after a boot, under another inode.
  if (one.isHostNamespace || other.isHostNamespace) return one.isHostNamespace && other.isHostNamespace;
  return one.bootId == other.bootId && one.networkNamespace == other.networkNamespace;
}

template <class Record>
auto* settingOf(Record& record, const std::string& key) {
  const auto found = std::find_if(record.settings.begin(), record.settings.end(),
                                  [&](const ChangedSetting& setting) { return setting.key == key; });
  return found == record.settings.end() ? nullptr : &*found;
}

/// Index of the next open change of this key above the one with number `id`; the number of records if there is none.
std::size_t indexAbove(const std::vector<ChangeRecord>& records, const ChangeRecord& record, const std::string& key,
                       std::uint32_t id) {
  std::size_t lowest = records.size();
  for (std::size_t index = 0; index < records.size(); ++index) {
    const ChangeRecord& one = records[index];
    if (one.id <= id || !isOpen(one) || !inOneNamespace(one, record) || settingOf(one, key) == nullptr) continue;
    if (lowest == records.size() || one.id < records[lowest].id) lowest = index;
  }
  return lowest;
}

/// Of the changes above `record`, from the next one up to the one that covers it.
std::vector<std::size_t> upToCover(const std::vector<ChangeRecord>& records, const ChangeRecord& record,
                                   const std::string& key) {
  std::vector<std::size_t> found;
  std::size_t above = indexAbove(records, record, key, record.id);
  while (above != records.size()) {
    found.push_back(above);
    if (records[above].inForce == SettingVersion::changed) break;
    above = indexAbove(records, record, key, records[above].id);
  }
  return found;
}

}  // namespace

const ChangeRecord* coveringChange(const std::vector<ChangeRecord>& records, const ChangeRecord& record,
                                   const std::string& key) {
  const std::vector<std::size_t> above = upToCover(records, record, key);
  if (above.empty() || records[above.back()].inForce == SettingVersion::original) return nullptr;
  return &records[above.back()];
}

bool isSetAbove(const std::vector<ChangeRecord>& records, const ChangeRecord& record, const std::string& key,
                const std::string& value) {
  std::size_t above = indexAbove(records, record, key, record.id);
  for (; above != records.size(); above = indexAbove(records, record, key, records[above].id)) {
    if (records[above].inForce == SettingVersion::changed && settingOf(records[above], key)->wanted == value)
      return true;
  }
  return false;
}

const ChangeRecord* interruptedRevert(const std::vector<ChangeRecord>& records, const ChangeRecord& planned) {
  for (const ChangedSetting& setting : planned.settings) {
    const ChangeRecord* topmost = nullptr;
    bool isOriginal = false;
    for (const ChangeRecord& one : records) {
      const ChangedSetting* const changed = settingOf(one, setting.key);
      if (changed == nullptr || !isOpen(one) || !inOneNamespace(one, planned)) continue;
      topmost = &one;
      isOriginal = isOriginal || changed->original == setting.original;
    }
    if (topmost == nullptr || topmost->inForce == SettingVersion::original) continue;
    if (isOriginal && settingOf(*topmost, setting.key)->wanted != setting.original) return topmost;
  }
  return nullptr;
}

std::vector<ChangeRecord> afterEnd(std::vector<ChangeRecord> records, std::uint32_t id, ChangeState end) {
  const auto ended =
      std::find_if(records.begin(), records.end(), [id](const ChangeRecord& one) { return one.id == id; });
  if (ended == records.end()) return records;
  for (const ChangedSetting& setting : ended->settings) {
    for (const std::size_t above : upToCover(records, *ended, setting.key)) {
      ChangedSetting* const next = settingOf(records[above], setting.key);
      if (next != nullptr && next->original == setting.wanted) next->original = setting.original;
    }
  }
  ended->state = end;
  ended->inForce = SettingVersion::changed;
  return records;
}

}  // namespace tcpscope
