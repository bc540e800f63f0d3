import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation

/// Runs a story on a store on a simulated disk, and marks its guarantees among the disk's events.
///
///     steps ──▶ StoryTeller ──▶ StoreFile ──▶ SimulatedProcess ──▶ SimulatedDisk: events, with marks
///                   └──▶ Oracle: what each version must hold
///
/// The steps and the seed determine everything that it does. An error of the store ends the story, unless it `goesOn`:
/// then it does what a user would do. It keeps using a store that still takes commits. Otherwise it closes the store,
/// repairs the disk if necessary, and another process opens the store again.
final class StoryTeller {
  static let path = SimulatedDisk.folder + "/village.realm"

  let disk: SimulatedDisk
  let oracle = Oracle()
  private let weakness: Weakness?
  private var random: SeededRandom
  private var number: Int32 = 1
  private(set) var process: SimulatedProcess
  private(set) var file: StoreFile?
  private var village: Village?
  /// The graph of the last appended commit.
  private var graph = Graph.empty
  private var version: UInt64 = 0
  /// Whether all relaxed commits were waited for.
  private var isFlushed = true
  /// The last version that was acknowledged or returned, and the last that was begun.
  private var (owed, started): (UInt64, UInt64) = (0, 0)
  private let goesOn: Bool
  private let isBehind: Bool
  /// The number of portions that were written behind, and of commits that were made meanwhile.
  private(set) var (portions, commitsMeanwhile) = (0, 0)
  /// The seed of the store, if an opening creates it.
  private var seed: StoredVersion?
  /// The errors after which it continued.
  private(set) var errors: [StoreError] = []

  /// Begins a story.
  ///
  /// - Parameters:
  ///   - weakness: The weakness of the file system, if it has one.
  ///   - goesOn: Whether it continues after errors.
  ///   - isBehind: Whether new files are written behind their writers, with commits between their portions.
  init(
    on disk: SimulatedDisk, seed: UInt64, weakness: Weakness? = nil, goesOn: Bool = false, isBehind: Bool = false
  ) {
    self.disk = disk
    self.weakness = weakness
    self.goesOn = goesOn
    self.isBehind = isBehind
    random = SeededRandom(seed: seed)
    process = SimulatedProcess(disk, behind: isBehind ? SimulatedBehind(seed: random.next()) : nil)
  }

  /// Makes a graph version 1 of the store: from an existing copy, or from a seed.
  func begin(with graph: Graph, isThere: Bool) {
    oracle.add(graph, at: disk.events.count)
    started = 1
    disk.mark(.started(1))
    if isThere {
      version = 1
      promise(.acknowledged(1))
    } else {
      seed = StoredVersion(store: UUID(), graph: graph, userVersion: 0, state: .created)
    }
  }

  /// The application's schema number at a version.
  static func userVersion(_ version: UInt64) -> UInt64 { version / 4 }

  /// Opens the store, performs the steps, and leaves it open.
  func tell(_ steps: [Step]) throws {
    try goingOn { try open() }
    for step in steps { try goingOn { try tell(step) } }
  }

  /// Runs `body`; continues after an error if `goesOn` is true.
  private func goingOn(_ body: () throws -> Void) throws {
    do { try body() } catch let error as StoreError where goesOn {
      errors.append(error)
      if let file {
        if file.refusal == nil { return }
        try expectRefusal(file)
        try? file.close()
      }
      die()
      do { try open() } catch is StoreError {
        die()
        // The faults of the disk are repaired now.
        disk.faults = []
        try open()
      }
    }
  }

  /// Checks that a store that takes no commits throws.
  private func expectRefusal(_ file: StoreFile) throws {
    do throws(StoreError) {
      try file.append(Delta(), version: file.version + 1, userVersion: 0)
    } catch {
      if error.code == .storeIsReadOnly || error.code == .closed { return }
      throw StoryFault(description: "A store that takes no commits refused one by \(error)")
    }
    throw StoryFault(description: "A store that takes no commits took one.")
  }

  private func tell(_ step: Step) throws {
    switch step {
    case .commit: try commit(.full)
    case .relaxedCommit: try commit(.relaxed)
    case .flush: try flush()
    case .checkpoint(let first, let second, let third): try checkpoint(first, second, third)
    case .rest(let rounds): for _ in 0..<rounds { process.passTime() }
    case .reopen:
      try close()
      try open()
    case .killAndReopen:
      die()
      try open()
    }
  }

  /// Opens the store as a new process, and marks its version as seen.
  func open() throws {
    var asked: StoreFile.Seed?
    if let seed { asked = { () throws(StoreError) in seed } }
    let (file, stored) = try StoreFile.open(Self.path, seed: asked, on: WeakSystem.on(process, weakness))
    self.file = file
    guard oracle.holds(stored.graph, at: stored.version, moment: disk.events.count) else {
      throw StoryFault(description: "Version \(stored.version) does not hold what was committed as such.")
    }
    guard stored.userVersion == Self.userVersion(stored.version) else {
      throw StoryFault(description: "Version \(stored.version) has the application's number \(stored.userVersion).")
    }
    guard (errors.isEmpty ? version : owed)...started ~= stored.version else {
      throw StoryFault(description: "Versions \(owed) to \(started) were left, and \(stored.version) found.")
    }
    oracle.removeAll(after: stored.version, at: disk.events.count)
    graph = stored.graph
    version = stored.version
    started = version
    isFlushed = true
    promise(.seen(version))
  }

  func close() throws {
    try file?.close()
    promise(.acknowledged(version))
    die()
  }

  /// Kills the process, which leaves all its writes.
  func die() {
    process.kill()
    file = nil
    nextProcess()
  }

  private func nextProcess() {
    number += 1
    portions += process.behind?.done ?? 0
    process = SimulatedProcess(
      disk, number: number, behind: isBehind ? SimulatedBehind(seed: random.next()) : nil)
  }

  private func commit(_ durability: Durability) throws {
    guard let file else { return }
    let transaction = Transaction(graph)
    if version > 0, let village {
      try village.change(transaction, using: &random)
    } else {
      village = try Village(in: transaction)
      // A snapshot of several blocks, in every other story.
      if isBehind && random.bool() { try village?.addLongTexts(transaction) }
    }
    let new = transaction.graph.numbered(version + 1)
    oracle.add(new, at: disk.events.count)
    started = version + 1
    disk.mark(.started(started))
    do throws(StoreError) {
      try file.append(Delta(from: graph, to: new), version: started, userVersion: Self.userVersion(started))
    } catch {
      if error.code != .commitOutcomeUnknown {
        oracle.removeAll(after: version, at: disk.events.count)
        started = version
        disk.mark(.refused(version + 1))
      }
      throw error
    }
    version += 1
    graph = new
    isFlushed = false
    if durability == .full { try flush() }
  }

  private func flush() throws {
    guard let file, !isFlushed else { return }
    try file.waitUntilDurable(version)
    promise(.acknowledged(version))
    isFlushed = true
  }

  private func promise(_ mark: DiskEvent.Mark) {
    disk.mark(mark)
    owed = version
  }

  private func checkpoint(_ first: Int, _ second: Int, _ third: Int) throws {
    guard let file, version > 0,
      let checkpoint = try file.beginCheckpoint(graph, version: version, userVersion: Self.userVersion(version))
    else { return }
    do {
      for _ in 0..<first { try commit(.full) }
      try writeSnapshot(checkpoint)
      for _ in 0..<second { try commit(.relaxed) }
      try checkpoint.copyCommits()
      for _ in 0..<third { try commit(.full) }
    } catch {
      checkpoint.cancel()
      throw error
    }
    try checkpoint.finish()
    // The switch makes all commits durable.
    if file.durableVersion == version {
      promise(.acknowledged(version))
      isFlushed = true
    }
  }
}

extension StoryTeller {
  /// Writes a snapshot. If it is written behind, commits arrive between its portions.
  private func writeSnapshot(_ checkpoint: Checkpoint) throws {
    var failure: (any Error)?
    process.behind?.meanwhile = { [self] in
      guard failure == nil, random.below(3) == 0 else { return }
      do {
        try commit(random.bool() ? .full : .relaxed)
        commitsMeanwhile += 1
      } catch {
        failure = error
      }
    }
    defer { process.behind?.meanwhile = nil }
    try checkpoint.writeSnapshot()
    if let failure { throw failure }
  }
}

/// A broken guarantee.
struct StoryFault: Error, CustomStringConvertible {
  let description: String
}
