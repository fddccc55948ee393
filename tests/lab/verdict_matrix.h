// Every class of the lottery, several times each, judged from four sides in one run: by the sender's kernel, by the
// receiver's, and by captures at both ends.
#pragma once

#include <cstdint>
#include <string>

namespace tcpscope::lab {

struct MatrixOptions {
  std::uint64_t seed = 1;
  /// Of each class.
  std::size_t runs = 8;
  std::size_t jobs = 2;
  /// Only classes whose name contains it.
  std::string only;
};

enum class MatrixOutcome : std::uint8_t { met, missed, noLab };

/// Runs it and prints the table: limits and causes that are right, verdicts that are confident and wrong, and how many
/// of each tenth of confidence are right.
MatrixOutcome judgeMatrix(const MatrixOptions& options);

}  // namespace tcpscope::lab
