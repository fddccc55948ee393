#include "collectors/host/place_reader.h"

#include <sys/stat.h>

#include <fstream>
#include <optional>
#include <system_error>

#include "collectors/host/file_values.h"

namespace tcpscope {

namespace {

std::optional<ino_t> inodeOf(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_ino;
}

std::string namespaceName(const std::filesystem::path& own, const std::filesystem::path& named) {
  const std::optional<ino_t> inode = inodeOf(own);
  if (!inode) return {};
  std::error_code error;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(named, error)) {
    if (inodeOf(entry.path()) == inode) return entry.path().filename().string();
  }
  return std::to_string(*inode);
}

}  // namespace

Place readPlace(PlaceId id, const std::filesystem::path& procRoot, const std::filesystem::path& namedNamespaces) {
  Place place;
  place.id = id;
  place.host = UntrustedText(firstLineOf(procRoot / "sys/kernel/hostname"));
  place.bootId = firstLineOf(procRoot / "sys/kernel/random/boot_id");
  place.kernel = UntrustedText(firstLineOf(procRoot / "sys/kernel/osrelease"));
  place.networkNamespace = namespaceName(procRoot / "self/ns/net", namedNamespaces);
  return place;
}

}  // namespace tcpscope
