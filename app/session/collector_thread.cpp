#include "app/session/collector_thread.h"

#include <system_error>
#include <utility>

namespace tcpscope {

Expected<std::unique_ptr<CollectorThread>, SystemError> CollectorThread::make(std::unique_ptr<Collector> collector,
                                                                              const CollectorRequest& first) {
  auto mailbox = RequestMailbox::open(first);
  if (!mailbox) return Unexpected<SystemError>(mailbox.error());
  return std::unique_ptr<CollectorThread>(new CollectorThread(std::move(collector), std::move(*mailbox)));
}

Expected<void, SystemError> CollectorThread::start(ObservationSink sink) {
  try {
    m_thread = std::jthread([this, sink = std::move(sink)](const std::stop_token& stop) { run(stop, sink); });
  } catch (const std::system_error& error) {
    return Unexpected<SystemError>({SystemAttempt::startThread, error.code().value(), {}});
  }
  return {};
}

void CollectorThread::join() {
  if (m_thread.joinable()) m_thread.join();
}

void CollectorThread::run(const std::stop_token& stop, const ObservationSink& sink) {
  const std::stop_callback wakeForStop(stop, [this] { m_mailbox->wake(); });
  m_collector->run(stop, *m_mailbox, sink);
}

}  // namespace tcpscope
