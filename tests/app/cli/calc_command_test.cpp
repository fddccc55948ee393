// `calc` as a user runs it: the figures of the papers, their units, and what cannot be.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/present/json/calc_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using CalcWords = std::vector<std::string>;

test::Outcome runCalc(CalcWords words) {
  words.insert(words.begin(), "calc");
  return test::runCommandLine(std::move(words));
}

/// The result in the document.
nlohmann::json calcResult(CalcWords words) {
  words.emplace_back("--json");
  const test::Outcome outcome = runCalc(std::move(words));
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(test::conformsTo(calcSchema(), outcome.out));
  return nlohmann::json::parse(outcome.out).at("result");
}

TEST(CalcCommand, PrintsResultEquationAndSource) {
  const test::Outcome outcome = runCalc({"mathis", "--rtt", "20ms", "--loss", "0.1%"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(outcome.out.find("At most 22.4 Mbit/s"), 0U) << outcome.out;
  for (const char* const part : {"CUBIC", "equation", "source", "Mathis", "assumes", "not valid", "BBR"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << '\n' << outcome.out;
  }
}

TEST(CalcCommand, GivesTheLossBudgetOfTheWeb100Paper) {
  const nlohmann::json result = calcResult({"loss-budget", "--rate", "411Mbit", "--rtt", "20ms", "--mss", "1460"});
  EXPECT_NEAR(result.at("as_printed").at("loss_event_ratio").get<double>(), 2.019e-6, 0.001e-6);
  const nlohmann::json printed =
      calcResult({"loss-budget", "--rate", "411Mbit", "--rtt", "20ms", "--mss", "1460", "--constant", "1"});
  EXPECT_EQ(printed.at("loss_event_ratio"), result.at("as_printed").at("loss_event_ratio"));
}

TEST(CalcCommand, TakesTheUnitsOfFilters) {
  const double rate = calcResult({"mathis", "--rtt", "20ms", "--loss", "0.1%"}).at("mathis_rate_bps").get<double>();
  for (const CalcWords& words :
       {CalcWords{"mathis", "--rtt", "0.02s", "--loss", "0.001"}, CalcWords{"mathis", "--rtt=20000", "--loss=0.001"}}) {
    EXPECT_DOUBLE_EQ(calcResult(words).at("mathis_rate_bps").get<double>(), rate);
  }
  EXPECT_EQ(calcResult({"window", "--rtt", "20ms", "--window", "64KiB"}).at("rate_bps"), 26'214'400);
}

TEST(CalcCommand, AssumesTheTimeoutOfLinux) {
  const nlohmann::json usual = calcResult({"pftk", "--rtt", "20ms", "--loss", "3%"});
  const nlohmann::json stated = calcResult({"pftk", "--rtt", "20ms", "--loss", "3%", "--rto", "220ms"});
  EXPECT_DOUBLE_EQ(usual.at("pftk_rate_bps").get<double>(), stated.at("pftk_rate_bps").get<double>());
}

TEST(CalcCommand, ComparesMtusWithAndWithoutAPath) {
  EXPECT_NEAR(calcResult({"mtu"}).at("growth").get<double>(), 6.18, 0.005);
  const nlohmann::json result =
      calcResult({"mtu", "--mtu", "4470", "--rtt", "20ms", "--loss", "0.1%", "--rate", "1Gbit"});
  EXPECT_GT(result.at("proposed").at("mathis_rate_bps").get<double>(),
            3.0 * result.at("current").at("mathis_rate_bps").get<double>());
  EXPECT_NEAR(result.at("current").at("packets_per_s").get<double>(), 83'333.3, 0.1);
}

struct WrongFigure {
  CalcWords words;
  const char* named;
};

TEST(CalcCommand, RefusesWhatCannotBeInOneLineThatNamesIt) {
  const std::vector<WrongFigure> wrong = {
      {{}, "'calc' needs a command; use one of mathis, pftk, loss-budget, mtu, window"},
      {{"reno"}, "has no command 'reno'"},
      {{"mathis", "--loss", "1%"}, "--rtt is required"},
      {{"mathis", "--rtt", "20ms", "--loss", "101%"}, "--loss: takes a share above 0 and up to 100%"},
      {{"mathis", "--rtt", "20ms", "--loss", "0"}, "--loss"},
      {{"mathis", "--rtt", "20ms", "--loss=-1%"}, "--loss"},
      {{"mathis", "--rtt", "20ms", "--loss", "nan"}, "--loss"},
      {{"mathis", "--rtt", "0ms", "--loss", "1%"}, "--rtt"},
      {{"mathis", "--rtt", "20 parsecs", "--loss", "1%"}, "not '20 parsecs'"},
      {{"mathis", "--rtt", "1e9999s", "--loss", "1%"}, "--rtt"},
      {{"mathis", "--rtt", "20ms", "--loss", "1%", "--mss", "65536"}, "--mss"},
      {{"mathis", "--rtt", "20ms", "--loss", "1%", "--constant", "0"}, "--constant"},
      {{"loss-budget", "--rtt", "20ms", "--rate", "unlimited"}, "--rate: takes a rate"},
      {{"mtu", "--mtu", "67"}, "--mtu"},
      {{"mtu", "--rtt", "20ms"}, "--loss"},
      {{"window", "--rtt", "20ms"}, "--window"},
      {{"window", "--rtt", "20ms", "--rate", "1Mbit", "--window", "64KiB"}, "--rate"},
  };
  for (const WrongFigure& one : wrong) {
    const test::Outcome outcome = runCalc(one.words);
    EXPECT_EQ(outcome.code, 2) << one.named;
    EXPECT_EQ(outcome.out, "") << one.named;
    EXPECT_TRUE(test::isOneLine(outcome.error)) << outcome.error;
    EXPECT_NE(outcome.error.find(one.named), std::string::npos) << outcome.error;
  }
}

TEST(CalcCommand, KeepsControlCharactersOutOfItsRefusal) {
  const test::Outcome outcome = runCalc({"mathis", "--loss", "1%", "--rtt", "\x1b[31m20ms"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.error.find('\x1b'), std::string::npos);
}

TEST(CalcCommand, StaysFiniteAtTheEdges) {
  for (const CalcWords& words :
       {CalcWords{"mathis", "--rtt", "1us", "--loss", "0.0000000001%", "--mss", "65495"},
        CalcWords{"mathis", "--rtt", "1h", "--loss", "100%", "--mss", "48"},
        CalcWords{"pftk", "--rtt", "1us", "--loss", "0.0000000001%", "--rto", "1us"},
        CalcWords{"loss-budget", "--rate", "1bit", "--rtt", "1us"},
        CalcWords{"loss-budget", "--rate", "999Tbit", "--rtt", "1h", "--mss", "48"},
        CalcWords{"mtu", "--mtu", "68", "--current-mtu", "65535", "--rate", "1bit"},
        CalcWords{"window", "--rate", "999Tbit", "--rtt", "1h"}, CalcWords{"window", "--window", "1", "--rtt", "1h"}}) {
    const test::Outcome outcome = runCalc(words);
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    for (const char* const none : {"inf", "nan", "unlimited", "not known"}) {
      EXPECT_EQ(outcome.out.find(none), std::string::npos) << outcome.out;
    }
    calcResult(words);
  }
}

}  // namespace
}  // namespace tcpscope
