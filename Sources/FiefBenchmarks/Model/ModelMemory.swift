import Fief
import Foundation

// Bytes instead of nanoseconds: what one more of something takes.

extension Workload {
  static let modelMemory = [
    memory("memory_row", "rows of a dog, made by add") { try Shelf($0, of: Plain.self) },
    memory("memory_row_indexed", "rows with an indexed integer; memory_row taken from it is an entry") {
      try Shelf($0, of: Indexed.self)
    },
    memory("memory_row_key", "rows with an integer as primary key; memory_row taken from it is an entry") {
      try Shelf($0, of: Keyed.self)
    },
    memory("memory_unmanaged", "unmanaged objects of a string and an integer, in an array that is there before") {
      Held($0)
    } more: { held in
      for number in 0..<held.count { held[number] = Plain(value: ["number": number]) }
    },
    memory("memory_accessor", "accessors, one for each row, in an array that is there before") { count in
      (try Shelf(count, of: Plain.self), Held(count))
    } more: { (shelf, held) in
      for (number, object) in shelf.realm.objects(Plain.self).enumerated() { held[number] = object }
    },
    memory("memory_after_accessors", "accessors that were held and released, one for each row") { count in
      (try Shelf(count, of: Plain.self), Held(count))
    } more: { (shelf, held) in
      for (number, object) in shelf.realm.objects(Plain.self).enumerated() { held[number] = object }
      for number in 0..<held.count { held[number] = nil }
      waitUntilGivenBack()
    },
    memory("memory_link", "rows that link to one other row each; the rows are there before, the backlinks included") {
      try Shelf($0, of: Linked.self)
    } more: { shelf in
      try shelf.realm.write {
        let all = shelf.realm.objects(Linked.self)
        var last = all.last
        for object in all {
          object.other = last
          last = object
        }
      }
    },
    memory("memory_list_element", "elements of one list, which are there before; their backlinks are included") {
      try Shelf($0, of: Listing.self)
    } more: { shelf in
      try shelf.realm.write {
        let all = shelf.realm.objects(Listing.self)
        guard let first = all.first else { return }
        for object in all { first.others.append(object) }
      }
    },
    returned("memory_after_delete", "a write that deletes all of N rows") { shelf in
      try shelf.realm.write { shelf.realm.deleteAll() }
    },
    returned("memory_after_rollback", "a write of N more rows that is rolled back", isEmpty: true) { shelf in
      shelf.realm.beginWrite()
      for number in 0..<shelf.count { shelf.realm.create(Plain.self, value: ["number": number]) }
      shelf.realm.cancelWrite()
    },
  ]

  /// Resident bytes of N of something. Only one measurement is valid, because a second one would find the memory that
  /// the first has released. One of them is made before, as the first realm of a process takes some megabytes.
  private static func memory<Result>(
    _ name: String, _ what: String, _ make: @escaping @Sendable (Int) throws -> Result
  ) -> Workload {
    Workload(name, "Resident bytes in the place of nanoseconds: \(what). One op is one.") { run in
      _ = try make(1)
      let before = Memory.resident
      let result = try make(run.n)
      let after = Memory.resident
      try withExtendedLifetime(result) { try expect(before > 0, true, as: "the system tells what is resident") }
      run.record(Double(after - before), ops: run.n)
    }
  }

  /// Resident bytes of N of something in a store that is filled before.
  private static func memory<Store, Result>(
    _ name: String, _ what: String, _ prepare: @escaping @Sendable (Int) throws -> Store,
    more: @escaping @Sendable (Store) throws -> Result
  ) -> Workload {
    Workload(name, "Resident bytes in the place of nanoseconds: \(what). One op is one.") { run in
      let store = try prepare(run.n)
      let before = Memory.resident
      let result = try more(store)
      let after = Memory.resident
      try withExtendedLifetime((store, result)) {
        try expect(before > 0, true, as: "the system tells what is resident")
      }
      run.record(Double(max(after - before, 0)), ops: run.n)
    }
  }

  /// Resident bytes that remain of N rows.
  private static func returned(
    _ name: String, _ what: String, isEmpty: Bool = false, _ change: @escaping @Sendable (Shelf) throws -> Void
  ) -> Workload {
    Workload(name, "Resident bytes that remain after \(what), in the place of nanoseconds. One op is a row.") { run in
      try change(Shelf(isEmpty ? 0 : 1, of: Plain.self, rows: 1))
      let before = Memory.resident
      let shelf = try Shelf(isEmpty ? 0 : run.n, of: Plain.self, rows: run.n)
      try change(shelf)
      // A read moves on to the new version, and releases the old one.
      try expect(shelf.realm.objects(Plain.self).count, 0, as: "rows at the end")
      waitUntilGivenBack()
      run.record(Double(max(Memory.resident - before, 0)), ops: run.n)
    }
  }

  /// Free memory is given back to the system a second after it was released.
  private static func waitUntilGivenBack() { Thread.sleep(forTimeInterval: 2) }
}

/// An array of objects, resident before there are any.
private final class Held {
  private var objects: [Plain?]

  init(_ count: Int) { objects = Array(repeating: nil, count: count) }

  var count: Int { objects.count }

  subscript(number: Int) -> Plain? {
    get { objects[number] }
    set { objects[number] = newValue }
  }
}

/// A realm with rows of one class, without accessors.
private final class Shelf {
  let realm: Realm
  /// How many rows the workload is about.
  let count: Int

  init(_ filled: Int, of type: (some Numbered).Type, rows: Int? = nil) throws {
    count = rows ?? filled
    realm = try Realm(
      configuration: .inMemory(objectTypes: [Plain.self, Indexed.self, Keyed.self, Linked.self, Listing.self]))
    try realm.write {
      for number in 0..<filled {
        let object = type.init()
        object.number = number
        realm.add(object)
      }
    }
    try expect(realm.objects(type).count, filled, as: "rows")
  }
}

/// A class with a number.
private protocol Numbered: Object {
  var number: Int { get set }
}

private final class Plain: Object, Numbered {
  @Persisted var name: String
  @Persisted var number: Int
}

private final class Indexed: Object, Numbered {
  @Persisted var name: String
  @Persisted(indexed: true) var number: Int
}

private final class Keyed: Object, Numbered {
  @Persisted var name: String
  @Persisted(primaryKey: true) var number: Int
}

private final class Linked: Object, Numbered {
  @Persisted var name: String
  @Persisted var number: Int
  @Persisted var other: Linked?
}

private final class Listing: Object, Numbered {
  @Persisted var name: String
  @Persisted var number: Int
  @Persisted var others: List<Listing>
}
