import FiefDurability
import FiefGraph
import Foundation
import Testing

extension DeltaCodec {
  static func decode(_ bytes: [UInt8]) throws(CodecError) -> Delta {
    try reading(bytes) { bytes throws(CodecError) in try decode(bytes) }
  }
}

extension Snapshot {
  /// Reads a snapshot, in one part and in several, which must agree.
  init(_ bytes: [UInt8]) throws(CodecError) {
    let outcomes = [1, 2, 5].map { parts in
      Result { () throws(CodecError) in
        try reading(bytes) { bytes throws(CodecError) in try Snapshot(reading: bytes, inParts: parts) }
      }
    }
    for outcome in outcomes[1...] { #expect(outcome.described == outcomes[0].described) }
    self = try outcomes[0].get()
  }
}

extension Result where Success == Snapshot, Failure == CodecError {
  /// The graph and the header, or the error.
  fileprivate var described: String {
    switch self {
    case .success(let snapshot): "\(snapshot.header) \(Delta(from: .empty, to: snapshot.graph))"
    case .failure(let error): "\(error)"
    }
  }
}

/// Lends out the bytes of an array, and keeps the type of the error.
func reading<Result>(
  _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
) throws(CodecError) -> Result {
  let outcome = bytes.withUnsafeBytes { buffer -> Swift.Result<Result, CodecError> in
    do throws(CodecError) {
      return .success(try body(buffer))
    } catch {
      return .failure(error)
    }
  }
  return try outcome.get()
}

/// The identities and headers that tests write.
enum Fixed {
  static let store = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let otherStore = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17))

  static func header(blockSize: UInt32 = 512, generation: UInt64 = 3, store: UUID = store) -> SnapshotHeader {
    SnapshotHeader(store: store, generation: generation, version: 17, userVersion: 5, blockSize: blockSize)
  }

  static let journal = JournalHeader(store: store, generation: 3, base: 17)
}
