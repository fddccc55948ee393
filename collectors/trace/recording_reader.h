// A recording from its file, or its files where it is a ring: the values of an agent's stream in the order they were
// seen.
//
// What is damaged or cut is a gap among the values; everything else is kept. Memory is bounded whatever the files hold.
#pragma once

#include "collectors/trace/recording_file.h"
#include "collectors/trace/trace_reader.h"

namespace tcpscope {

/// A place in a recording where reading goes on as if it had never left.
struct RecordingPosition {
  /// Of TraceAbout; 0 for files of older versions.
  std::uint64_t recording = 0;
  std::uint32_t piece = 0;
  /// Of the piece, in bytes.
  std::uint64_t offset = 0;
  /// There is nothing more.
  bool isAtEnd = false;
  TraceReader reader;
};

class RecordingReader {
public:
  /// Reads up to the hello. Fails with `openRecording`, or `readRecording` where it is no recording.
  static Expected<std::unique_ptr<RecordingReader>, SystemError> open(const std::filesystem::path& path, PlaceId place);

  /// Its place carries the file's name; its clock starts where what is left of the recording begins.
  [[nodiscard]] const TraceHello& hello() const { return m_hello; }
  /// Nothing for files of older versions.
  [[nodiscard]] const std::optional<TraceAbout>& about() const { return m_about; }
  /// The size of all its files; nothing where that is not known, as of a pipe.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;
  /// The end of the last whole segment; nothing for files of older versions, whose end only reading shows.
  [[nodiscard]] std::optional<Moment> end() const;
  /// Nothing at the end.
  std::optional<TraceValue> next();
  /// next() continues at the latest restated state at or before `moment`. Files of older versions start over.
  void seek(Moment moment);
  /// Where next() goes on; nothing in the middle of what is packed.
  [[nodiscard]] std::optional<RecordingPosition> position() const;
  /// Back to where this or another reader of the same recording was; false where that is not in these files.
  bool goTo(const RecordingPosition& position);
  /// Where, in bytes of the frames, the recording was damaged first.
  [[nodiscard]] std::optional<std::uint64_t> damagedAt() const { return m_reader.damagedAt(); }

private:
  struct Piece {
    std::unique_ptr<RecordingFile> file;
    std::vector<SegmentEntry> segments;
    /// Of TraceAbout; 0 for files of older versions.
    std::uint32_t number = 0;
  };

  explicit RecordingReader(PlaceId place) : m_reader(place) {}
  /// The number of the piece at `path` itself.
  std::uint32_t addOlderPieces(const std::filesystem::path& path);
  bool readHello();
  void beginWhereItBegins();
  void goOnIn(std::size_t piece, std::uint64_t offset);
  std::optional<TraceValue> reportCut();

  /// In order of time.
  std::vector<Piece> m_pieces;
  std::size_t m_current = 0;
  TraceReader m_reader;
  TraceHello m_hello;
  std::optional<TraceAbout> m_about;
  bool m_isAtEnd = false;
  bool m_isCutReported = false;
};

/// The latest moment in a batch; nothing where it has none.
std::optional<Moment> latestMoment(const ObservationBatch& batch);

}  // namespace tcpscope
