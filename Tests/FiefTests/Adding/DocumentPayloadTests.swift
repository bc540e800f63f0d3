import Fief
import FiefGraph
import FiefObjects
import FiefSessions
import FiefValues
import Foundation
import Testing

/// The stored form of the documents of asymmetric objects, when it is not what the library wrote.
@Suite struct DocumentPayloadTests {
  private func document(_ payload: Data) -> IngestDocument? {
    try? IngestDocument(OutboxMessage(line: "", className: "Sighting", created: .zero, payload: payload))
  }

  @Test func foreignBytesAreRefused() {
    let whole = Data(#"{"a":[1,"b",{"$data":"AQ=="}],"c":{"d":2.5},"e":null,"f":{"$double":"2.0"}}"#.utf8)
    let values = document(whole)?.values ?? [:]
    #expect(values.count == 4 && (values["c"] as? [String: any Sendable])?["d"] as? Double == 2.5)
    #expect((values["a"] as? [any Sendable])?.last as? Data == Data([1]) && values["f"] as? Double == 2)
    #expect("\(values["f"] ?? 0)" == "2.0")
    for end in 0..<whole.count { #expect(document(whole.prefix(end)) == nil) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = document(bytes)
    }
  }

  @Test func containersWithoutEndAreRefused() {
    for (start, end) in [(#"{"a":"#, "}"), ("[", "]")] {
      let (opened, closed) = (String(repeating: start, count: 100_000), String(repeating: end, count: 100_000))
      #expect(document(Data("{\"a\":\(opened)1\(closed)}".utf8)) == nil)
    }
    #expect(document(Data("[1]".utf8)) == nil && document(Data("7".utf8)) == nil && document(Data()) == nil)
  }
}
