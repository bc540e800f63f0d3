import Fief
import Foundation

// Files of one kind of row each: how long opening takes, and how much memory.

extension Workload {
  /// The workloads of opening such files.
  static let openingTables =
    memory("open_file.memory.percent", "N dogs.") { body, count in
      try withStore { path in
        try Realm.makeDogs(count, at: path)
        try body(path)
      }
    }
    + opening(OpenedText.self, "open_file_texts", "N rows with a string of 40 bytes. One op is a row.")
    + opening(OpenedLink.self, "open_file_links", "N rows with a link to any of them. One op is a row.")
    + opening(OpenedList.self, "open_file_lists", "N/10 rows with a list of ten of them. One op is an element.")
    + opening(OpenedKey.self, "open_file_keys", "N rows with a primary key, an integer. One op is a row.")
    + opening(OpenedName.self, "open_file_names", "N rows with a primary key, a string of 12 bytes. One op is a row.")
    + opening(OpenedIndex.self, "open_file_indexes", "N rows with an indexed string, one for ten. One op is a row.")

  private static func opening(_ type: (some OpenedObject).Type, _ name: String, _ what: String) -> [Workload] {
    [
      Workload(name, "A closed file is opened and let go: \(what)", modes: [.disk]) { run in
        try withFile(type, run.n) { path in
          try run.time {
            try type.check(try Realm.opened(path), run.n)
            return run.n
          }
        }
      }
    ] + memory(name + ".memory.percent", what) { body, count in try withFile(type, count, body) }
  }

  /// The memory that a file takes while it is opened. Another process opens it, because this one has made it.
  private static func memory(
    _ name: String, _ what: String, _ withFile: @escaping @Sendable ((String) throws -> Void, Int) throws -> Void
  ) -> [Workload] {
    #if os(Linux) || os(macOS)
      [
        Workload(
          name, "The resident memory that opening takes at most, in percent of what it takes in the end: \(what)",
          modes: [.disk]
        ) { run in
          try withFile(
            { path in
              let other = try OtherProcess(.opening, at: path)
              let sizes = other.nextLine().split(separator: " ").compactMap { Double($0) }
              try expect(sizes.count, 3, as: "the numbers of another process")
              run.record((sizes[1] - sizes[0]) / (sizes[2] - sizes[0]) * 100 * Double(run.n), ops: run.n)
              try other.finish()
            }, run.n)
        }
      ]
    #else
      []
    #endif
  }

  /// Calls `body` with a closed file of rows of a class.
  private static func withFile(_ type: (some OpenedObject).Type, _ count: Int, _ body: (String) throws -> Void) throws {
    try withStore { path in
      do {
        let realm = try Realm.opened(path)
        try realm.write { type.make(count, in: realm) }
        try realm.compact()
      }
      try body(path)
    }
  }
}

extension Realm {
  /// A realm of these classes in a file.
  static func opened(_ path: String) throws -> Realm {
    try Realm(configuration: Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: openedTypes))
  }

  /// The classes that are opened, without a file.
  static func openedInMemory() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: openedTypes)) }

  private static let openedTypes: [ObjectBase.Type] = [
    Dog.self, Person.self, DogToy.self, Address.self, OpenedText.self, OpenedLink.self, OpenedList.self,
    OpenedKey.self, OpenedName.self, OpenedIndex.self,
  ]
}

/// A class of which files are opened.
private protocol OpenedObject: Object {
  var number: Int { get set }
  /// Makes rows for a number of operations.
  static func make(_ count: Int, in realm: Realm)
  /// Whether the last row is as it was made.
  func isSound(_ count: Int) -> Bool
}

extension OpenedObject {
  /// Makes rows with numbers, and sets another property of each.
  fileprivate static func add(_ count: Int, to realm: Realm, _ set: (Self, Int) -> Void) {
    for number in 0..<count {
      let object = Self()
      object.number = number
      set(object, number)
      realm.add(object)
    }
  }

  /// A number below a limit, another one for each number.
  fileprivate static func scattered(_ number: Int, below limit: Int) -> Int {
    var generator = SplitMix64(seed: UInt64(number))
    return Int(generator.next() % UInt64(limit))
  }

  /// Compares a number and the last row with what was made.
  fileprivate static func check(_ realm: Realm, _ count: Int) throws {
    let all = realm.objects(Self.self)
    let last = try found(all.last, "a row")
    try expect(last.number, all.count - 1, as: "the number of the last row")
    try expect(last.isSound(count), true, as: "the last row")
  }
}

private final class OpenedText: Object, OpenedObject {
  @Persisted var number: Int
  @Persisted var text: String

  static func make(_ count: Int, in realm: Realm) { add(count, to: realm) { $0.text = text($1) } }
  func isSound(_ count: Int) -> Bool { text == Self.text(count - 1) }

  private static func text(_ number: Int) -> String {
    let digits = String(number)
    return "the text of forty bytes of row " + String(repeating: "0", count: 9 - digits.count) + digits
  }
}

private final class OpenedLink: Object, OpenedObject {
  @Persisted var number: Int
  @Persisted var other: OpenedLink?

  static func make(_ count: Int, in realm: Realm) {
    add(count, to: realm) { _, _ in }
    let all = realm.objects(OpenedLink.self)
    for (number, object) in all.enumerated() { object.other = all[scattered(number, below: count)] }
  }
  func isSound(_ count: Int) -> Bool { other?.number == Self.scattered(count - 1, below: count) }
}

private final class OpenedList: Object, OpenedObject {
  @Persisted var number: Int
  @Persisted var others: List<OpenedList>

  static func make(_ count: Int, in realm: Realm) {
    add(count / 10, to: realm) { _, _ in }
    let all = realm.objects(OpenedList.self)
    for (number, object) in all.enumerated() {
      for place in 0..<10 { object.others.append(all[scattered(number * 10 + place, below: all.count)]) }
    }
  }
  func isSound(_ count: Int) -> Bool {
    others.count == 10 && others[9].number == Self.scattered(count / 10 * 10 - 1, below: count / 10)
  }
}

private final class OpenedKey: Object, OpenedObject {
  @Persisted var number: Int
  @Persisted(primaryKey: true) var id: Int

  static func make(_ count: Int, in realm: Realm) { add(count, to: realm) { $0.id = $1 &* 7 } }
  func isSound(_ count: Int) -> Bool {
    realm?.object(ofType: OpenedKey.self, forPrimaryKey: (count - 1) &* 7)?.number == count - 1
  }
}

private final class OpenedName: Object, OpenedObject {
  @Persisted var number: Int
  @Persisted(primaryKey: true) var name: String

  static func make(_ count: Int, in realm: Realm) { add(count, to: realm) { $0.name = name($1) } }
  func isSound(_ count: Int) -> Bool {
    realm?.object(ofType: OpenedName.self, forPrimaryKey: Self.name(count - 1))?.number == count - 1
  }

  private static func name(_ number: Int) -> String { "name\(10_000_000 + number)" }
}

private final class OpenedIndex: Object, OpenedObject {
  @Persisted var number: Int
  @Persisted(indexed: true) var city: String

  static func make(_ count: Int, in realm: Realm) { add(count, to: realm) { $0.city = "city\($1 / 10)" } }
  func isSound(_ count: Int) -> Bool {
    realm?.objects(OpenedIndex.self).where { $0.city == "city\((count - 1) / 10)" }.last?.number == count - 1
  }
}
