import FiefDurability
import FiefGraph
import Foundation

/// Feeds a fuzzer's input to the journal reader, as a journal behind a valid snapshot.
///
///     first byte even    the rest follows a valid header
///     first byte odd     the rest is payloads, each after its length in two bytes, which become valid records
///
/// For any input, reading must end in one of the four ways. A record must be an error or the canonical form of a
/// change. A change must be refused or lead to a sound graph.
public enum JournalHarness {
  static let header = JournalHeader(store: SnapshotHarness.header.store, generation: 3, base: 17)

  /// The graph of the snapshot, with a bit of everything.
  public static let base: Graph = {
    do {
      return try HarnessGraph.make()
    } catch {
      fatalError("The graph of the harness cannot be made: \(error)")
    }
  }()

  /// Runs an input. Traps when the codec is wrong.
  ///
  /// - Returns: the number of changes that were applied.
  @discardableResult
  public static func run(_ input: UnsafeRawBufferPointer) -> Int {
    guard let mode = input.first else { return 0 }
    var writer = JournalWriter(header)
    var bytes = writer.headerBytes
    if mode & 1 == 0 {
      bytes.append(contentsOf: input.dropFirst())
    } else {
      var rest = input.dropFirst()
      while rest.count >= 2 {
        let length = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
        rest = rest.dropFirst(2)
        let payload = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
        bytes += writer.commit(sealing: payload, durableTo: writer.lastCommit)
        rest = rest.dropFirst(length)
      }
    }
    return bytes.withUnsafeBytes(read)
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard var scanner = try? JournalScanner(bytes) else { return 0 }
    var graph = base
    var applied = 0
    var copy = JournalWriter(header).headerBytes
    while let record = scanner.next(bytes) {
      copy.append(contentsOf: bytes[record.range])
      guard let change = try? record.change(in: bytes) else { continue }
      var payload = JournalWriter(header)
      let again = payload.commit(change.delta, userVersion: change.userVersion, durableTo: header.base)
      if !again[40..<40 + record.payload.count].elementsEqual(bytes[record.payload]) {
        fatalError("A record is accepted that would be written otherwise.")
      }
      guard let next = try? graph.applying(change.delta) else { continue }
      if let fault = next.checkInvariants().first { fatalError("A change leads to an unsound graph: \(fault)") }
      graph = next
      applied += 1
    }
    if scanner.end == nil { fatalError("A journal does not end.") }
    if copy.count != scanner.length || !copy.elementsEqual(bytes.prefix(scanner.length)) {
      fatalError("The records of a journal are not its bytes.")
    }
    return applied
  }
}
