import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Knot: Object {
  @Persisted var int = 0
  @Persisted var text = ""
  @Persisted var numbers: List<Int>
  @Persisted var names: Map<String, String>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var table: Map<String, AnyRealmValue>
  @Persisted var left: Knot?
  @Persisted var right: Knot?
  @Persisted var knots: List<Knot>
}

/// Small values whose copies would be enormous: arrays and dictionaries that contain another twice, sixty times over.
@Suite(.serialized) struct SharedContainerTests {
  private static let levels = 60

  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Knot.self])) }

  private static var array: Any { (0..<levels).reduce([1] as [Any]) { array, _ in [array, array] } }
  private static var wide: Any {
    (0..<12).reduce(Array(repeating: 1, count: 100) as [Any]) { array, _ in Array(repeating: array, count: 100) }
  }
  private static var optionals: Any { (0..<levels).reduce([1] as [Any?]) { array, _ in [array, array] } }
  private static var dictionary: Any {
    (0..<levels).reduce(["x": 1] as [String: Any]) { inner, _ in ["left": inner, "right": inner] }
  }
  private static var mixed: Any {
    (0..<levels / 2).reduce([1] as [Any]) { inner, _ in [["left": inner, "right": inner]] }
  }
  private static var lists: Any {
    (0..<levels).reduce(["int": 1] as [String: Any]) { inner, _ in ["knots": [inner, inner] as [Any]] }
  }
  private static var foundation: Any {
    (0..<levels).reduce(NSArray(object: 1)) { array, _ in
      let outer = NSMutableArray()
      outer.add(array)
      outer.add(array)
      return outer
    }
  }

  private static var all: [(String, Any)] {
    [
      ("array", array), ("wide", wide), ("optionals", optionals), ("dictionary", dictionary), ("mixed", mixed),
      ("foundation", foundation), ("lists", lists),
    ]
  }

  private func check(_ error: Realm.Error?, _ names: String) {
    #expect(error.map { "\($0)".utf8.count < 4096 && "\($0)".contains("Knot") } ?? false, "\(names): \(error as Any)")
  }

  @Test func whereItIsOfAWrongTypeItIsRefused() throws {
    let realm = try realm()
    for (name, value) in Self.all {
      for property in ["int", "text", "numbers", "names"] {
        check(#expect(throws: Realm.Error.self) { try Knot(validating: [property: value]) }, name)
        try realm.write {
          check(
            #expect(throws: Realm.Error.self) { try realm.create(Knot.self, validating: [property: value]) }, name)
        }
        let knot = try realm.write { realm.create(Knot.self) }
        check(#expect(throws: Realm.Error.self) { try realm.write { knot[property] = value } }, name)
      }
      #expect(throws: Realm.Error.self) { _ = try realm.objects(Knot.self).filter(parsing: "int == %@", value) }
      #expect(throws: Realm.Error.self) { _ = try realm.objects(Knot.self).filter(parsing: "int IN %@", value) }
    }
  }

  @Test func anAnyValueRefusesItWithItsPlace() throws {
    let realm = try realm()
    for (name, value) in Self.all {
      let error = #expect(throws: Realm.Error.self) { try Knot(validating: ["any": value]) }
      check(error, name)
      #expect(error?.code == .invalidValue && error.map { "\($0)".contains(".any") } ?? false, "\(name)")
      if !["array", "foundation"].contains(name) { continue }
      try realm.write {
        let error = #expect(throws: Realm.Error.self) { try realm.create(Knot.self, validating: ["anys": [1, value]]) }
        check(error, name)
        #expect(error?.code == .invalidValue && error.map { "\($0)".contains(".anys[1]") } ?? false, "\(name)")
      }
    }
    let knot = try realm.write { realm.create(Knot.self) }
    #expect(throws: Realm.Error.self) { try realm.write { knot["any"] = Self.array } }
    #expect(throws: Realm.Error.self) { try realm.write { knot.table.setValue(Self.array, forKey: "k") } }
    #expect(throws: Realm.Error.self) { try ObjectDocument(["any": Self.array]) }
    #expect(knot.any == .none && knot.table.isEmpty)
  }

  @Test func objectsAreNotMadeOfIt() throws {
    let realm = try realm()
    for value in [Self.dictionary, Self.lists] {
      check(#expect(throws: Realm.Error.self) { try Knot(validating: value) }, "validating")
      try realm.write {
        check(#expect(throws: Realm.Error.self) { try realm.create(Knot.self, validating: value) }, "create")
      }
    }
    #expect(realm.isEmpty)
  }

  @Test func theSameValueInManyPlacesOfALargeOneIsCopiedForEach() throws {
    let realm = try realm()
    let shared: [String: Any] = ["int": 7]
    let same: [Any] = Array(repeating: shared, count: Effort.of(debug: 10_000, release: 70_000))
    let numbers: [Any] = Array(0..<1000)
    try realm.write {
      realm.create(Knot.self, value: ["knots": same, "any": Array(repeating: numbers, count: 300)])
    }
    #expect(realm.objects(Knot.self).where { $0.int == 7 }.count == same.count)
    #expect(realm.objects(Knot.self).first?.any.listValue?.count == 300)
  }

  private static var ladder: AnyRealmValue {
    (0..<levels).reduce(.int(1)) { rung, _ in .fromArray([rung, rung]) }
  }
  private static var mapLadder: AnyRealmValue {
    (0..<levels).reduce(.int(1)) { rung, _ in .fromDictionary(["left": rung, "right": rung]) }
  }

  /// Lists and dictionaries of any-values are shared, so each of two to the power of sixty places would get a copy.
  @Test func anyValuesThatStandInTooManyPlacesAreRefusedAtOnce() throws {
    let realm = try realm()
    let knot = try realm.write { realm.create(Knot.self, value: ["anys": [1], "table": ["k": 1]] as [String: Any]) }
    for ladder in [Self.ladder, Self.mapLadder] {
      let ways: [(String, (Realm) throws -> Void)] = [
        ("create", { _ = try $0.create(Knot.self, validating: ["any": ladder]) }),
        ("create in a list", { _ = try $0.create(Knot.self, validating: ["anys": [ladder]]) }),
        ("update", { _ = try $0.create(Knot.self, validating: ["any": ladder], update: .all) }),
        ("add", { $0.add(Knot(value: ["any": ladder])) }),
        ("assignment", { _ in knot.any = ladder }),
        ("subscript", { _ in knot["any"] = ladder }),
        ("append", { _ in knot.anys.append(ladder) }),
        ("insert", { _ in knot.anys.insert(ladder, at: 0) }),
        ("list element", { _ in knot.anys[0] = ladder }),
        ("map element", { _ in knot.table["k"] = ladder }),
        ("key-value coding", { _ in knot.setValue(ladder, forKey: "any") }),
        ("filter", { _ = try $0.objects(Knot.self).filter(parsing: "any == %@", ladder) }),
        ("document", { _ in _ = try ObjectDocument(["any": ladder]) }),
      ]
      for (way, body) in ways {
        var error: Realm.Error?
        let time = threadTime {
          error = #expect(throws: Realm.Error.self, "\(way)") { try realm.write { try body(realm) } }
        }
        #expect(error?.code == (way == "filter" ? .invalidInput : .invalidValue), "\(way): \(error as Any)")
        #expect(time < .seconds(Effort.of(debug: 10, release: 2)), "\(way)")
      }
      #expect(
        knot.any == .none && knot.anys.count == 1 && knot.table["k"] == .int(1) && realm.objects(Knot.self).count == 1)
      let unmanaged = Knot(value: ["any": ladder])
      let shown: [(String, () throws -> Void)] = [
        ("detached", { #expect(unmanaged.detached().any == ladder) }),
        ("description", { #expect("\(ladder)".utf8.count < 1 << 16 && unmanaged.description.utf8.count < 1 << 16) }),
        ("==", { #expect(ladder == Self.ladder || ladder == Self.mapLadder) }),
        ("hash", { #expect(Set([ladder, ladder]).count == 1) }),
        (
          "document",
          {
            let size = try ObjectDocument(unmanaged).json().count
            #expect(size < 1 << 16)
          }
        ),
      ]
      for (way, body) in shown {
        let time = try threadTime { try body() }
        #expect(time < .seconds(Effort.of(debug: 10, release: 2)), "\(way)")
      }
    }
  }

  @Test func unmanagedListsThatAreSharedOrContainThemselvesAreNoConstants() throws {
    let knots = try realm().objects(Knot.self)
    var ladder = AnyRealmValue.int(1)
    for _ in 0..<Self.levels { ladder = .fromArray([ladder, ladder]) }
    let list = List<AnyRealmValue>()
    list.append(.list(list))
    defer { list.removeAll() }
    for value in [ladder, .list(list)] {
      #expect(throws: Realm.Error.self) { _ = try knots.filter(parsing: "any == %@", value) }
    }
  }
}
