import Dispatch
import Fief
import Synchronization

// Opening realms, a cost of every test of an application.

extension Workload {
  static let modelOpening = [
    Workload(
      "open_memory_100_classes",
      "200 in-memory realms of the same 100 classes of ten integers, one after another; one was opened before. One op "
        + "is one."
    ) { run in
      let types = Wide<Void, Void>.types(100)
      func open() throws {
        let realm = try Realm(configuration: .inMemory(objectTypes: types))
        try expect(realm.schema.objectSchema.count, 100, as: "classes")
      }
      try open()
      try run.time {
        for _ in 0..<200 { try open() }
        return 200
      }
    },
    Workload(
      "open_memory_parallel",
      "1,000 in-memory realms of one class, on all processors at once: each is opened, gets an object and is closed. "
        + "One op is one."
    ) { run in
      let failures = Failures()
      func openAll() throws {
        DispatchQueue.concurrentPerform(iterations: 1_000) { number in
          do {
            let realm = try Realm(configuration: .inMemory(objectTypes: [Wide<Void, Void>.self]))
            try realm.write { _ = realm.create(Wide<Void, Void>.self, value: ["a": number]) }
            if realm.objects(Wide<Void, Void>.self).first?.a != number { failures.add("A realm lost its object.") }
          } catch {
            failures.add("\(error)")
          }
        }
        try expect(failures.all, [], as: "failures")
        try expect(Realm.openRealms.count, 0, as: "open realms")
      }
      try openAll()
      try run.time {
        try openAll()
        return 1_000
      }
    },
  ]
}

/// What went wrong on several threads.
private final class Failures: Sendable {
  private let words = Mutex<[String]>([])

  func add(_ failure: String) { words.withLock { $0.append(failure) } }

  var all: [String] { words.withLock { $0 } }
}

/// A class of ten integers for each pair of types.
private final class Wide<First, Second>: Object {
  @Persisted var a: Int
  @Persisted var b: Int
  @Persisted var c: Int
  @Persisted var d: Int
  @Persisted var e: Int
  @Persisted var f: Int
  @Persisted var g: Int
  @Persisted var h: Int
  @Persisted var i: Int
  @Persisted var j: Int

  override class func _realmObjectName() -> String? { "Wide_\(First.self)_\(Second.self)" }

  /// The first `count` of 100 classes over pairs of ten types.
  static func types(_ count: Int) -> [ObjectBase.Type] {
    let parts: [Any.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, Float.self,
      Double.self,
    ]
    var types: [ObjectBase.Type] = []
    for first in parts {
      for second in parts where types.count < count {
        func pair<A>(_: A.Type) -> ObjectBase.Type {
          func with<B>(_: B.Type) -> ObjectBase.Type { Wide<A, B>.self }
          return _openExistential(second, do: with)
        }
        types.append(_openExistential(first, do: pair))
      }
    }
    return types
  }
}
