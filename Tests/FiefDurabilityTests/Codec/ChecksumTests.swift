import FiefDurability
import FiefTestSupport
import Testing

@Suite(.leavesNoFileOpen) struct ChecksumTests {
  /// The values in the specifications.
  @Test func theChecksumsAreThoseOfTheirSpecifications() {
    let digits = Array("123456789".utf8)
    #expect(digits.withUnsafeBytes { CRC32C.checksum($0) } == 0xE306_9283)
    #expect(XXH64.digest(UnsafeRawBufferPointer(start: nil, count: 0)) == 0xEF46_DB37_51D8_E999)
    #expect(CRC32C.checksum(UnsafeRawBufferPointer(start: nil, count: 0), after: 7) == 7)
  }

  @Test(arguments: Seeds.first(3))
  func partsHaveTheChecksumsOfTheWhole(seed: Seed) {
    var random = seed.random
    for count in [0, 1, 31, 32, 33, 64, 200, 1000] {
      let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
      var (hash, crc, done) = (XXH64(), UInt32(0), 0)
      while done < count {
        let part = bytes[done..<min(count, done + 1 + random.below(70))]
        Array(part).withUnsafeBytes {
          hash.update($0)
          crc = CRC32C.checksum($0, after: crc)
        }
        done = part.endIndex
      }
      #expect(hash.digest == bytes.withUnsafeBytes { XXH64.digest($0) }, "\(count) bytes")
      #expect(crc == bytes.withUnsafeBytes { CRC32C.checksum($0) }, "\(count) bytes")
    }
  }

  /// Bytes of each length up to 300, and of lengths around those from which on runs are folded, at each alignment.
  @Test(arguments: Seeds.first(2))
  func aChecksumIsTheRemainderOfALongDivision(seed: Seed) {
    var random = seed.random
    let steps = [79, 158, 159, 512 + 79, 1024 + 79, 4 << 10]
    let near = steps.flatMap { step in [-1, 0, 1, 7, 15, 16, 17].map { step * 16 + $0 } }
    let counts = Array(0...300) + near + (0..<20).map { _ in 300 + random.below(80_000) }
    let bytes = (0..<90_000).map { _ in UInt8(random.below(256)) }
    for (number, count) in counts.enumerated() {
      let start = number % 17
      let before = UInt32(truncatingIfNeeded: random.next())
      let part = bytes[start..<start + count]
      let checksum = part.withUnsafeBytes { CRC32C.checksum($0, after: before) }
      #expect(checksum == Self.remainder(of: part, after: before), "\(count) bytes at \(start)")
    }
  }

  /// The remainder, bit by bit.
  private static func remainder(of bytes: ArraySlice<UInt8>, after previous: UInt32) -> UInt32 {
    ~bytes.reduce(~previous) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 0 ? 0 : 0x82F6_3B78) }
    }
  }
}
