// A collector on a thread of its own, with the mailbox that it takes its requests from. The destructor asks it to stop,
// and joins.
#pragma once

#include <memory>
#include <thread>

#include "app/session/request_mailbox.h"

namespace tcpscope {

class CollectorThread {
public:
  /// Does not run before start(). Fails where the process has no descriptor left.
  static Expected<std::unique_ptr<CollectorThread>, SystemError> make(std::unique_ptr<Collector> collector,
                                                                      const CollectorRequest& first);
  ~CollectorThread() = default;
  CollectorThread(const CollectorThread&) = delete;
  CollectorThread& operator=(const CollectorThread&) = delete;

  /// The sink is called on the new thread. Fails where the system gives none.
  Expected<void, SystemError> start(ObservationSink sink);
  void post(const CollectorRequest& request) { m_mailbox->post(request); }
  void requestStop() { m_thread.request_stop(); }
  void join();

private:
  CollectorThread(std::unique_ptr<Collector> collector, std::unique_ptr<RequestMailbox> mailbox)
      : m_collector(std::move(collector)), m_mailbox(std::move(mailbox)) {}
  void run(const std::stop_token& stop, const ObservationSink& sink);

  std::unique_ptr<Collector> m_collector;
  std::unique_ptr<RequestMailbox> m_mailbox;
  // Last: it stops and joins before what it works on goes.
  std::jthread m_thread;
};

}  // namespace tcpscope
