import FiefDurability
import FiefGraph
import FiefTestSupport

/// A journal that random transactions wrote, with the graph after each, for tests that damage it.
struct JournalStage {
  let header: JournalHeader
  /// The graph before the first commit of the journal.
  let base: Graph
  /// The graph after each commit, beginning with the base.
  private(set) var states: [Graph]
  /// The bytes of each record.
  private(set) var records: [[UInt8]] = []
  private(set) var writer: JournalWriter
  private let key: FileKey?

  /// A journal of `commits` small commits. The durable-to of each lags by up to `lag`.
  init(
    seed: Seed, commits: Int, lag: UInt64 = 0, operations: Int = 3, header: JournalHeader = Fixed.journal,
    key: FileKey? = nil
  ) throws {
    var store = try RandomStore(seed: seed)
    var random = seed.random
    for _ in 0..<4 { _ = try store.step() }
    self.header = header
    base = store.graph
    states = [base]
    writer = JournalWriter(header, key: key)
    self.key = key
    for _ in 0..<commits {
      let delta = try store.step(operations: operations)
      let behind = lag == 0 ? 0 : UInt64(random.below(Int(lag) + 1))
      let durableTo = writer.lastCommit - min(behind, writer.lastCommit - header.base)
      let time = Self.time(writer.lastCommit)
      records.append(try writer.commit(delta, userVersion: 5, durableTo: durableTo, time: time))
      states.append(store.graph)
    }
  }

  /// When a version was replaced.
  static func time(_ version: UInt64) -> UInt64 { 1_800_000_000_000 + version * 1000 }

  /// The history that leads back from the last commit to the base.
  var history: [UInt8] {
    var history = HistoryWriter(
      HistoryHeader(
        store: header.store, generation: header.generation, version: writer.lastCommit, oldest: header.base),
      key: key)
    var bytes = history.headerBytes
    for (old, new) in zip(states, states.dropFirst()).reversed() {
      bytes += try! history.version(Delta(from: new, to: old), time: Self.time(history.lastVersion - 1))
    }
    return bytes
  }

  /// The file before closing.
  var open: [UInt8] { writer.headerBytes + records.joined() }

  /// The file after it was closed in order.
  var sealed: [UInt8] {
    var writer = writer
    return try! open + writer.seal()
  }
}

/// The result of reading a history.
struct HistoryReading {
  let header: HistoryHeader
  /// The records' versions, and the times at which they were replaced.
  private(set) var versions: [UInt64] = []
  private(set) var times: [UInt64] = []
  /// The graphs from the given one back.
  private(set) var states: [Graph] = []
  let fault: CodecError?

  /// Reads a whole history, and applies its changes to `graph` if there is one.
  init(_ bytes: [UInt8], on graph: Graph? = nil) throws {
    var (versions, times, states) = ([UInt64](), [UInt64](), graph.map { [$0] } ?? [])
    let scanner = try bytes.withUnsafeBytes { raw in
      var scanner = try HistoryScanner(raw, key: SimulatedDisk.usualKey)
      while let record = scanner.next(raw) {
        versions.append(record.version)
        times.append(record.time)
        if let last = states.last { states.append(try last.applying(record.delta(in: raw))) }
      }
      return scanner
    }
    (header, fault) = (scanner.header, scanner.fault)
    (self.versions, self.times, self.states) = (versions, times, states)
  }
}

/// The result of reading a journal.
struct JournalReading {
  /// The number of commits.
  var commits = 0
  /// How the journal ended; nil if the header was refused.
  var end: JournalEnd?
  var refusal: CodecError?
  /// The graph after each commit, if a base was given.
  var states: [Graph] = []

  /// Reads a whole journal, and applies its changes to `base` if there is one.
  init(_ bytes: [UInt8], on base: Graph? = nil) throws {
    try bytes.withUnsafeBytes { bytes in
      var scanner: JournalScanner
      do throws(CodecError) {
        scanner = try JournalScanner(bytes, key: SimulatedDisk.usualKey)
      } catch {
        refusal = error
        return
      }
      if let base { states = [base] }
      while let record = scanner.next(bytes) {
        guard record.kind == .commit else { continue }
        commits += 1
        if let last = states.last { states.append(try last.applying(record.change(in: bytes).delta)) }
      }
      end = scanner.end
    }
  }

  var isDamaged: Bool {
    if case .damaged = end { return true }
    return refusal != nil
  }

  var isTorn: Bool {
    if case .torn = end { return true }
    return false
  }
}
