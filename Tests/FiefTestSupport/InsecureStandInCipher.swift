import FiefDurability
import Foundation

/// Stands for the application's cipher in tests. It protects nothing: it adds a stream of numbers by exclusive or,
/// which the checksum beside it starts.
///
/// Like a real cipher, it gives other bytes for other associated data, and opens nothing that was changed by accident.
/// Equal inputs give equal bytes, so that tests can be repeated. The number of bytes that it adds is odd, so that
/// nothing relies on an alignment.
public struct InsecureStandInCipher: FileCipher {
  /// Why a piece was not opened.
  public struct Refusal: Error {}

  /// What distinguishes the key.
  public let keyIdentifier: Data
  private let key: UInt64

  /// A cipher with a key.
  ///
  /// - Parameter identifier: What distinguishes the key; nil for the bytes of the key, which no real cipher would show.
  public init(key: UInt64 = 7, identifier: Data? = nil) {
    self.key = key
    keyIdentifier = identifier ?? withUnsafeBytes(of: key.littleEndian) { Data($0) }
  }

  private static let mark = Array("XOR13".utf8)

  /// A checksum of eight bytes, and a mark of five.
  public var overhead: Int { 8 + Self.mark.count }

  /// "Encrypts" bytes.
  public func seal(_ bytes: Data, authenticating data: Data) throws -> Data {
    let check = checksum(bytes, checksum(data, key))
    var sealed = Data(capacity: bytes.count + overhead)
    withUnsafeBytes(of: check.littleEndian) { sealed.append(contentsOf: $0) }
    sealed.append(contentsOf: Self.mark)
    sealed.append(stream(bytes, check))
    return sealed
  }

  /// "Decrypts" bytes.
  public func open(_ sealed: Data, authenticating data: Data) throws -> Data {
    let sealed = sealed.startIndex == 0 ? sealed : Data(sealed)
    guard sealed.count >= overhead, sealed[8..<overhead].elementsEqual(Self.mark) else { throw Refusal() }
    let check = sealed.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    let bytes = stream(Data(sealed[overhead...]), check)
    guard checksum(bytes, checksum(data, key)) == check else { throw Refusal() }
    return bytes
  }

  private static func mix(_ number: UInt64) -> UInt64 {
    var mixed = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  private func checksum(_ bytes: Data, _ start: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var sum = Self.mix(start ^ UInt64(bytes.count))
      var offset = 0
      while offset &+ 8 <= bytes.count {
        sum = (sum ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
        sum ^= sum >> 29
        offset &+= 8
      }
      while offset < bytes.count {
        sum = (sum ^ UInt64(bytes[offset])) &* 0x9E37_79B9_7F4A_7C15
        sum ^= sum >> 29
        offset &+= 1
      }
      return Self.mix(sum)
    }
  }

  private func stream(_ bytes: Data, _ start: UInt64) -> Data {
    var result = bytes
    var state = key ^ start
    result.withUnsafeMutableBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        state &+= 0x9E37_79B9_7F4A_7C15
        let number = Self.mix(state)
        if offset &+ 8 <= bytes.count {
          let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          bytes.storeBytes(of: word ^ number, toByteOffset: offset, as: UInt64.self)
        } else {
          for byte in offset..<bytes.count {
            bytes[byte] ^= UInt8(truncatingIfNeeded: number >> UInt64(8 * (byte - offset)))
          }
        }
        offset &+= 8
      }
    }
    return result
  }
}
