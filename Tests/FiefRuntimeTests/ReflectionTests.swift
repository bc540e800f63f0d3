import FiefRuntime
import Foundation
import Testing

private class Animal {
  var name = ""
  let legs: Int8 = 4
}

private final class Dog: Animal {
  var age = 0
}

@Suite struct StoredFieldsTests {
  @Test func fieldsOfAClassComeWithThoseOfItsSuperclassFirst() {
    var names: [String] = []
    var offsets: [Int] = []
    StoredFields.forEach(of: Dog.self) { name, offset, _ in
      names.append(name)
      offsets.append(offset)
    }
    #expect(names == ["name", "legs", "age"])
    #expect(offsets == offsets.sorted())
    #expect(StoredFields.field("age", of: Dog.self)?.type == Int.self)
    #expect(StoredFields.field("legs", of: Dog.self)?.type == Int8.self)
    #expect(StoredFields.field("fur", of: Dog.self) == nil)
  }

  @Test func theEndIsBehindTheLastField() throws {
    let legs = try #require(StoredFields.field("legs", of: Animal.self))
    #expect(StoredFields.end(of: Animal.self) == legs.offset + 1)
    #expect(StoredFields.end(of: Dog.self) == (StoredFields.field("age", of: Dog.self)?.offset ?? 0) + 8)
  }

  @Test func fieldsOfAStructHaveTheOffsetsOfItsKeyPaths() {
    struct Point {
      var x: Int32 = 1
      var y = 2.0
    }
    #expect(StoredFields.field("y", of: Point.self)?.offset == MemoryLayout<Point>.offset(of: \.y))
  }
}

@Suite struct FoundationContentsTests {
  @Test func elementsAreThoseOfTheContainer() {
    let array = NSArray(array: [1, "two", NSArray(array: [3])])
    let elements = FoundationContents.of(array)
    #expect(elements.count == 3)
    #expect(elements[1] as? String == "two")
    #expect(elements[2] is NSArray || elements[2] is [Any])
    #expect(Set(FoundationContents.of(NSSet(array: [1, 2])).compactMap { $0 as? Int }) == [1, 2])
    #expect(FoundationContents.of(NSOrderedSet(array: [2, 1])).compactMap { $0 as? Int } == [2, 1])
    #expect(FoundationContents.of(NSCountedSet(array: [1, 1, 2])).count == 2)
  }

  @Test func aDictionaryWithOtherKeysThanNamesHasNoEntries() {
    let named = NSDictionary(dictionary: ["a": 1, "b": 2])
    #expect(FoundationContents.of(named) { $0 as? String }?.count == 2)
    #expect(FoundationContents.of(NSDictionary(dictionary: [1: 1])) { $0 as? String } == nil)
  }

  /// The methods of Foundation would recurse for ever.
  @Test func aContainerThatContainsItselfIsReadOneLevelDeep() {
    let array = NSMutableArray()
    array.add(array)
    let elements = FoundationContents.of(array)
    #expect(elements.count == 1 && elements[0] as AnyObject === array)
    array.removeAllObjects()
    let dictionary = NSMutableDictionary()
    dictionary["self"] = dictionary
    let entries = FoundationContents.of(dictionary) { $0 as? String }
    #expect(entries?["self"] as AnyObject === dictionary)
    dictionary.removeAllObjects()
  }
}
