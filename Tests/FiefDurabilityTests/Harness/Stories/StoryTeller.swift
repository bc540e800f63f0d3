import FiefDurability
import FiefGraph
import FiefTestSupport

/// Tells a story to a store on a simulated disk, and notes among the disk's events what was promised on the way.
///
///     steps ──▶ StoryTeller ──▶ StoreFile ──▶ SimulatedProcess ──▶ SimulatedDisk: events, with marks
///                   └──▶ Oracle: what each version must hold
///
/// Everything that it does follows from the steps and the seed. Errors end the story, unless it `goesOn`.
final class StoryTeller {
  static let path = SimulatedDisk.folder + "/village.realm"

  let disk: SimulatedDisk
  let oracle = Oracle()
  private let barriers: Barriers
  private var random: SeededRandom
  private var number: Int32 = 1
  private(set) var process: SimulatedProcess
  private(set) var file: StoreFile?
  private var village: Village?
  /// The graph of the last commit that was appended.
  private var graph = Graph.empty
  private var version: UInt64 = 0
  /// Relaxed commits that nobody waited for yet.
  private var isFlushed = true

  init(on disk: SimulatedDisk, seed: UInt64, barriers: Barriers = .all) {
    self.disk = disk
    self.barriers = barriers
    random = SeededRandom(seed: seed)
    process = SimulatedProcess(disk)
  }

  /// The application's number of its schema, at a version.
  static func userVersion(_ version: UInt64) -> UInt64 { version / 4 }

  /// Opens the store, does the steps, and leaves it open.
  func tell(_ steps: [Step]) throws {
    try open()
    for step in steps { try tell(step) }
  }

  private func tell(_ step: Step) throws {
    switch step {
    case .commit: try commit(.full)
    case .relaxedCommit: try commit(.relaxed)
    case .flush: try flush()
    case .checkpoint(let first, let second, let third): try checkpoint(first, second, third)
    case .reopen:
      try close()
      try open()
    case .killAndReopen:
      die()
      try open()
    }
  }

  /// Opens the store, as a new process; what it then holds was seen.
  func open() throws {
    let (file, stored) = try StoreFile.open(Self.path, on: process, barriers: barriers)
    self.file = file
    guard oracle.holds(stored.graph, at: stored.version) else {
      throw StoryFault(description: "Version \(stored.version) does not hold what was committed as such.")
    }
    guard stored.userVersion == Self.userVersion(stored.version) else {
      throw StoryFault(description: "Version \(stored.version) has the application's number \(stored.userVersion).")
    }
    guard stored.version == version else {
      throw StoryFault(description: "Version \(version) was left, and \(stored.version) found.")
    }
    graph = stored.graph
    isFlushed = true
    disk.mark(.seen(stored.version))
  }

  func close() throws {
    try file?.close()
    file = nil
    disk.mark(.acknowledged(version))
    process.kill()
    nextProcess()
  }

  /// The process dies, and leaves all that it wrote.
  func die() {
    process.kill()
    file = nil
    nextProcess()
  }

  private func nextProcess() {
    number += 1
    process = SimulatedProcess(disk, number: number)
  }

  private func commit(_ durability: Durability) throws {
    guard let file else { return }
    let transaction = Transaction(graph)
    if let village { try village.change(transaction, using: &random) } else { village = try Village(in: transaction) }
    let new = transaction.graph.numbered(version + 1)
    oracle.add(new)
    disk.mark(.started(version + 1))
    try file.append(
      Delta(from: graph, to: new), version: version + 1, userVersion: Self.userVersion(version + 1))
    version += 1
    graph = new
    isFlushed = false
    if durability == .full { try flush() }
  }

  private func flush() throws {
    guard let file, !isFlushed else { return }
    try file.waitUntilDurable(version)
    disk.mark(.acknowledged(version))
    isFlushed = true
  }

  private func checkpoint(_ first: Int, _ second: Int, _ third: Int) throws {
    guard let file, version > 0,
      let checkpoint = try file.beginCheckpoint(graph, version: version, userVersion: Self.userVersion(version))
    else { return }
    do {
      for _ in 0..<first { try commit(.full) }
      try checkpoint.writeSnapshot()
      for _ in 0..<second { try commit(.relaxed) }
      try checkpoint.copyCommits()
      for _ in 0..<third { try commit(.full) }
    } catch {
      checkpoint.cancel()
      throw error
    }
    try checkpoint.finish()
    // The switch makes everything durable.
    if file.durableVersion == version {
      disk.mark(.acknowledged(version))
      isFlushed = true
    }
  }
}

/// A promise was not kept.
struct StoryFault: Error, CustomStringConvertible {
  let description: String
}
