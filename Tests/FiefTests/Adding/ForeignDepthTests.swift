import Fief
import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Part: EmbeddedObject {
  @Persisted var size = 0
}

private class Node: Object {
  @Persisted var int = 0
  @Persisted var string = ""
  @Persisted var bool = false
  @Persisted var date: Date?
  @Persisted var data: Data?
  @Persisted var double = 0.0
  @Persisted var decimal = Decimal128(0)
  @Persisted var uuid: UUID?
  @Persisted var link: Node?
  @Persisted var part: Part?
  @Persisted var list: List<Int>
  @Persisted var dates: List<Date>
  @Persisted var set: MutableSet<String>
  @Persisted var map: Map<String, Int>
  @Persisted var nodes: List<Node>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

/// Values from outside may have any depth, and objects of Foundation may contain themselves.
@Suite(.serialized) struct ForeignDepthTests {
  private static let names = [
    "int", "string", "bool", "date", "data", "double", "decimal", "uuid", "link", "part", "list", "dates", "set", "map",
    "nodes",
  ]
  private static let depth = Effort.of(debug: 4_000, release: 10_000)

  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Node.self, Part.self])) }

  /// Calls `body` with an array and a dictionary that are nested deeply, and takes them apart again: they free each
  /// other by recursion.
  private func withDeep(_ body: (Any) throws -> Void) rethrows {
    var array: [Any] = [1]
    for _ in 0..<Self.depth { array = [array] }
    try body(array)
    while let inner = array.popLast() as? [Any] { array = inner }
    var dictionary: [String: Any] = ["x": 1]
    for _ in 0..<Self.depth { dictionary = ["x": dictionary] }
    try body(dictionary)
    while let inner = dictionary.removeValue(forKey: "x") as? [String: Any] { dictionary = inner }
  }

  @Test(arguments: names) func aDeepValueIsRefusedInAFewWords(_ name: String) throws {
    let realm = try realm()
    try withDeep { deep in
      for value in [deep, Optional(deep) as Any, [deep] as [Any], ["k": deep] as [String: Any]] {
        // An object can be made from a dictionary, whatever values it has for unknown names.
        let isObject = ["link", "part"].contains(name) && !(value is [Any]) || name == "nodes" && value is [Any]
        let given: [String: Any] = [name: value]
        if !isObject {
          let error = #expect(throws: Realm.Error.self) { try Node(validating: given) }
          #expect("\(error as Any)".utf8.count < 4096)
        }
        let node = Node()
        node[name] = isObject ? nil : value
        try realm.write {
          if isObject { return }
          let error = #expect(throws: Realm.Error.self) { try realm.create(Node.self, validating: given) }
          #expect("\(error as Any)".utf8.count < 4096)
        }
        if !isObject {
          let node = try realm.write { realm.create(Node.self) }
          #expect(throws: Realm.Error.self) { try realm.write { node[name] = value } }
        }
      }
    }
  }

  @Test func aDeepValueIsTakenByAnyValues() throws {
    let realm = try realm()
    try withDeep { deep in
      try realm.write {
        realm.create(Node.self, value: ["any": deep, "anys": [deep]])
        realm.add(Node(value: ["any": deep, "anys": [deep]]))
        let node = try Node(validating: ["any": deep])
        node["any"] = deep
        realm.add(node)
      }
      #expect(
        realm.objects(Node.self).allSatisfy { $0.any.listValue?.count == 1 || $0.any.dictionaryValue?.count == 1 })
    }
  }

  @Test func deepObjectsOfFoundationAreReadLevelByLevel() throws {
    let realm = try realm()
    let bottom = NSMutableArray(array: [1])
    var all = [bottom]
    for _ in 0..<Self.depth {
      let outer = NSMutableArray()
      outer.add(all[all.count - 1])
      all.append(outer)
    }
    let deep = all[all.count - 1]
    for name in Self.names where name != "list" && name != "nodes" {
      #expect(throws: Realm.Error.self) { try Node(validating: [name: deep]) }
      try realm.write {
        _ = #expect(throws: Realm.Error.self) { try realm.create(Node.self, validating: [name: deep]) }
      }
    }
    let node = try realm.write { realm.create(Node.self, value: ["any": deep]) }
    #expect(node.any.listValue?.first?.listValue?.count == 1)
    #expect(Node(value: ["any": deep]).any.listValue?.count == 1)
    for array in all { array.removeAllObjects() }
  }

  @Test func deepOrderedSetsAreReadLevelByLevel() throws {
    let realm = try realm()
    for mixes in [false, true] {
      var (all, ends): ([NSMutableOrderedSet], [NSMutableArray]) = ([NSMutableOrderedSet(array: [1])], [])
      for _ in 0..<Self.depth {
        let outer = NSMutableOrderedSet()
        if mixes {
          ends.append(NSMutableArray(array: []))
          ends[ends.count - 1].add(all[all.count - 1])
          outer.add(ends[ends.count - 1])
        } else {
          outer.add(all[all.count - 1])
        }
        all.append(outer)
      }
      defer {
        for set in all { set.removeAllObjects() }
        for array in ends { array.removeAllObjects() }
      }
      let deep = all[all.count - 1]
      for name in Self.names where name != "nodes" {
        #expect(throws: Realm.Error.self) { try Node(validating: [name: deep]) }
        try realm.write {
          _ = #expect(throws: Realm.Error.self) { try realm.create(Node.self, validating: [name: deep]) }
        }
        let free = Node()
        free[name] = deep
        #expect(throws: Realm.Error.self) { try realm.write { realm.add(free) } }
        let node = try realm.write { realm.create(Node.self) }
        #expect(throws: Realm.Error.self) { try realm.write { node[name] = deep } }
      }
      let node = try realm.write { realm.create(Node.self, value: ["any": deep, "anys": NSOrderedSet(object: deep)]) }
      #expect(node.any.listValue?.first?.listValue?.count == 1 && node.anys.first?.listValue?.count == 1)
      #expect(Node(value: ["any": deep]).any.listValue?.count == 1)
      try realm.write { node["any"] = deep }
      #expect(throws: Realm.Error.self) { try ObjectDocument(["any": deep]) }
    }
  }

  @Test func anOrderedSetIsReadAsAnArray() throws {
    let realm = try realm()
    let set = NSOrderedSet(array: [3, "x", NSNull(), NSOrderedSet(array: [true, [1, 2]])])
    let node = try realm.write {
      realm.create(
        Node.self, value: ["any": set, "list": NSOrderedSet(array: [2, 1]), "set": NSOrderedSet(array: ["b"])])
    }
    #expect(
      node.any.listValue?.count == 4 && node.any.listValue?[0] == .int(3)
        && node.any.listValue?[2] == AnyRealmValue.none)
    #expect(node.any.listValue?[3].listValue?[1].listValue.map { Array($0) } == [.int(1), .int(2)])
    #expect(Array(node.list) == [2, 1] && Array(node.set) == ["b"])
    let made = Node(value: ["any": set, "list": NSMutableOrderedSet(array: [2, 1])])
    #expect(made.any == node.detached().any && Array(made.list) == [2, 1])
    #expect(realm.objects(Node.self).filter("ANY list IN %@", NSOrderedSet(array: [2, 7])).count == 1)
  }

  @Test func whatContainsItselfIsACycle() throws {
    let realm = try realm()
    let array = NSMutableArray()
    array.add(array)
    let dictionary = NSMutableDictionary()
    dictionary["link"] = dictionary
    dictionary["any"] = array
    let mixed = NSMutableDictionary()
    let middle = NSMutableArray()
    middle.add(mixed)
    mixed["nodes"] = middle
    defer {
      array.removeAllObjects()
      dictionary.removeAllObjects()
      mixed.removeAllObjects()
    }
    let ordered = NSMutableOrderedSet()
    ordered.add(NSArray(array: []))
    ordered.add(ordered)
    defer { ordered.removeAllObjects() }
    let values: [Any] = [
      ["any": array], ["link": dictionary], dictionary, mixed, ["anys": [array]], ["any": mixed], ["any": ordered],
      ["any": ["k": [ordered]]], ["anys": ordered],
    ]
    for value in values {
      try realm.write {
        let error = #expect(throws: Realm.Error.self) { try realm.create(Node.self, validating: value) }
        #expect(error?.code == .cycle && "\(error as Any)".contains("cycle") && "\(error as Any)".utf8.count < 4096)
      }
      let other = #expect(throws: Realm.Error.self) { try Node(validating: value) }
      #expect(other?.code == .cycle && "\(other as Any)".contains("cycle") && "\(other as Any)".contains("Node"))
      let third = #expect(throws: Realm.Error.self) { try realm.write { realm.add(Node(value: value)) } }
      #expect(third?.code == .cycle)
    }
    let free = Node()
    free["any"] = array
    let error1 = #expect(throws: Realm.Error.self) { try realm.write { realm.add(free) } }
    #expect(error1?.code == .cycle)
    #expect(realm.isEmpty)
    let node = try realm.write { realm.create(Node.self) }
    let error2 = #expect(throws: Realm.Error.self) { try realm.write { node["any"] = array } }
    #expect(error2?.code == .cycle)
    let error3 = #expect(throws: Realm.Error.self) { try realm.write { node["anys"] = [array] } }
    #expect(error3?.code == .cycle)
    #expect(node.any == .none && node.anys.isEmpty)
    try realm.write { realm.deleteAll() }
    #expect(throws: Realm.Error.self) { try ObjectDocument(["any": array]) }
    #expect(realm.isEmpty)
  }

  @Test func sharedContainersAreCopiedForEachOccurrence() throws {
    let realm = try realm()
    let shared = NSMutableArray(array: [1, "x", NSNull(), true])
    let both = NSArray(array: [shared, shared])
    let node = try realm.write {
      realm.create(Node.self, value: ["any": both, "list": NSSet(array: [1]), "nodes": NSArray()])
    }
    #expect(node.any.listValue?.map { $0.listValue?.count } == [4, 4])
    #expect(node.any.listValue?[0].listValue.map { Array($0) } == [.int(1), .string("x"), .none, .bool(true)])
    #expect(Array(node.list) == [1])
    let made = Node(value: ["any": both, "map": NSDictionary(dictionary: ["k": 1])])
    #expect(made.any == node.detached().any && made.map["k"] == 1)
  }

  @Test func aQueryTakesADeepArgumentForWhatItIs() throws {
    let realm = try realm()
    withDeep { deep in
      #expect(throws: Realm.Error.self) { _ = try realm.objects(Node.self).filter(parsing: "int == %@", deep) }
    }
  }

  @Test func aTextOfAMillionBytesIsNotRepeatedInAnError() throws {
    let realm = try realm()
    let long = String(repeating: "x", count: 1_000_000)
    for name in Self.names where name != "string" && name != "set" {
      let error = #expect(throws: Realm.Error.self) { try Node(validating: [name: long]) }
      #expect("\(error as Any)".utf8.count < 4096)
    }
    let node = try realm.write { realm.create(Node.self) }
    let error = #expect(throws: Realm.Error.self) { try realm.write { node["int"] = long } }
    #expect("\(error as Any)".utf8.count < 4096)
  }
}
