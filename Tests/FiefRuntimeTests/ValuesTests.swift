import FiefRuntime
import FiefTestSupport
import Foundation
import Testing

@Suite struct SmallStringTests {
  @Test func bytesOfABufferBecomeTheStringThatTheLibraryMakes() throws {
    guard let maker = SmallString.Maker.available else { return }
    let bytes = (0..<48).map { UInt8(33 + $0 * 7 % 90) }
    bytes.withUnsafeBytes { buffer in
      for start in 0..<48 {
        for count in 0...(48 - start) {
          let strings = [String](unsafeUninitializedCapacity: 1) { place, written in
            written =
              place.baseAddress.map { maker.initialize($0, ascii: buffer, at: start, count: count) ? 1 : 0 } ?? 0
          }
          let made = strings.first
          let wanted = String(decoding: bytes[start..<start + count], as: UTF8.self)
          if count > 15 || start + 16 > 48 {
            #expect(made == nil, "\(start), \(count)")
          } else {
            #expect(made == wanted && made?.hashValue == wanted.hashValue, "\(start), \(count)")
            #expect(made.map { Array($0.utf8) } == Array(wanted.utf8) && made?.count == count)
            #expect(
              made.map { SmallString.words(of: $0) == SmallString.words(of: SmallString.compact(wanted)) } == true)
          }
        }
      }
    }
  }

  @Test func aSmallStringGivesItsBytesAndOthersGiveNothing() {
    Seeds.run(count: 200) { _, random in
      let string = random.string()
      let compact = SmallString.compact(string)
      #expect(compact == string)
      let small = SmallString(compact, isAvailable: SmallString.isAvailable)
      #expect((small != nil) == (SmallString.isAvailable && string.utf8.count <= 15))
      guard let small else { return }
      #expect(small.count == string.utf8.count)
      let bytes = withUnsafeBytes(of: (small.first, small.second)) { Array($0.prefix(small.count)) }
      #expect(bytes == Array(string.utf8))
    }
  }

  @Test func wordsOfAShortStringAreThoseOfItsSmallForm() throws {
    guard SmallString.isAvailable else { return }
    var long = "abc"
    long.reserveCapacity(100)
    let (a, b) = (try #require(SmallString.words(ofShort: "abc")), try #require(SmallString.words(ofShort: long)))
    #expect(a == b)
    #expect(SmallString.words(ofShort: "0123456789abcde") != nil)
    #expect(SmallString.words(ofShort: "0123456789abcdef") == nil)
  }

  @Test func orderedWordsOrderLikeBytes() {
    guard SmallString.isAvailable else { return }
    Seeds.run(count: 200) { _, random in
      let (a, b) = (String(random.string().prefix(3)), String(random.string().prefix(3)))
      guard let one = SmallString.words(ofShort: a), let other = SmallString.words(ofShort: b) else { return }
      let isBefore =
        (one.0.byteSwapped, SmallString.ordered(one.1)) < (other.0.byteSwapped, SmallString.ordered(other.1))
      #expect(isBefore == a.utf8.lexicographicallyPrecedes(b.utf8))
    }
  }

  @Test func aStringIsNeverReadInThisFormWhenItIsNotAvailable() {
    #expect(SmallString("abc", isAvailable: false) == nil)
  }
}

@Suite struct ByteOrderTests {
  /// Short strings, longer ones, and one of each, which differ late, in zeros, or in length alone.
  @Test func stringsOfAllFormsAreInTheOrderOfTheirBytes() {
    let beginnings = ["", "a", "abcdefg", "abcdefgh", "abcdefghijklmn", "abcdefghijklmno", "\u{E9}\u{E9}\u{E9}\u{E9}"]
    let ends = ["", "\0", "\0\0", "a", "\u{FF}", "z\0", "zzzzzzzzzzzzzzzz"]
    let strings = beginnings.flatMap { beginning in ends.map { beginning + $0 } }
    for a in strings {
      for b in strings {
        let expected = a.utf8.elementsEqual(b.utf8) ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
        #expect(ByteOrder.compare(a, b) == expected, "\(a.debugDescription), \(b.debugDescription)")
        #expect(ByteOrder.compare(SmallString.compact(a), SmallString.compact(b)) == expected)
      }
    }
  }
}

@Suite struct ExistentialTests {
  @Test func aValueIsGivenOfItsExactTypeOnly() {
    guard Existential.isAvailable else { return }
    #expect(Existential.value(7, as: Int.self) == 7)
    #expect(Existential.value(7, as: Double.self) == nil)
    #expect(Existential.value(Int8(7), as: Int.self) == nil)
    #expect(Existential.value(true, as: Bool.self) == true)
    #expect(Existential.value(true, as: Int.self) == nil)
    #expect(
      Existential.value("a text of more than fifteen bytes", as: String.self) == "a text of more than fifteen bytes")
    #expect(Existential.value(["a", "b"], as: [String].self) == ["a", "b"])
    #expect(Existential.value(["a", "b"], as: [Any].self) == nil)
    #expect(Existential.value(Int?.none as Any, as: Int.self) == nil)
    #expect(Existential.value(Int?.some(3) as Any, as: Int.self) == nil)
  }

  @Test func aLargeValueIsGivenByNoShortCut() {
    struct Large: Equatable { var (a, b, c, d) = (1, 2, 3, 4) }
    #expect(Existential.value(Large(), as: Large.self) == nil)
  }
}
