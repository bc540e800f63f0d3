import FiefTestSupport
import FiefValues
import Foundation
import Testing

@Suite struct ObjectIdTextTests {
  @Test func aTextIsReadInEitherCaseAndWrittenInLowerCase() throws {
    let id = try ObjectId(string: "0123456789ABCDEFabcdef01")
    #expect(id.stringValue == "0123456789abcdefabcdef01")
    #expect(id.description == id.stringValue)
    #expect("\(id)" == id.stringValue)
    #expect(id == ObjectId("0123456789abcdefabcdef01"))
  }

  @Test(arguments: [
    "", "0", "0123456789abcdef0123456", "0123456789abcdef012345678", "0123456789abcdef0123456g",
    " 123456789abcdef01234567", "0x23456789abcdef01234567", "０123456789abcdef01234", "0123456789abcdef0123-567",
  ])
  func anyOtherTextIsAnErrorThatNamesIt(text: String) {
    #expect(throws: ValueError.invalidObjectId(text)) { try ObjectId(string: text) }
    #expect(ValueError.invalidObjectId(text).description.contains("\"\(text)\""))
  }

  @Test func aLongTextIsAbbreviatedInTheError() {
    let text = String(repeating: "ab", count: 50_000)
    let sentence = ValueError.invalidObjectId(text).description
    #expect(sentence.contains("ababab"))
    #expect(sentence.contains("100000 bytes"))
    #expect(sentence.utf8.count < 200)
    #expect(ValueError.invalidObjectId(text).localizedDescription == sentence)
  }

  @Test func everyErrorNamesItsText() {
    for error in [ValueError.invalidTimestamp("soon"), .invalidDecimal128("soon"), .invalidObjectId("soon")] {
      #expect(error.description.contains("\"soon\""))
      #expect(error.description.hasSuffix("."))
    }
  }

  @Test func aMalformedLiteralTraps() async {
    let letter = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ObjectId("0123456789abcdef0123456g")
    }
    expectSentence("\"0123456789abcdef0123456g\" is not an ObjectId", of: letter)
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ObjectId("")
    }
    expectSentence("\"\" is not an ObjectId", of: empty)
  }

  @Test func itIsCodedAsItsText() throws {
    let id = ObjectId("0123456789abcdef01234567")
    let data = try JSONEncoder().encode([id])
    #expect(String(decoding: data, as: UTF8.self) == "[\"0123456789abcdef01234567\"]")
    #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [id])
    for bad in ["[\"0123\"]", "[12]", "[null]"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([ObjectId].self, from: Data(bad.utf8)) }
    }
  }

  @Test func randomOnesComeBackFromTheirTexts() throws {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<2_000 {
      let id = ObjectId(
        words: UInt32(truncatingIfNeeded: random.next()), UInt32(truncatingIfNeeded: random.next()),
        UInt32(truncatingIfNeeded: random.next()))
      #expect(try ObjectId(string: id.stringValue) == id)
      #expect(id.stringValue == id.bytes.map { String(format: "%02x", $0) }.joined())
    }
  }
}
