import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation

/// Feeds an input to the snapshot reader.
///
///     first byte even    the rest is a file
///     first byte odd     the rest is the contents of the blocks of a file with correct checksums
///     bit 1 of it        the file is encrypted
///
/// For any input, reading must end in a graph or an error. An accepted input must be the canonical form of its graph.
/// A refused one is recovered into a sound store, if anything is left.
public struct SnapshotTarget: FuzzTarget {
  static let header = SnapshotHeader(
    store: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), generation: 3, version: 17,
    userVersion: 5, blockSize: 512)

  /// The target.
  public init() {}

  /// The name of the target.
  public let name = "snapshots"
  /// The work of the target.
  public let purpose = "bytes of snapshot files"

  /// A byte that says how the rest is read, then bytes.
  public func layout(of input: [UInt8]) -> InputLayout { InputLayout(header: 1, step: 1, limit: 2048) }

  /// The bytes themselves.
  public func decode(_ input: [UInt8]) -> [UInt8] { input }

  /// The calls that read the bytes.
  public func steps(_ input: [UInt8]) -> [String] {
    let rest = "[\(input.dropFirst().map(String.init).joined(separator: ", "))] as [UInt8]"
    let key = Self.key(input.first) == nil ? "" : ", key: key"
    return input.first.map { $0 & 1 == 0 } ?? true
      ? ["let bytes = \(rest)", "try Snapshot(reading: bytes\(key))"]
      : ["let pieces = \(rest)", "try Snapshot(reading: Sealing.snapshot(pieces, header\(key))\(key))"]
  }

  /// The file of a small random graph, whole or in pieces, with a few bytes changed.
  public func sample(_ random: inout SeededRandom) -> [UInt8] {
    let graph = random.bool() ? JournalTarget.base : (try? HarnessGraph.make(random.below(12))) ?? .empty
    let mode: UInt8 = random.below(4) == 0 ? 2 : 0
    let file = Snapshot.bytes(graph, Self.header)
    guard random.bool(), let pieces = try? file.withUnsafeBytes({ try Sealing.pieces(ofSnapshot: $0) }) else {
      let stored = try? Self.bytes(graph, Self.key(mode))
      return [mode] + (stored ?? file).changed(random.below(3), &random)
    }
    if random.below(4) == 0 { return [mode | 1] + Self.lengthened(pieces, &random) }
    return [mode | 1] + pieces.changed(random.below(6), &random)
  }

  /// The key of the file of an input; nil for a plain one.
  private static func key(_ mode: UInt8?) -> FileKey? { (mode ?? 0) & 2 == 0 ? nil : Sealing.key }

  /// The bytes of a file.
  private static func bytes(_ graph: Graph, _ key: FileKey?) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try Snapshot.write(graph, header, key: key) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Pieces, one of which has a number in one byte more than it needs. A piece begins with its kind in a byte, and its
  /// length in seven.
  private static func lengthened(_ pieces: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var starts: [Int] = []
    var start = 0
    func length(_ start: Int) -> Int { (1..<8).reduce(0) { $0 | Int(pieces[start + $1]) << (8 * ($1 - 1)) } }
    while start + 8 <= pieces.count {
      starts.append(start)
      start += 8 + length(start)
    }
    guard !starts.isEmpty else { return pieces }
    let piece = random.element(of: starts)
    let count = length(piece)
    guard count > 0 else { return pieces }
    let index = piece + 8 + random.below(count)
    guard index < pieces.count, pieces[index] < 128 else { return pieces }
    var result = pieces
    for byte in 0..<7 { result[piece + 1 + byte] = UInt8(truncatingIfNeeded: (count + 1) >> (8 * byte)) }
    result.replaceSubrange(index...index, with: [pieces[index] | 128, 0])
    return result
  }

  /// Reads the bytes.
  public func run(_ input: [UInt8]) throws {
    if let fault = Self.faultOfOwnFiles { throw Finding(fault) }
    try accepts(input)
  }

  /// What is wrong with the files of sound graphs. A reader that refuses them would accept nothing that is wrong.
  private static let faultOfOwnFiles: String? = {
    for (rounds, key) in (0..<8).flatMap({ [($0, nil), ($0, Sealing.key)] }) {
      do {
        let graph = try HarnessGraph.make(rounds)
        let read = try bytes(graph, key).withUnsafeBytes { try Snapshot(reading: $0, key: key, inParts: 1).graph }
        if let fault = read.checkInvariants().first {
          return "A file holds an unsound graph: \(fault)"
        }
        if read != graph { return "The file of a graph holds another." }
      } catch {
        return "The file of a sound graph is refused: \(error)"
      }
    }
    return nil
  }()

  /// Runs an input.
  ///
  /// - Returns: whether the input was a snapshot.
  @discardableResult
  public func accepts(_ input: [UInt8]) throws -> Bool {
    try input.withUnsafeBytes { input in
      guard let mode = input.first else { return false }
      let rest = UnsafeRawBufferPointer(rebasing: input.dropFirst())
      let key = Self.key(mode)
      let isAccepted =
        mode & 1 == 0
        ? try read(rest, key)
        : try Sealing.snapshot(rest, Self.header, key: key).withUnsafeBytes { try read($0, key) }
      try decodeDelta(rest)
      return isAccepted
    }
  }

  private func read(_ bytes: UnsafeRawBufferPointer, _ key: FileKey?) throws -> Bool {
    _ = FileKind(of: bytes)
    let scan = SnapshotScan(bytes, key: key)
    guard let snapshot = try? Snapshot(reading: bytes, key: key, inParts: 1) else {
      for parts in [2, 3, 7] {
        try expect(
          (try? Snapshot(reading: bytes, key: key, inParts: parts)) == nil, "\(parts) parts accept what one refuses.")
      }
      // A file with another key than was given has no damage that could be seen.
      let isOther = scan.header.map { $0.key != key?.mark } ?? false
      try expect(!scan.damages.isEmpty || isOther, "A snapshot that is refused has no damage.")
      if !isOther { try recover([UInt8](bytes), key) }
      return false
    }
    try expect(scan.damages.isEmpty, "A snapshot that is accepted has damage: \(scan.damages).")
    if let fault = snapshot.graph.checkInvariants().first {
      throw Finding("A snapshot holds an unsound graph: \(fault)")
    }
    var copy: [UInt8] = []
    try Snapshot.write(snapshot.graph, snapshot.header, key: key) { copy.append(contentsOf: $0) }
    try expect(
      copy.elementsEqual(bytes),
      "A snapshot is accepted that would be written otherwise.")
    if let key { try Self.checkBinding(snapshot, key) }
    for parts in [2, 3, 7] {
      let again = try? Snapshot(reading: bytes, key: key, inParts: parts)
      try expect(again?.graph == snapshot.graph, "A snapshot that is read in \(parts) parts is another.")
    }
    return true
  }

  /// Checks what the blocks of a snapshot are bound to.
  private static func checkBinding(_ snapshot: Snapshot, _ key: FileKey) throws {
    let header = snapshot.header
    let limit = Int(header.blockSize) - BlockWriter.overhead - key.mark.overhead
    try BoundParts.check(limit: limit) { key, generation in
      let header = SnapshotHeader(
        store: header.store, generation: generation, version: header.version, userVersion: header.userVersion,
        blockSize: header.blockSize)
      try Snapshot.write(snapshot.graph, header, key: key) { _ in }
    }
  }

  /// Saves what is left of a damaged store into a new one, which must be sound and hold what the report says.
  private func recover(_ bytes: [UInt8], _ key: FileKey?) throws {
    let (source, target) = ("\(SimulatedDisk.folder)/damaged.realm", "\(SimulatedDisk.folder)/saved.realm")
    let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk(files: [source: bytes], isRecording: false) }
    let process = SimulatedProcess(disk)
    let report: RecoveryReport
    do throws(StoreError) { report = try StoreFile.recover(from: source, to: target, on: process) } catch {
      try expect("\(error)".utf8.count < 8192, "An error of recovery is long.")
      return try expect(process.disk.files[target] == nil, "A recovery that failed has left a store.")
    }
    try expect(process.disk.files[source] == bytes, "A recovery has changed the damaged store.")
    let saved = try StoreFile.read(target, on: process).graph
    if let fault = saved.checkInvariants().first { throw Finding("A recovery has saved an unsound graph: \(fault)") }
    try expect(!report.isComplete, "A recovery from damage reports no loss.")
    let rows = saved.allTables.filter { !$0.schema.key.isNested || $0.count > 0 }.map(\.count)
    try expect(report.tables.map(\.rows) == rows, "A recovery reports other rows than it has saved.")
  }

  private func decodeDelta(_ bytes: UnsafeRawBufferPointer) throws {
    guard let delta = try? DeltaCodec.decode(bytes) else { return }
    try expect(
      DeltaCodec.encode(delta).elementsEqual(bytes), "A change is accepted that would be written otherwise.")
  }
}

extension [UInt8] {
  /// The bytes with some of them changed, removed or repeated.
  func changed(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
    var bytes = self
    for _ in 0..<count where !bytes.isEmpty {
      let index = random.below(bytes.count)
      switch random.below(7) {
      case 6:
        // A number is written in one byte more than it needs.
        if bytes[index] < 128 { bytes.replaceSubrange(index...index, with: [bytes[index] | 128, 0]) }
      case 0: bytes.removeSubrange(index..<Swift.min(bytes.count, index + 1 + random.below(8)))
      case 1: bytes.insert(contentsOf: bytes[index..<Swift.min(bytes.count, index + 1 + random.below(8))], at: index)
      case 2: bytes[index] = random.element(of: [0, 1, 127, 128, 255])
      case 3: bytes[index] &+= 1
      default: bytes[index] ^= 1 << UInt8(random.below(8))
      }
    }
    return bytes
  }
}
