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
}
