// The path book on disk: one SQLite file of its user alone, which several programs may use at once.
//
// A writing is one transaction: all of it is there afterwards, or nothing, whatever happens meanwhile. For one thread
// at a time. Blocks on the disk, and on another program's writing for a second at most.
#pragma once

#include <span>
#include <vector>

#include "app/store/path_book/sqlite_database.h"
#include "core/advice/path_book_error.h"
#include "core/advice/path_entry.h"

namespace tcpscope {

/// Those seen longest ago go first. Of connections a path's worth each is remembered as counted.
inline constexpr std::size_t kMostPaths = 4096;
inline constexpr std::size_t kMostCounted = 16'384;

class PathBookStore {
public:
  /// The folder of this user's book; nothing where the environment names no place.
  static std::optional<std::filesystem::path> folder();

  /// Makes folder and file where there are none, and puts a damaged file aside. Another program's file, and one of a
  /// later version, is an error and left alone.
  static Expected<PathBookStore, PathBookError> openToWrite(const std::filesystem::path& folder);
  /// Nothing where there is no book; makes and moves nothing.
  static Expected<std::optional<PathBookStore>, PathBookError> openToRead(const std::filesystem::path& folder);

  /// Where opening it put a damaged book.
  [[nodiscard]] const std::optional<std::filesystem::path>& putAside() const { return m_putAside; }

  /// Adds what is new. `place` distinguishes connections of one boot and namespace from those of others.
  [[nodiscard]] Expected<void, PathBookError> take(std::span<const PathSighting> sightings,
                                                   std::span<const PathRates> rates, const std::string& place);
  /// Last seen first.
  [[nodiscard]] Expected<std::vector<PathEntry>, PathBookError> entries() const;
  [[nodiscard]] Expected<std::optional<PathEntry>, PathBookError> find(const PathPrefix& path) const;
  /// False if the file does not exist.
  [[nodiscard]] Expected<bool, PathBookError> forget(const PathPrefix& path);
  /// Forgets those that were not seen since; how many.
  [[nodiscard]] Expected<std::uint64_t, PathBookError> forgetUnseenSince(WallTime time);

private:
  PathBookStore(std::filesystem::path file, SqliteDatabase database)
      : m_file(std::move(file)), m_database(std::move(database)) {}

  static Expected<PathBookStore, PathBookError> openFile(const std::filesystem::path& file);
  [[nodiscard]] Expected<void, PathBookError> checkKind() const;
  [[nodiscard]] Expected<void, PathBookError> checkContent() const;
  [[nodiscard]] Expected<void, PathBookError> makeTables();
  [[nodiscard]] Expected<void, SqliteError> write(std::span<const PathSighting> sightings,
                                                  std::span<const PathRates> rates, const std::string& place);
  [[nodiscard]] Expected<void, SqliteError> dropOldest();
  /// All that `change` does, or nothing of it.
  template <class Change>
  Expected<void, PathBookError> inTransaction(Change&& change);
  [[nodiscard]] Unexpected<PathBookError> failed(SqliteError error) const;

  std::filesystem::path m_file;
  SqliteDatabase m_database;
  std::optional<std::filesystem::path> m_putAside;
};

}  // namespace tcpscope
