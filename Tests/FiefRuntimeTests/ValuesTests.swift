import FiefRuntime
import FiefTestSupport
import Foundation
import Testing

@Suite struct SmallStringTests {
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

@Suite struct ExistentialTests {
  private class Base {}
  private final class Derived: Base {}

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
    #expect(ExistentialPointer.inline(Large.self) == nil)
    #expect(ExistentialPointer.inline(String.self) != nil)
  }

  @Test func anInstanceIsGivenOfItsExactClassOnly() {
    let (base, derived) = (Base(), Derived())
    #expect(Existential.instance(base, of: Base.self) === base)
    #expect(Existential.instance(derived, of: Base.self) == nil)
    #expect(Existential.instance(7, of: Base.self) == nil)
  }

  @Test func objectsAreRetainedWhileTheyAreUsed() throws {
    weak var gone: Base?
    do {
      let value: Any = {
        let base = Base()
        gone = base
        return base
      }()
      let instance = try #require(Existential.instance(value, of: Base.self))
      #expect(instance === gone)
    }
    #expect(gone == nil)
  }
}

@Suite struct DictionaryStorageTests {
  @Test func everyEntryIsReadInTheOrderOfTheIterator() throws {
    guard DictionaryStorage.isAvailable else { return }
    try Seeds.run(count: 60) { _, random in
      var anys: [String: Any] = [:]
      var strings: [String: String] = [:]
      for _ in 0..<random.below(300) {
        let key = random.string()
        anys[key] = random.bool() ? random.below(1000) : random.string()
        strings[key] = random.string()
        if random.below(4) == 0 {
          anys[anys.keys.randomElement(using: &random) ?? ""] = nil
          strings[strings.keys.randomElement(using: &random) ?? ""] = nil
        }
      }
      var read: [String] = []
      if !anys.isEmpty {
        let storage = try #require(DictionaryStorage(anys))
        #expect(storage.count == anys.count)
        let isWhole = withExtendedLifetime(anys) {
          storage.forEach { key, value in
            read.append("\(key.pointee)=\(ExistentialPointer(address: value).value)")
            return true
          }
        }
        #expect(isWhole && read == anys.map { "\($0)=\($1)" })
      }
      read = []
      if !strings.isEmpty {
        let storage = try #require(DictionaryStorage(strings))
        let isWhole = withExtendedLifetime(strings) {
          storage.forEach { key, value in
            read.append("\(key.pointee)=\(ExistentialPointer(address: value).load(as: String.self))")
            return true
          }
        }
        #expect(isWhole && read == strings.map { "\($0)=\($1)" })
      }
    }
  }

  @Test func readingEndsWhereTheReaderWantsIt() throws {
    guard DictionaryStorage.isAvailable else { return }
    let dictionary: [String: Any] = ["a": 1, "b": 2, "c": 3]
    var count = 0
    let isWhole = try #require(DictionaryStorage(dictionary)).forEach { _, _ in
      count += 1
      return count < 2
    }
    #expect(!isWhole && count == 2)
    withExtendedLifetime(dictionary) {}
  }

  /// The empty dictionary is one object for all types of dictionaries.
  @Test func theEmptyDictionaryIsLeftToTheCaller() {
    #expect(DictionaryStorage([String: Any]()) == nil)
    #expect(DictionaryStorage([String: String]()) == nil)
  }
}
