// The path history on disk: one SQLite file that only its user may read, and that several programs may use at once.
//
// A write is one transaction: either all of it is stored or nothing. For one thread at a time. Blocks on the disk, and
// for a second at most on another program's write.
#pragma once

#include <span>
#include <vector>

#include "app/store/path_history/sqlite_database.h"
#include "core/advice/path_entry.h"

namespace tcpscope {

/// Those seen longest ago go first. Of connections a path's worth each is remembered as counted.
inline constexpr std::size_t kMostPaths = 4096;
inline constexpr std::size_t kMostCounted = 16'384;

class PathHistoryStore {
public:
  /// The folder of this user's history; nothing where the environment names no place.
  static std::optional<std::filesystem::path> folder();

  /// Makes folder and file where there are none, and puts a damaged file aside. Another program's file, and one of a
  /// later version, is an error and left alone.
  static Expected<PathHistoryStore, PathHistoryError> openToWrite(const std::filesystem::path& folder);
  /// Nothing where there is no history; makes and moves nothing.
  static Expected<std::optional<PathHistoryStore>, PathHistoryError> openToRead(const std::filesystem::path& folder);

  /// Where opening it put a damaged history.
  [[nodiscard]] const std::optional<std::filesystem::path>& putAside() const { return m_putAside; }

  /// Adds what is new. `place` distinguishes connections of one boot and namespace from those of others.
  [[nodiscard]] Expected<void, PathHistoryError> take(std::span<const PathSighting> sightings,
                                                      std::span<const PathRates> rates, const std::string& place);
  /// Last seen first.
  [[nodiscard]] Expected<std::vector<PathEntry>, PathHistoryError> entries() const;
  [[nodiscard]] Expected<std::optional<PathEntry>, PathHistoryError> find(const PathPrefix& path) const;
  /// False if the file does not exist.
  [[nodiscard]] Expected<bool, PathHistoryError> forget(const PathPrefix& path);
  /// Forgets those that were not seen since; how many.
  [[nodiscard]] Expected<std::uint64_t, PathHistoryError> forgetUnseenSince(WallTime time);

private:
  PathHistoryStore(std::filesystem::path file, SqliteDatabase database)
      : m_file(std::move(file)), m_database(std::move(database)) {}

  static Expected<PathHistoryStore, PathHistoryError> openFile(const std::filesystem::path& file);
  [[nodiscard]] Expected<void, PathHistoryError> checkKind() const;
  [[nodiscard]] Expected<void, PathHistoryError> checkContent() const;
  [[nodiscard]] Expected<void, PathHistoryError> makeTables();
  [[nodiscard]] Expected<void, SqliteError> write(std::span<const PathSighting> sightings,
                                                  std::span<const PathRates> rates, const std::string& place);
  [[nodiscard]] Expected<void, SqliteError> dropOldest();
  /// All that `change` does, or nothing of it.
  template <class Change>
  Expected<void, PathHistoryError> inTransaction(Change&& change);
  [[nodiscard]] Unexpected<PathHistoryError> failed(SqliteError error) const;

  std::filesystem::path m_file;
  SqliteDatabase m_database;
  std::optional<std::filesystem::path> m_putAside;
};

}  // namespace tcpscope
