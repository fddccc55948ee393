// `probe --mesh`: the pairs of several hosts, measured one after the other, in a table.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/cli/connection_output.h"
#include "app/cli/interruption.h"
#include "app/cli/probe_sending.h"
#include "app/cli/resolved_host.h"
#include "app/probe/mesh_measurement.h"
#include "app/probe/probe_mesh_file.h"
#include "app/probe/ssh_listener.h"
#include "app/probe/ssh_sender.h"
#include "app/session/local_place.h"
#include "core/base/escape.h"
#include "core/present/json/probe_document.h"
#include "core/present/text/probe_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

using MeasuredPair = Expected<ProbeAnalysis, std::string>;

/// Beside its runs: what is in flight after each, and ssh twice.
constexpr Nanoseconds kBesidePairsRuns = std::chrono::seconds(6);

/// As parseProbeTarget() takes it.
std::string wordOf(const Endpoint& endpoint) {
  const std::string address = endpoint.address.toString();
  return address.find(':') == std::string::npos ? fmt::format("{}:{}", address, endpoint.port)
                                                : fmt::format("[{}]:{}", address, endpoint.port);
}

class MeshProbing {
public:
  MeshProbing(const std::vector<ProbeTarget>& targets, const ProbeOptions& options, const ProbePlan& plan)
      : m_targets(targets),
        m_plan(plan),
        m_amount{options.rate, Nanoseconds(static_cast<std::int64_t>(options.seconds * 1e9))} {}

  ProbeMesh run() {
    MeshMeans means;
    means.measure = [this](const ProbeMeshPair& pair) { return measure(pair); };
    means.now = [] { return wallNow(); };
    means.isInterrupted = [this] { return m_interruption.happened(); };
    return measureMesh(meshHosts(m_targets), means);
  }
  [[nodiscard]] bool isInterrupted() const { return m_interruption.happened(); }

private:
  MeasuredPair measure(const ProbeMeshPair& pair) {
    const ProbeTarget& to = m_targets[pair.to];
    ++m_pair;
    fmt::print(stderr, "Pair {}: {} to {}\n", m_pair,
               pair.from ? forTerminal(UntrustedText(m_targets[*pair.from].name)) : "here",
               forTerminal(UntrustedText(to.name)));
    MeasuredPair measured = to.isSsh ? measureToSsh(pair, to) : measureToListener(pair, to);
    if (!measured) fail(ExitCode::notThere, measured.error());
    return measured;
  }
  MeasuredPair measureToSsh(const ProbeMeshPair& pair, const ProbeTarget& to) {
    const auto listener = SshListener::start(to, m_interruption.wakeDescriptor());
    if (!listener) return Unexpected<std::string>(listener.error());
    return pair.from ? sendFrom(*pair.from, wordOf(listener->endpoint())) : sendFromHere(listener->endpoint(), to);
  }
  MeasuredPair measureToListener(const ProbeMeshPair& pair, const ProbeTarget& to) {
    // Its name may be another host's where it is sent from.
    if (pair.from) return sendFrom(*pair.from, to.name);
    const auto addresses = resolveHost(to.address.host);
    if (!addresses) {
      return Unexpected<std::string>(fmt::format("cannot resolve '{}'", forTerminal(UntrustedText(to.address.host))));
    }
    return sendFromHere({addresses->front(), to.port()}, to);
  }
  MeasuredPair sendFrom(std::size_t from, const std::string& listener) {
    return probeFrom(m_targets[from], listener, m_amount, m_interruption.wakeDescriptor());
  }
  MeasuredPair sendFromHere(const Endpoint& listener, const ProbeTarget& to) {
    const auto runs = sendProbe(listener, m_plan, m_interruption.wakeDescriptor());
    if (!runs) return Unexpected<std::string>(sentence(runs.error(), UntrustedText(to.name)));
    return analyzeProbe(*runs);
  }

  const std::vector<ProbeTarget>& m_targets;
  const ProbePlan& m_plan;
  ProbeAmount m_amount;
  Interruption m_interruption;
  std::size_t m_pair = 0;
};

void appendShare(TextBuffer& cell, std::optional<double> measured, std::optional<double> poisson) {
  if (!measured) return append(cell, "-");
  append(cell, formatRatio(*measured));
  if (poisson) append(cell, fmt::format(" ({})", formatRatio(*poisson)));
}

ExitCode writeMeshTable(const ProbeMesh& mesh) {
  TextTable table({{"From"}, {"To"}, {"Lost", true}, {"Within 0.01 RTT", true}, {"Within 1 RTT", true}, {"Losses"}});
  bool hasShares = false;
  for (const ProbeMeshResult& result : mesh.results) {
    const auto cell = [&](std::string_view text) {
      append(table.cell(), text);
      table.endCell();
    };
    cell(forTerminal(nameIn(mesh, result.pair.from)));
    cell(forTerminal(nameIn(mesh, result.pair.to)));
    const bool isMeasured = result.measured.has_value();
    const ProbeAnalysis analysis = isMeasured ? *result.measured : ProbeAnalysis();
    cell(analysis.lossRatio ? formatRatio(*analysis.lossRatio) : "-");
    hasShares = hasShares || analysis.withinRtt.has_value();
    appendShare(table.cell(), analysis.withinHundredthRtt, analysis.poissonWithinHundredthRtt);
    table.endCell();
    appendShare(table.cell(), analysis.withinRtt, analysis.poissonWithinRtt);
    table.endCell();
    cell(isMeasured ? shortVerdict(analysis) : "not measured: " + forTerminal(result.measured.error()));
  }
  TextBuffer out;
  table.print(out);
  out.push_back('\n');
  if (hasShares) line(out, "In brackets: of a Poisson process with the same rate.");
  const bool hasListener = std::ranges::any_of(mesh.hosts, [](const ProbeMeshHost& host) { return !host.sends; });
  line(out, "{}",
       hasListener ? "Not measured: paths to here, and from a HOST:PORT, which only receives."
                   : "Not measured: paths to here.");
  return writeOut({out.data(), out.size()});
}

}  // namespace

ExitCode probeMesh(const CommandOptions& options) {
  const auto targets = readProbeMesh(options.probe.mesh);
  if (!targets) {
    return fail(ExitCode::badInput,
                fmt::format("{}: {}", forTerminal(UntrustedText(options.probe.mesh)), targets.error()));
  }
  const auto plan = planOf(options.probe);
  if (!plan) return ExitCode::wrongUsage;
  const std::size_t pairs = pairsOf(meshHosts(*targets)).size();
  const Nanoseconds time =
      ((*plan)[0].time() + (*plan)[1].time() + kBesidePairsRuns) * static_cast<std::int64_t>(pairs);
  fmt::print(stderr, "Probing {} hosts, {} pairs one after the other, about {} in all. Each pair: {}\n",
             targets->size(), pairs, formatTime(toSeconds(time)), amountText(*plan));
  const WallTime start = wallNow();
  MeshProbing probing(*targets, options.probe, *plan);
  const ProbeMesh mesh = probing.run();
  const ExitCode written = options.json ? writeOut(toJson(mesh, start)) : writeMeshTable(mesh);
  if (written != ExitCode::done) return written;
  if (probing.isInterrupted()) return fail(ExitCode::systemFailed, "interrupted; the mesh is incomplete");
  const bool isWhole = std::ranges::all_of(mesh.results, [](const ProbeMeshResult& result) {
    return result.measured && result.measured->verdict != ProbeVerdict::rejected;
  });
  return isWhole ? ExitCode::done : ExitCode::notThere;
}

}  // namespace tcpscope
