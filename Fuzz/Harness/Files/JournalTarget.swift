import FiefDurability
import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation

/// Feeds an input to the journal reader, as a journal behind a valid snapshot.
///
///     first byte even    the rest follows a valid header
///     first byte odd     the rest is payloads, each after its length in two bytes, which become valid records
///     bit 1 of it        the journal is encrypted
///
/// For any input, reading must end in one of the four ways. A record must be an error or the canonical form of a
/// change. A change must be refused or lead to a sound graph.
public struct JournalTarget: FuzzTarget {
  static let header = JournalHeader(store: SnapshotTarget.header.store, generation: 3, base: 17)

  /// The graph of the snapshot, with a bit of everything.
  public static let base: Graph = {
    do {
      return try HarnessGraph.make()
    } catch {
      fatalError("The graph of the harness cannot be made: \(error)")
    }
  }()

  /// The target.
  public init() {}

  /// The name of the target.
  public let name = "journals"
  /// The work of the target.
  public let purpose = "bytes of journal files behind a good snapshot"

  /// A byte that says how the rest is read, then bytes.
  public func layout(of input: [UInt8]) -> InputLayout { InputLayout(header: 1, step: 1, limit: 2048) }

  /// The bytes themselves.
  public func decode(_ input: [UInt8]) -> [UInt8] { input }

  /// The calls that read the bytes.
  public func steps(_ input: [UInt8]) -> [String] {
    let key = Self.key(input) == nil ? "" : ", key: key"
    var lines = ["var writer = JournalWriter(header\(key))", "var bytes = writer.headerBytes"]
    func text(_ bytes: some Sequence<UInt8>) -> String { "[\(bytes.map { "\($0)" }.joined(separator: ", "))]" }
    if input.first.map({ $0 & 1 == 0 }) ?? true {
      lines.append("bytes += \(text(input.dropFirst()))")
    } else {
      for payload in RecordPayloads.of(input) {
        lines.append("bytes += writer.commit(sealing: \(text(payload)), durableTo: writer.lastCommit)")
      }
    }
    return lines + ["var scanner = try JournalScanner(bytes\(key))"]
  }

  /// A journal of changes of the base graph, with a few bytes changed.
  public func sample(_ random: inout SeededRandom) -> [UInt8] {
    let isRaw = random.bool()
    let mode: UInt8 = random.below(4) == 0 ? 2 : 0
    var (raw, payloads): ([UInt8], [UInt8]) = ([mode], [mode | 1])
    var writer = JournalWriter(Self.header, key: Self.key(raw))
    var graph = Self.base
    for _ in 0..<1 + random.below(4) {
      let next = HarnessGraph.changed(graph, &random)
      let delta = Delta(from: graph, to: next)
      if isRaw {
        raw += try! writer.commit(delta, userVersion: 5, durableTo: writer.lastCommit)
      } else {
        let payload = ([5] + DeltaCodec.encode(delta)).changed(random.below(3), &random)
        payloads += [UInt8(payload.count & 255), UInt8(payload.count >> 8 & 255)] + payload
      }
      graph = next
    }
    if isRaw, random.bool() { raw += try! writer.seal() }
    return isRaw ? raw.changed(random.below(3), &random) : payloads
  }

  /// The key of the journal of an input; nil for a plain one.
  private static func key(_ input: [UInt8]) -> FileKey? { input.first.map { $0 & 2 == 0 } ?? true ? nil : Sealing.key }

  /// Reads the bytes.
  public func run(_ input: [UInt8]) throws { try changes(input) }

  /// Runs an input.
  ///
  /// - Returns: the number of changes that were applied.
  @discardableResult
  public func changes(_ input: [UInt8]) throws -> Int {
    guard let mode = input.first else { return 0 }
    let key = Self.key(input)
    var writer = JournalWriter(Self.header, key: key)
    var bytes = writer.headerBytes
    if mode & 1 == 0 {
      bytes.append(contentsOf: input.dropFirst())
    } else {
      for payload in RecordPayloads.of(input) {
        bytes += try payload.withUnsafeBytes { try writer.commit(sealing: $0, durableTo: writer.lastCommit) }
      }
    }
    return try bytes.withUnsafeBytes { try read($0, key) }
  }

  private func read(_ bytes: UnsafeRawBufferPointer, _ key: FileKey?) throws -> Int {
    guard var scanner = try? JournalScanner(bytes, key: key) else { return 0 }
    var graph = Self.base
    var applied = 0
    var copy = JournalWriter(Self.header, key: key).headerBytes
    var payloads: [[UInt8]] = []
    while let record = scanner.next(bytes) {
      copy.append(contentsOf: bytes[record.range])
      payloads.append(Array(record.payload(in: [UInt8](bytes))))
      guard let change = try? record.change(in: bytes) else { continue }
      var payload = JournalWriter(Self.header)
      let again = try payload.commit(change.delta, userVersion: change.userVersion, durableTo: Self.header.base)
      let contents = record.payload(in: [UInt8](bytes))
      try expect(
        again[40..<40 + contents.count].elementsEqual(contents),
        "A record is accepted that would be written otherwise.")
      guard let next = try? graph.applying(change.delta) else { continue }
      if let fault = next.checkInvariants().first { throw Finding("A change leads to an unsound graph: \(fault)") }
      // The difference of the two versions is the change, whatever way it was written.
      let found = try? graph.applying(Delta(from: graph, to: next))
      try expect(found == next, "The difference of two versions leads to another version.")
      graph = next
      applied += 1
    }
    if key != nil {
      try BoundParts.check { key, generation in
        var writer = JournalWriter(
          JournalHeader(store: Self.header.store, generation: generation, base: Self.header.base), key: key)
        for payload in payloads {
          _ = try payload.withUnsafeBytes { try writer.commit(sealing: $0, durableTo: writer.lastCommit) }
        }
        _ = try writer.seal()
      }
    }
    try expect(scanner.end != nil, "A journal does not end.")
    try expect(
      copy.count == scanner.length && copy.elementsEqual(bytes.prefix(scanner.length)),
      "The records of a journal are not its bytes.")
    return applied
  }
}
