#include "app/session/marked_capture.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/capture_writer.h"
#include "collectors/pcap/packet_decoder.h"
#include "collectors/system/new_file.h"
#include "core/present/text/packet_comments.h"

namespace tcpscope {

namespace {

/// As pcap has it for packets that are not cut.
constexpr Bytes kWholePackets{262'144};

}  // namespace

Expected<MarkedCapture, SystemError> saveMarked(const ConnectionInFile& connection, const CapturedPackets& captured,
                                                const std::filesystem::path& output,
                                                const std::function<bool(std::uint64_t)>& goOn) {
  const auto failed = [&output](int errorNumber) {
    return Unexpected<SystemError>({SystemAttempt::writeRecording, errorNumber, UntrustedText(output.string())});
  };
  std::error_code unknown;
  // The capture itself must not be lost for a part of it.
  if (std::filesystem::equivalent(connection.file, output, unknown)) return failed(EEXIST);
  auto file = NewFile::create(output);
  if (!file) return failed(file.error());
  auto source = openFile(connection.file);
  auto reader = source ? CaptureReader::open(std::move(*source)) : Unexpected<CaptureFault>(source.error());
  if (!reader) {
    const int why = reader.error().errorNumber == 0 ? EBADMSG : reader.error().errorNumber;
    return Unexpected<SystemError>({SystemAttempt::readRecording, why, UntrustedText(connection.file.string())});
  }
  const auto comments = packetComments(captured);
  MarkedCapture written;
  std::optional<CaptureWriter> writer;
  LinkType linkType = LinkType::ethernet;
  PacketDecoder decoder({connection.insideTunnels});
  PacketSample sample;
  std::uint64_t taken = 0;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr) continue;
    if (++taken % kReadBetweenQuestions == 0 && !goOn(taken)) return failed(ECANCELED);
    if (decoder.decode(sample, *item.frame) || !connection.ends.hold(sample)) continue;
    if (!writer) writer.emplace(file->descriptor(), linkType = item.frame->linkType, std::string_view(), kWholePackets);
    if (item.frame->linkType != linkType) {
      ++written.leftOut;
      continue;
    }
    const auto comment = comments.find(item.frame->number);
    const bool hasComment = comment != comments.end();
    writer->write(sample.time, item.frame->bytes, item.frame->wireBytes,
                  hasComment ? std::string_view(comment->second) : std::string_view());
    ++written.packets;
    written.comments += hasComment ? 1 : 0;
  }
  if (writer) writer->flush();
  if (writer && writer->lost() > Count(0)) return failed(ENOSPC);
  if (auto named = file->takeName(); !named) return failed(named.error());
  return written;
}

}  // namespace tcpscope
