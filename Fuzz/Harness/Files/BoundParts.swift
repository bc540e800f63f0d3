import FiefDurability
import FiefTestSupport
import Foundation
import Synchronization

/// The bindings of a file's parts when they are encrypted, noted by the stand-in for a cipher.
///
/// A cipher opens a part only with the data that it was sealed with. So parts of a file can be exchanged, repeated or
/// left out if and only if their data are equal, and parts of an older file can be put in if a later file has its data.
final class BoundParts: FileCipher {
  private struct Part {
    var length: Int
    var data: Data
  }

  private let standIn = InsecureStandInCipher()
  private let parts = Mutex<[Part]>([])

  var keyIdentifier: Data { standIn.keyIdentifier }
  var overhead: Int { standIn.overhead }

  func seal(_ bytes: Data, authenticating data: Data) throws -> Data {
    parts.withLock { $0.append(Part(length: bytes.count, data: data)) }
    return try standIn.seal(bytes, authenticating: data)
  }

  func open(_ sealed: Data, authenticating data: Data) throws -> Data {
    try standIn.open(sealed, authenticating: data)
  }

  /// Writes a file in two generations, and checks what its parts are bound to, and that their lengths are filled up.
  ///
  /// - Parameters:
  ///   - limit: the most bytes that a part may have; nil for any number.
  ///   - write: writes the file with a key, as that of a generation.
  static func check(limit: Int? = nil, _ write: (FileKey, _ generation: UInt64) throws -> Void) throws {
    let cipher = BoundParts()
    let key = try FileKey(cipher)
    for generation: UInt64 in [3, 4] { try write(key, generation) }
    let parts = cipher.parts.withLock { $0 }
    var known: Set<Data> = []
    for part in parts {
      try expect(known.insert(part.data).inserted, "Two parts of a file, or of its generations, can be exchanged.")
      try expect(
        part.length % 256 == 0 || part.length == limit, "A part shows that it has \(part.length) bytes.")
    }
  }
}
