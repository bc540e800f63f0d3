import FiefDurability
import Testing

struct RoundTripTests {
  @Test func theChecksumsAreThoseOfTheirSpecifications() {
    let digits = Array("123456789".utf8)
    #expect(digits.withUnsafeBytes { CRC32C.checksum($0) } == 0xE306_9283)
    #expect([UInt8]().withUnsafeBytes { XXH64.digest($0) } == 0xEF46_DB37_51D8_E999)
    #expect(Array("a".utf8).withUnsafeBytes { XXH64.digest($0) } == 0xD24E_C4F1_A98C_6E5B)
    #expect(Array("abc".utf8).withUnsafeBytes { XXH64.digest($0) } == 0x44BC_2CF5_AD77_0999)
  }
}
