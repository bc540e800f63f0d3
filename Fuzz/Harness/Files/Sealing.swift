import FiefDurability
import FiefTestSupport

/// Puts arbitrary bytes into files with correct checksums, so that tests and fuzzers can reach the code behind the
/// checksums.
package enum Sealing {
  /// Encodes a snapshot whose blocks hold `pieces`, whatever their contents.
  package static func snapshot(
    _ pieces: UnsafeRawBufferPointer, _ header: SnapshotHeader, key: FileKey? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      let blocks = try BlockWriter(header, key: key) { bytes.append(contentsOf: $0) }
      var rest = pieces
      while let length = PieceStitcher.length(rest), length <= rest.count {
        try blocks.add(UnsafeRawBufferPointer(rebasing: rest.prefix(length)))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length))
      }
      try blocks.add(rest)
      _ = try blocks.finish()
    } catch {
      fatalError("Writing a snapshot to memory failed: \(error).")
    }
    return bytes
  }

  /// The key of encrypted inputs: of a cipher that protects nothing.
  static let key: FileKey = {
    do { return try FileKey(InsecureStandInCipher()) } catch { fatalError("The stand-in has no key: \(error)") }
  }()

  /// Returns the pieces in the blocks of a sound snapshot.
  package static func pieces(ofSnapshot bytes: UnsafeRawBufferPointer) throws(CodecError) -> [UInt8] {
    var scanner = try BlockScanner(UnsafeRawBufferPointer(rebasing: bytes.prefix(SnapshotHeader.size)))
    var pieces: [UInt8] = []
    while !scanner.isAtEnd {
      let start = Int(scanner.offset)
      let end = min(start + Int(scanner.header.blockSize), bytes.count - BlockScanner.trailerSize)
      guard start < end else {
        throw CodecError(in: .snapshot, .truncated, at: scanner.offset, "the file ends too early")
      }
      pieces.append(contentsOf: try scanner.next(UnsafeRawBufferPointer(rebasing: bytes[start..<end])).payload)
    }
    return pieces
  }
}
