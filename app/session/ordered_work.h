// Many pieces of work on several threads, used one after the other: the same result however many threads there are.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace tcpscope {

/// As many as the machine has processors.
inline std::size_t threadsOfMachine() {
  return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

/// The threads of makeInOrder(), below: they take shares of the pieces, and the results of some shares wait for their
/// turn.
template <class Make, class Use>
class OrderedWork {
public:
  OrderedWork(std::size_t count, std::size_t threads, const Make& make, const Use& use)
      : m_count(count),
        m_make(make),
        m_use(use),
        m_share(std::clamp<std::size_t>(count / (threads * kSharesAThread), 1, kLargestShare)),
        m_shares((count + m_share - 1) / m_share),
        m_made(threads * kSharesAhead) {}

  void run(std::size_t threads) {
    std::vector<std::jthread> workers;
    for (std::size_t worker = 0; worker < threads; ++worker) workers.emplace_back([this] { make(); });
    for (std::size_t share = 0; share < m_shares; ++share) {
      std::vector<Result> results = await(share);
      for (Result& result : results) {
        if (!m_use(std::move(result))) return stop();
      }
    }
  }

private:
  using Result = decltype(std::declval<const Make&>()(std::size_t{}));
  static constexpr std::size_t kSharesAThread = 8;
  static constexpr std::size_t kLargestShare = 64;
  static constexpr std::size_t kSharesAhead = 4;

  /// Waits for the results of a share, and lets the workers go one further.
  std::vector<Result> await(std::size_t share) {
    std::unique_lock lock(m_mutex);
    std::optional<std::vector<Result>>& made = m_made[share % m_made.size()];
    m_isMade.wait(lock, [&] { return made.has_value(); });
    std::vector<Result> results = std::move(*made);
    made.reset();
    ++m_used;
    m_isUsed.notify_all();
    return results;
  }

  void stop() {
    const std::lock_guard lock(m_mutex);
    m_isStopped = true;
    m_isUsed.notify_all();
  }

  void make() {
    std::unique_lock lock(m_mutex);
    while (true) {
      m_isUsed.wait(lock, [this] { return m_isStopped || m_next == m_shares || m_next < m_used + m_made.size(); });
      if (m_isStopped || m_next == m_shares) return;
      const std::size_t share = m_next++;
      lock.unlock();
      std::vector<Result> results;
      const std::size_t end = std::min(m_count, (share + 1) * m_share);
      for (std::size_t piece = share * m_share; piece < end; ++piece) results.push_back(m_make(piece));
      lock.lock();
      m_made[share % m_made.size()] = std::move(results);
      m_isMade.notify_one();
    }
  }

  const std::size_t m_count;
  const Make& m_make;
  const Use& m_use;
  const std::size_t m_share;
  const std::size_t m_shares;
  std::mutex m_mutex;
  std::condition_variable m_isMade;
  std::condition_variable m_isUsed;
  /// By share, in turn; empty where it is not made yet.
  std::vector<std::optional<std::vector<Result>>> m_made;
  std::size_t m_next = 0;
  std::size_t m_used = 0;
  bool m_isStopped = false;
};

/// Pieces 0 to `count` - 1: `make(piece)` on `threads` threads at once, which must not change anything they share;
/// `use(result)` on the calling thread, in order, until it returns false. Of each thread 256 results at most wait.
template <class Make, class Use>
void makeInOrder(std::size_t count, std::size_t threads, const Make& make, const Use& use) {
  if (threads < 2 || count < 2) {
    for (std::size_t piece = 0; piece < count; ++piece) {
      if (!use(make(piece))) return;
    }
    return;
  }
  OrderedWork<Make, Use>(count, threads, make, use).run(threads);
}

}  // namespace tcpscope
