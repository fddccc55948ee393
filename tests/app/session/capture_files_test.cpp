// Captures from files, and what is made of their connections on one thread and on several: the document has to be the
// same to the byte.
#include "app/session/capture_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/session/ordered_work.h"
#include "core/present/json/capture_document.h"
#include "tests/support/built_paths.h"

namespace tcpscope {
namespace {

std::string documentOf(const std::vector<std::string>& names, std::size_t threads, std::size_t mostBytes = SIZE_MAX) {
  CaptureFileSettings settings;
  settings.mostBytes = mostBytes;
  const AnalysedFiles all = analyseFiles(names, settings);
  CaptureDocumentPieces pieces;
  std::string text = pieces.begin(all.files);
  for (const auto& capture : all.captures) {
    makeInOrder(
        capture->analysis.connectionCount(), threads,
        [&](std::size_t index) {
          return captureConnectionPiece(capture->analysis.connection(index), capture->fileOf(index));
        },
        [&](CaptureConnectionPiece&& piece) {
          text += pieces.connection(piece);
          return true;
        });
  }
  return text + pieces.end();
}

std::vector<std::string> captures() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(test::testData() / "captures")) {
    if (entry.is_regular_file() && entry.path().extension() != ".md") names.push_back(entry.path());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(CaptureFiles, ShowTheSameHoweverManyThreads) {
  ASSERT_GT(captures().size(), 5U);
  for (const std::string& name : captures()) {
    const std::string alone = documentOf({name}, 1);
    for (const std::size_t threads : {2U, 8U}) EXPECT_EQ(documentOf({name}, threads), alone) << name;
  }
}

TEST(CaptureFiles, ShowTheSameOfSeveralFilesAtOnce) {
  EXPECT_EQ(documentOf(captures(), 2), documentOf(captures(), 1));
}

TEST(CaptureFiles, ShowTheSameWhereMemoryEnds) {
  const std::string name = captures().front();
  EXPECT_EQ(documentOf({name}, 2, 1), documentOf({name}, 1, 1)) << "no packet has room";
}

}  // namespace
}  // namespace tcpscope
