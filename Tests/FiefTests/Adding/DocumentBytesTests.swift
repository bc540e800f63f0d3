#if DEBUG  // @testable needs a debug build.
  import Foundation
  import Testing

  @testable import FiefObjects

  @Suite struct DocumentBytesTests {
    @Test func foreignBytesAreRefused() {
      let whole = DocumentBytes.encode([
        "a": [1, "b", Data([1])] as [any Sendable], "c": ["d": 2.5] as [String: any Sendable],
      ])
      #expect(DocumentBytes.decode(whole)?.count == 2)
      for end in 0..<whole.count { #expect(DocumentBytes.decode(whole.prefix(end)) == nil) }
      var random = SystemRandomNumberGenerator()
      for _ in 0..<20_000 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = DocumentBytes.decode(bytes)
      }
      // Containers without end: array tags, each with one element.
      let nested = Data((0..<100_000).flatMap { _ in [12, 1, 0, 0, 0, 0, 0, 0, 0] as [UInt8] })
      #expect(DocumentBytes.decode(nested) == nil)
    }
  }
#endif
