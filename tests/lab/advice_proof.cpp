// Every remedy put to the proof: a host, a program or a path that is wrong in one way, the advice that core gives for
// the live connection, exactly that advice applied by tcpscope-cli, and the connection, or the next one, measured
// again. Prints a table of every remedy: what was advised, foretold and measured. Fails where the advice does not come,
// brings less than 90 % of the path's rate, makes slower, cannot be undone, or the gain foretold is more than 15 % off;
// and where a healthy path gets advice. What the machine was too busy for is reported and not judged. 77 where it has
// no lab, or no time or right for some of it.
//
//   advice_proof [--part hosts|options|programs|path|loss|start] [--only CASE] [--repeat N] [--verbose]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

#include "app/lab/engine/lab_engine.h"
#include "core/advice/remedies.h"
#include "core/present/text/lab_text.h"
#include "tests/lab/advised_lab.h"

namespace tcpscope::lab {
namespace {

constexpr double kMostOff = 0.15;

enum class Outcome : std::uint8_t {
  met,
  missed,
  /// The machine had no time to be the path that was asked for.
  disturbed,
  /// It may not change what has to be changed, or has not what it is to be changed to.
  refused,
  noLab
};

struct Row {
  const AdviceCase* of = nullptr;
  Outcome outcome = Outcome::missed;
  std::string text;
};

double ratio(BitsPerSecond a, BitsPerSecond b) {
  return b.value() > 0.0 ? a.value() / b.value() : INFINITY;
}

struct Judgement {
  bool met = true;
  std::string text;

  void demand(bool isMet, std::string_view otherwise) {
    if (isMet) return;
    met = false;
    text += fmt::format("; {}", otherwise);
  }
};

/// The headline's second figure: what the repaired transfer reaches, or more.
void judgeNextLimit(const TakenAdvice& taken, Judgement& judgement) {
  // Measured over some seconds.
  constexpr double kMeasuredAlike = 0.97;
  const auto& next = taken.before.next;
  judgement.text +=
      next ? fmt::format(", next limit {:.1f}", next->value() / 1e6) : std::string(", next limit unknown");
  judgement.demand(!next || ratio(*next, taken.after->goodput) >= kMeasuredAlike, "the next limit is too low");
}

/// Data waits less, and as much less as was foretold.
void judgeWait(const TakenAdvice& taken, Judgement& judgement) {
  const auto foretold = taken.remedy->gain.waitsLessSeconds;
  if (!foretold || !taken.before.waitsSeconds || !taken.after->waitsSeconds) {
    return judgement.demand(false, "no wait measured");
  }
  const double measured = *taken.before.waitsSeconds - *taken.after->waitsSeconds;
  judgement.text += fmt::format(", waits {:.0f} -> {:.0f} ms, foretold {:.0f} ms less",
                                *taken.before.waitsSeconds * 1e3, *taken.after->waitsSeconds * 1e3, *foretold * 1e3);
  judgement.demand(std::abs(*foretold / measured - 1.0) <= kMostOff, "the gain is not as foretold");
}

void judgeRate(const TakenAdvice& taken, Judgement& judgement) {
  const BitsPerSecond after = taken.after->goodput;
  if (const auto& to = taken.remedy->gain.to) {
    const double off = ratio(*to, after) - 1.0;
    judgement.text += fmt::format(", foretold {:.1f} ({:+.0f} %)", to->value() / 1e6, off * 100);
    judgement.demand(std::abs(off) <= kMostOff, "the gain is not as foretold");
  } else {
    judgement.text += ", no rate foretold";
  }
  judgement.demand(taken.withoutTarget.has_value(), "not advised without a target rate");
  const auto to = taken.withoutTarget ? taken.withoutTarget->gain.to : std::nullopt;
  if (!to) return;
  judgement.text += fmt::format(", {:.1f} without a target", to->value() / 1e6);
  // What a model gives is the most that there can be.
  const bool isAtLeast = taken.withoutTarget->gain.why != GainReason::lossModel;
  judgement.demand(!isAtLeast || ratio(*to, after) <= 1.0 + kMostOff, "that is more than there was");
}

Judgement judge(const AdviceCase& one, const TakenAdvice& taken) {
  Judgement judgement;
  judgement.text = fmt::format("{:.1f} Mbit/s", taken.before.goodput.value() / 1e6);
  if (!one.remedy) {
    judgement.demand(taken.advised.empty(), "advice for a healthy path");
    return judgement;
  }
  if (!one.notProvable.empty()) {
    judgement.demand(taken.remedy.has_value(), "not advised");
    judgement.text += fmt::format(", gain not provable here: {}", one.notProvable);
    return judgement;
  }
  if (!taken.remedy || !taken.after) {
    judgement.demand(false, taken.refusal.empty() ? "not advised" : taken.refusal);
    return judgement;
  }
  const double ofRate = ratio(taken.after->goodput, *one.scenario.path.path.forward.rate);
  judgement.text += fmt::format(" -> {:.1f}, {:.0f} % of the path", taken.after->goodput.value() / 1e6, ofRate * 100);
  if (one.aim == AdviceAim::latency) {
    judgeWait(taken, judgement);
  } else {
    judgeRate(taken, judgement);
    judgeNextLimit(taken, judgement);
    judgement.demand(taken.after->goodput > taken.before.goodput, "no faster");
  }
  judgement.demand(ofRate >= one.leastOfRate, "less than the path allows");
  const Reach reach = one.reconnects() ? Reach::afterReconnect : Reach::live;
  judgement.text += fmt::format(", {}", name(taken.remedy->reach));
  judgement.demand(taken.remedy->reach == reach, "another reach");
  judgement.demand(taken.isUndone, "not undone: " + taken.refusal);
  return judgement;
}

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::met:
      return "met";
    case Outcome::missed:
      return "MISSED";
    case Outcome::disturbed:
      return "not judged, the path was late";
    case Outcome::refused:
      return "gain not provable here";
    case Outcome::noLab:
      break;
  }
  return "no lab";
}

void report(const TakenAdvice& taken) {
  for (const std::string& line : taken.seen) fmt::print("  {}\n", line);
  for (const std::string& command : taken.commands) fmt::print("  {}\n", command);
  std::fflush(stdout);
}

Row prove(const AdviceCase& one, bool isVerbose) {
  const auto taken = takeAdvice(one);
  Row row{&one, Outcome::missed, {}};
  if (!taken) {
    const LabErrorKind kind = taken.error().kind;
    if (kind == LabErrorKind::noUserNamespaces || kind == LabErrorKind::noDevice) row.outcome = Outcome::noLab;
    row.text = sentence(taken.error());
    return row;
  }
  if (isVerbose) report(*taken);
  const Judgement judgement = judge(one, *taken);
  row.text = judgement.text;
  if (judgement.met) {
    row.outcome = Outcome::met;
  } else if (taken->remedy && !taken->after && !taken->refusal.empty()) {
    row.outcome = Outcome::refused;
  } else if (!taken->disturbance.empty()) {
    row.outcome = Outcome::disturbed;
    row.text += "; " + taken->disturbance;
  }
  return row;
}

/// Again where the path was late, and once more where chance may have been against it.
Row proveUndisturbed(const AdviceCase& one, bool isVerbose) {
  constexpr int kMostRuns = 3;
  Row row;
  int missed = 0;
  for (int run = 0; run < kMostRuns; ++run) {
    row = prove(one, isVerbose);
    fmt::print("{:<27} {}: {}\n", one.name, row.text, name(row.outcome));
    std::fflush(stdout);
    missed += row.outcome == Outcome::missed ? 1 : 0;
    if (row.outcome != Outcome::disturbed && (row.outcome != Outcome::missed || missed > 1)) break;
  }
  return row;
}

/// Every remedy, with its result.
void printTable(const std::vector<Row>& rows) {
  int proven = 0;
  fmt::print("\n{:<22} {:<27} {}\n", "remedy", "proved by", "outcome");
  for (const RemedyRow& remedy : remedyCatalogue()) {
    bool isProven = false;
    bool isReported = false;
    for (const Row& row : rows) {
      if (row.of->remedy != remedy.id) continue;
      fmt::print("{:<22} {:<27} {}: {}\n", name(remedy.id), row.of->name, name(row.outcome), row.text);
      isReported = true;
      isProven = isProven || row.outcome == Outcome::met;
    }
    proven += isProven ? 1 : 0;
    if (isReported) continue;
    fmt::print("{:<22} {:<27} not asked for\n", name(remedy.id), "-");
  }
  for (const Row& row : rows) {
    if (!row.of->remedy) fmt::print("{:<22} {:<27} {}: {}\n", "(none)", row.of->name, name(row.outcome), row.text);
  }
  fmt::print("{} remedies, {} proven\n", remedyCatalogue().size(), proven);
}

/// Which of the cases, and how often; all of them once where nothing is said.
struct Asked {
  std::string_view part;
  std::string_view name;
  int repeat = 1;
  bool verbose = false;

  explicit Asked(std::span<char*> words) {
    for (std::size_t at = 1; at < words.size(); ++at) {
      const std::string_view word = words[at];
      if (word == "--verbose") verbose = true;
      if (at + 1 == words.size()) break;
      if (word == "--part") part = words[at + 1];
      if (word == "--only") name = words[at + 1];
      if (word == "--repeat") repeat = std::stoi(words[at + 1]);
    }
  }
  [[nodiscard]] bool selects(const AdviceCase& one) const {
    return (part.empty() || part == one.part) && (name.empty() || name == one.name);
  }
};

bool everyRemedyHasACase(const std::vector<AdviceCase>& cases) {
  const std::span<const RemedyRow> remedies = remedyCatalogue();
  return std::all_of(remedies.begin(), remedies.end(), [&](const RemedyRow& remedy) {
    return std::any_of(cases.begin(), cases.end(), [&](const AdviceCase& one) { return one.remedy == remedy.id; });
  });
}

int proof(const Asked& asked) {
  constexpr int kSkipped = 77;
  const std::vector<AdviceCase> cases = adviceCases();
  std::vector<Row> rows;
  for (int run = 0; run < asked.repeat; ++run) {
    for (const AdviceCase& one : cases) {
      if (!asked.selects(one)) continue;
      rows.push_back(proveUndisturbed(one, asked.verbose));
      if (rows.back().outcome == Outcome::noLab) return kSkipped;
    }
  }
  printTable(rows);
  const auto has = [&](Outcome outcome) {
    return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.outcome == outcome; });
  };
  if (rows.empty() || has(Outcome::missed) || !everyRemedyHasACase(cases)) return 1;
  // Not a pass while something was not judged.
  return has(Outcome::disturbed) || has(Outcome::refused) ? kSkipped : 0;
}

}  // namespace
}  // namespace tcpscope::lab

int main(int argumentCount, char** arguments) {
  if (const auto code = tcpscope::lab::runLabEngineIfAsked(argumentCount, arguments)) return *code;
  return tcpscope::lab::proof(
      tcpscope::lab::Asked(std::span<char*>(arguments, static_cast<std::size_t>(argumentCount))));
}
