import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation

/// Feeds an input to the history reader, as a history that leads back from a valid snapshot.
///
///     byte 0 even    the rest follows a valid header
///     byte 0 odd     the rest is payloads, each after its length in two bytes, which become valid records
///     byte 0 / 2     the number of versions that a header names, if the rest follows it
///     byte 0 & 32    the files are encrypted
///
/// For any input, reading ends with the last version or a fault. A record is an error or the canonical form of a
/// change. A change is refused or leads to a sound graph. A store that is read finds the same versions, and says what
/// is lost.
struct HistoryTarget: FuzzTarget {
  let name = "histories"
  let purpose = "bytes of history files beside a good snapshot"

  /// The graph of the snapshot.
  private static let latest = JournalTarget.base.numbered(SnapshotTarget.header.version)

  func layout(of input: [UInt8]) -> InputLayout { InputLayout(header: 1, step: 1, limit: 2048) }

  func decode(_ input: [UInt8]) -> [UInt8] { input }

  func steps(_ input: [UInt8]) -> [String] {
    func text(_ bytes: some Sequence<UInt8>) -> String { "[\(bytes.map { "\($0)" }.joined(separator: ", "))]" }
    let key = Self.key(input) == nil ? "" : ", key: key"
    var lines = ["var writer = HistoryWriter(header\(key))", "var bytes = writer.headerBytes"]
    if Self.isRaw(input) {
      lines.append("bytes += \(text(input.dropFirst()))")
    } else {
      for payload in RecordPayloads.of(input) {
        lines.append("bytes += writer.version(copying: \(text(payload)), time: 0)")
      }
    }
    return lines + ["var scanner = try HistoryScanner(bytes\(key))"]
  }

  /// A history of changes of the base graph, with a few bytes changed.
  func sample(_ random: inout SeededRandom) -> [UInt8] {
    let isRaw = random.bool()
    let count = 1 + random.below(4)
    var bytes: [UInt8] = [(isRaw ? UInt8(count * 2) : 1) | (random.below(4) == 0 ? 32 : 0)]
    var writer = HistoryWriter(Self.header(count), key: Self.key(bytes))
    var graph = Self.latest
    for number in 0..<count {
      let older = HarnessGraph.changed(graph, &random)
      let delta = Delta(from: graph, to: older)
      if isRaw {
        bytes += try! writer.version(delta, time: Self.time(number))
      } else {
        let payload = DeltaCodec.encode(delta).changed(random.below(3), &random)
        bytes += [UInt8(payload.count & 255), UInt8(payload.count >> 8 & 255)] + payload
      }
      graph = older
    }
    return isRaw && random.bool() ? [bytes[0]] + Array(bytes.dropFirst()).changed(1 + random.below(2), &random) : bytes
  }

  func run(_ input: [UInt8]) throws {
    let key = Self.key(input)
    var bytes: [UInt8]
    if Self.isRaw(input) {
      bytes = HistoryWriter(Self.header(Int(input.first ?? 0) / 2 % 16), key: key).headerBytes + input.dropFirst()
    } else {
      let payloads = RecordPayloads.of(input).prefix(16)
      var writer = HistoryWriter(Self.header(payloads.count), key: key)
      bytes = writer.headerBytes
      for (number, payload) in payloads.enumerated() {
        bytes += try payload.withUnsafeBytes { try writer.version(copying: $0, time: Self.time(number)) }
      }
    }
    let found = try bytes.withUnsafeBytes { try read($0, key) }
    try readStore(bytes, found, key)
  }

  /// The versions that a history leads back to.
  private struct Found {
    var versions: [Graph] = []
    var times: [UInt64] = []
    /// Whether it leads to the last version that its header names.
    var isWhole = false
  }

  private func read(_ bytes: UnsafeRawBufferPointer, _ key: FileKey?) throws -> Found {
    var found = Found()
    guard var scanner = try? HistoryScanner(bytes, key: key) else { return found }
    var writer = HistoryWriter(scanner.header, key: key)
    var copy = writer.headerBytes
    var graph = Self.latest
    var isLost = false
    var payloads: [[UInt8]] = []
    while let record = scanner.next(bytes) {
      try expect(record.version == writer.lastVersion - 1, "The records of a history are not in their order.")
      let payload = record.payload(in: [UInt8](bytes))
      copy += try payload.withUnsafeBytes { try writer.version(copying: $0, time: record.time) }
      payloads.append(Array(payload))
      guard let delta = try? record.delta(in: bytes) else {
        isLost = true
        continue
      }
      try expect(
        DeltaCodec.encode(delta).elementsEqual(payload),
        "A record of a history is accepted that would be written otherwise.")
      guard !isLost, let next = try? graph.applying(delta).numbered(record.version) else {
        isLost = true
        continue
      }
      if let fault = next.checkInvariants().first { throw Finding("A history leads to an unsound graph: \(fault)") }
      graph = next
      found.versions.append(next)
      found.times.append(record.time)
    }
    if key != nil, scanner.fault == nil {
      try BoundParts.check { key, generation in
        let header = scanner.header
        var writer = HistoryWriter(
          HistoryHeader(
            store: header.store, generation: generation, version: header.version, oldest: header.oldest), key: key)
        for payload in payloads { _ = try payload.withUnsafeBytes { try writer.version(copying: $0, time: 0) } }
      }
    }
    let isEnd = writer.lastVersion == scanner.header.oldest
    try expect(scanner.fault != nil || isEnd, "A history ends early, without a fault.")
    try expect(bytes.starts(with: copy), "The records of a history are not its bytes.")
    try expect(
      scanner.fault != nil || copy.count == bytes.count, "Bytes behind the last record of a history are no fault.")
    found.isWhole = scanner.fault == nil && !isLost
    return found
  }

  /// Reads a store with the history, and asks for its earlier versions.
  private func readStore(_ history: [UInt8], _ found: Found, _ key: FileKey?) throws {
    let path = "\(SimulatedDisk.folder)/store.realm"
    let (snapshot, journal) = key == nil ? Self.plain : Self.encrypted
    let disk = SimulatedDisk.$usualKey.withValue(key) {
      SimulatedDisk(
        files: [path: snapshot, path + ".journal": journal, path + ".history": history], isRecording: false)
    }
    let limits = HistoryLimits(versions: nil, age: nil)
    let stored = try StoreFile.read(path, history: limits, on: SimulatedProcess(disk))
    guard let earlier = stored.beforeSnapshot else { throw Finding("A store with a history names none.") }
    let (versions, loss) = earlier.load(before: Self.latest, replacedAt: nil, 0, limits)
    let kept = found.versions.prefix(versions.count)
    try expect(
      versions.map(\.graph).elementsEqual(kept, by: ==)
        && versions.map(\.time) == Array(found.times.prefix(kept.count)),
      "A store reads other versions than its history has.")
    // A change of tables ends what can be compared; what lies before it is not kept, and not lost.
    let isChanged = found.versions.dropFirst(versions.count).first.map { $0.schema != Self.latest.schema } ?? false
    try expect(
      isChanged || versions.count == found.versions.count, "A store reads fewer versions than its history has.")
    try expect(isChanged || (loss == nil) == found.isWhole, "A store says of its history: \(loss ?? "nothing").")
    if let loss { try expect(loss.utf8.count < 4096, "A loss has \(loss.utf8.count) bytes.") }
  }

  // MARK: Parts

  /// A snapshot and the journal beside it.
  private static let plain = files(nil)
  private static let encrypted = files(Sealing.key)

  private static func files(_ key: FileKey?) -> (snapshot: [UInt8], journal: [UInt8]) {
    let header = SnapshotTarget.header
    var writer = JournalWriter(
      JournalHeader(
        store: header.store, generation: header.generation, base: header.version, isTimed: true,
        history: header.generation), key: key)
    do {
      var snapshot: [UInt8] = []
      try Snapshot.write(latest, header, key: key) { snapshot.append(contentsOf: $0) }
      return (snapshot, try writer.headerBytes + writer.seal())
    } catch {
      fatalError("The files of the harness cannot be made: \(error)")
    }
  }

  /// The key of the files of an input; nil for plain ones.
  private static func key(_ input: [UInt8]) -> FileKey? { (input.first ?? 0) & 32 == 0 ? nil : Sealing.key }

  private static func header(_ count: Int) -> HistoryHeader {
    let header = SnapshotTarget.header
    return HistoryHeader(
      store: header.store, generation: header.generation, version: header.version,
      oldest: header.version - UInt64(count))
  }

  private static func time(_ number: Int) -> UInt64 { 1_700_000_000_000 - UInt64(number) }

  private static func isRaw(_ input: [UInt8]) -> Bool { (input.first ?? 0) % 2 == 0 }
}
