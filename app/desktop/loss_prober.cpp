#include "app/desktop/loss_prober.h"

#include <fmt/format.h>
#include <unistd.h>

#include <QStringList>
#include <QTimer>

#include "app/probe/probe_sender.h"
#include "app/probe/probe_target.h"
#include "app/remote/program_output.h"
#include "core/base/escape.h"
#include "core/present/json/probe_document.h"
#include "core/present/text/probe_text.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMostErrorBytes = 65'536;
constexpr int kEndTimeMs = 2000;

}  // namespace

LossProber::~LossProber() {
  stop();
}

void LossProber::start(const ProbeRequest& request) {
  if (m_state.isRunning()) return;
  // One that was cancelled may still be ending.
  if (m_process) m_process->kill();
  stop();
  m_state = {};
  m_state.target = forPlainText(UntrustedText(request.target));
  m_output.clear();
  m_errors.clear();
  m_sending.invalidate();
  // What is none might be taken for an option.
  if (const auto target = parseProbeTarget(request.target); !target) return fail(target.error());
  const auto plan = probePlan(request.rate, request.time);
  if (!plan) return fail("this rate and time cannot be measured");
  m_state.phase = ProbePhase::connecting;
  m_state.total = (*plan)[0].time() + (*plan)[1].time() + 2 * kProbeLastArrivals;
  m_process = std::make_unique<QProcess>();
  // ssh asks in a window: this program's terminal may be out of sight.
  m_process->setChildProcessModifier([] { setsid(); });
  QObject::connect(m_process.get(), &QProcess::readyReadStandardOutput, m_process.get(), [this] { read(); });
  QObject::connect(m_process.get(), &QProcess::readyReadStandardError, m_process.get(), [this] { read(); });
  QObject::connect(m_process.get(), &QProcess::finished, m_process.get(), [this] { finish(); });
  QObject::connect(m_process.get(), &QProcess::errorOccurred, m_process.get(), [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) fail("cannot start tcpscope-cli: " + m_process->errorString().toStdString());
  });
  const QStringList words = {
      QStringLiteral("probe"),       QString::fromStdString(request.target),
      QStringLiteral("--rate"),      QString::fromStdString(fmt::format("{:.0f}bit", request.rate.value())),
      QStringLiteral("--for"),       QString::fromStdString(fmt::format("{:.3f}", toSeconds(request.time))),
      QStringLiteral("--until-eof"), QStringLiteral("--json")};
  m_process->start(QString::fromStdString(m_commandLine), words);
}

void LossProber::cancel() {
  if (!m_state.isRunning()) return;
  m_state.phase = ProbePhase::cancelled;
  m_process->closeWriteChannel();
  // A name that is being resolved does not hear it.
  QTimer::singleShot(kEndTimeMs, m_process.get(), &QProcess::kill);
}

ProbeState LossProber::state() {
  if (m_sending.isValid()) m_state.elapsed = Milliseconds(m_sending.elapsed());
  return m_state;
}

void LossProber::read() {
  m_output += m_process->readAllStandardOutput().toStdString();
  m_errors += m_process->readAllStandardError().toStdString();
  if (m_output.size() > kMostProbeDocumentBytes || m_errors.size() > kMostErrorBytes) return m_process->kill();
  if (m_state.phase != ProbePhase::connecting) return;
  const bool isSending = m_errors.starts_with("Probing ") || m_errors.find("\nProbing ") != std::string::npos;
  if (!isSending) return;
  m_state.phase = ProbePhase::sending;
  m_sending.start();
}

void LossProber::finish() {
  read();
  m_sending.invalidate();
  if (!m_state.isRunning()) return;
  if (auto analysis = parseProbe(m_output)) {
    m_state.phase = ProbePhase::done;
    m_state.analysis = std::make_shared<const ProbeAnalysis>(std::move(*analysis));
    return;
  }
  const std::string sentence = lastSentenceIn(m_errors);
  fail(sentence.empty() ? "tcpscope-cli ended without a measurement" : sentence);
}

void LossProber::fail(std::string notice) {
  m_state.phase = ProbePhase::failed;
  m_state.notice = std::move(notice);
}

void LossProber::stop() {
  if (!m_process) return;
  m_process->disconnect();
  if (m_process->state() != QProcess::NotRunning) {
    m_process->closeWriteChannel();
    if (!m_process->waitForFinished(kEndTimeMs)) {
      m_process->kill();
      m_process->waitForFinished(kEndTimeMs);
    }
  }
  m_process.reset();
}

}  // namespace tcpscope
