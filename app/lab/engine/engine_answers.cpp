#include "app/lab/engine/engine_answers.h"

namespace tcpscope::lab {

namespace {

// Each content once, for both directions: Archive is MessageWriter or MessageReader, the content const or not.

template <class Archive, class Error>
void describeError(Archive& archive, Error& error) {
  archive(error.kind, error.errorNumber, error.object);
}

template <class Archive, class Report>
void describeReport(Archive& archive, Report& report) {
  static_assert(sizeof(PathReport) == sizeof(std::vector<LinkReport>) + 9 * sizeof(std::uint64_t),
                "a new field of the report has a place in the message, too");
  archive(report.unrouted, report.deviceDrops, report.worstLateness, report.lateness999, report.lateness99,
          report.lateness50, report.observed, report.waitedForProcessor);
  for (auto& link : report.links) archive(link.name, link.counters);
}

template <class Archive, class Question>
void describeQuestion(Archive& archive, Question& question) {
  auto& settings = question.settings;
  archive(question.host, settings.interface, settings.filter, settings.snapLength, settings.ring);
}

std::optional<MessageReader> readerOf(std::string_view bytes, MessageKind kind) {
  if (kindOf(bytes) != kind) return std::nullopt;
  return MessageReader(bytes.substr(sizeof(MessageKind)));
}

/// Nothing of another kind of message, or of one that is damaged.
template <class Content, class Describe>
std::optional<Content> decoded(std::string_view bytes, MessageKind kind, Describe describe) {
  auto reader = readerOf(bytes, kind);
  if (!reader) return std::nullopt;
  Content content;
  describe(*reader, content);
  return reader->isGood() ? std::optional(content) : std::nullopt;
}

}  // namespace

LabError pathEnded(int errorNumber) {
  return {LabErrorKind::engineEnded, errorNumber, UntrustedText("the path")};
}

MessageWriter encode(const LabError& error) {
  MessageWriter writer(MessageKind::failed);
  describeError(writer, error);
  return writer;
}

std::optional<LabError> decodeLabError(std::string_view bytes) {
  return decoded<LabError>(bytes, MessageKind::failed,
                           [](MessageReader& reader, LabError& error) { describeError(reader, error); });
}

MessageWriter encode(const EngineReady& ready) {
  MessageWriter writer(MessageKind::ready);
  writer(ready.startedAt, ready.skipped.size());
  for (const SkippedTraffic& skipped : ready.skipped) {
    writer(skipped.traffic);
    describeError(writer, skipped.reason);
  }
  return writer;
}

std::optional<EngineReady> decodeReady(std::string_view bytes) {
  return decoded<EngineReady>(bytes, MessageKind::ready, [](MessageReader& reader, EngineReady& ready) {
    reader(ready.startedAt);
    ready.skipped.resize(reader.count());
    for (SkippedTraffic& skipped : ready.skipped) {
      reader(skipped.traffic);
      describeError(reader, skipped.reason);
    }
  });
}

MessageWriter encode(const PathAnswer& answer) {
  MessageWriter writer(MessageKind::pathReport);
  writer(answer.lostEvents, answer.report.links.size());
  describeReport(writer, answer.report);
  return writer;
}

std::optional<PathAnswer> decodePathAnswer(std::string_view bytes) {
  return decoded<PathAnswer>(bytes, MessageKind::pathReport, [](MessageReader& reader, PathAnswer& answer) {
    reader(answer.lostEvents);
    answer.report.links.resize(reader.count());
    describeReport(reader, answer.report);
  });
}

MessageWriter encode(const CaptureQuestion& question) {
  MessageWriter writer(MessageKind::capture);
  describeQuestion(writer, question);
  return writer;
}

std::optional<CaptureQuestion> decodeCaptureQuestion(std::string_view bytes) {
  return decoded<CaptureQuestion>(bytes, MessageKind::capture, [](MessageReader& reader, CaptureQuestion& question) {
    describeQuestion(reader, question);
  });
}

MessageWriter encode(const LiveCaptureError& error) {
  MessageWriter writer(MessageKind::captureFailed);
  writer(error.kind, error.object, error.reason);
  return writer;
}

std::optional<LiveCaptureError> decodeCaptureError(std::string_view bytes) {
  return decoded<LiveCaptureError>(
      bytes, MessageKind::captureFailed,
      [](MessageReader& reader, LiveCaptureError& error) { reader(error.kind, error.object, error.reason); });
}

std::optional<MessageKind> kindOf(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  return static_cast<MessageKind>(bytes.front());
}

}  // namespace tcpscope::lab
