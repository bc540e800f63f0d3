import FiefDurability
import FiefGraph
import Foundation

/// A store whose process is forked while it is open.
///
///     parent   opens, commits 1 ─┬─ (waits for the child) ─ commits 2 … holds until standard input ends ─ closes
///     child                      └─ tries to commit, closes, and ends; or stays, with a copy of every descriptor
///
/// The child does only what a forked process may do: it uses no other thread.
struct Forking {
  let path: String
  /// Whether the child stays after its output until it is killed.
  let isStaying: Bool

  func run() throws {
    let (file, stored) = try StoreFile.open(path)
    var graph = try commit(file, stored.graph)
    guard let fork = Self.fork else { return say("failed: there is no fork") }
    let next = try Diary.next(after: graph)
    let delta = Delta(from: graph, to: next)
    let child = fork()
    if child == 0 { beChild(file, delta, next.version) }
    guard child > 0 else { return say("failed: could not fork, \(errno)") }
    if !isStaying {
      var status: Int32 = 0
      waitpid(child, &status, 0)
    }
    graph = try commit(file, graph)
    say("parent \(child)")
    while readLine() != nil {}
    try file.close()
    say("closed")
  }

  private func commit(_ file: StoreFile, _ graph: Graph) throws -> Graph {
    let next = try Diary.next(after: graph)
    try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: 0)
    say("durable \(next.version)")
    return next
  }

  private func beChild(_ file: StoreFile, _ delta: Delta, _ version: UInt64) -> Never {
    do throws(StoreError) {
      try file.commit(delta, version: version, userVersion: 0)
      say("child committed")
    } catch {
      say("child refused \(error.code) \(error.holder ?? 0)")
    }
    if isStaying {
      while true { sleep(1) }
    }
    do throws(StoreError) {
      try file.close()
      say("child closed")
    } catch {
      say("child could not close: \(error)")
    }
    _exit(0)
  }

  /// `fork(2)`, which Swift hides because the child loses all other threads. No other threads exist yet: the store has
  /// made no checkpoint.
  fileprivate static let fork: (@convention(c) () -> Int32)? =
    dlsym(nil, "fork").map { unsafeBitCast($0, to: (@convention(c) () -> Int32).self) }
}

/// A shared store whose process wants to know of the commits of others, and is forked.
///
///     parent   opens, watches ─┬─ (waits for the child) ─ holds until standard input ends ─ says whether it was woken
///     child                    └─ closes, and ends
struct ForkingWhileWatching {
  let path: String

  func run() throws {
    let file = try StoreFile.open(path, sharingWithin: 60_000).file
    try file.share()
    let (looks, news) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    file.whenOthersCommit { [weak file] in
      if (try? file?.lookForCommits(waitingFor: 1000)) == true { news.signal() }
      looks.signal()
    }
    // After the first look no thread uses the store until another process comes.
    looks.wait()
    guard let fork = Forking.fork else { return say("failed: there is no fork") }
    let child = fork()
    if child == 0 {
      try file.close()
      say("child closed")
      _exit(0)
    }
    guard child > 0 else { return say("failed: could not fork, \(errno)") }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    say("parent \(child)")
    while readLine() != nil {}
    say(news.wait(timeout: .now() + 1_800) == .success ? "news" : "no news")
    try file.close()
    say("closed")
  }
}
