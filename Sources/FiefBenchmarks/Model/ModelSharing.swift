import Fief
import Foundation
import Synchronization

// Reading on some threads while another one writes.

extension Workload {
  static let modelSharing =
    [
      Workload(
        "concurrent_read",
        "Two threads walk N dogs and sum their ages, always in the latest version, while a third commits 1000 writes "
          + "that change one dog each. One op is a row scanned; the time is that of all three."
      ) { run in
        let herd = try Herd(run.n)
        try run.time {
          let (isOver, scans, faults) = (Tally(), Tally(), Tally())
          let threads = DispatchGroup()
          for _ in 0..<2 {
            threads.enter()
            Thread {
              do {
                let scan = try herd.reader()
                repeat {
                  if try !scan() { faults.add(1) }
                  scans.add(1)
                } while isOver.value == 0
              } catch {
                faults.add(1)
              }
              threads.leave()
            }.start()
          }
          let write = try herd.writer()
          for _ in 0..<1000 { try write() }
          isOver.add(1)
          threads.wait()
          try expect(faults.value, 0, as: "the number of scans that did not see a whole version")
          return scans.value * run.n
        }
      }
    ]
    + sharing("concurrent_read", rows: 20_000_000) { run in
      let herd = try Herd(run.n)
      return Sharing {
        try herd.reader()
      } writer: {
        try herd.writer()
      }
    }
}

/// A number that several threads change.
private final class Tally: Sendable {
  private let number = Atomic(0)
  var value: Int { number.load(ordering: .acquiring) }
  func add(_ more: Int) { number.wrappingAdd(more, ordering: .acquiringAndReleasing) }
}

/// A realm of dogs that several threads open; its configuration holds it. Each write makes one dog a year older.
private final class Herd: Sendable {
  private let configuration = Realm.Configuration.benchmark
  private let first: Int
  private let count: Int

  init(_ count: Int) throws {
    let realm = try Realm(configuration: configuration)
    _ = try realm.addDogs((0..<count).map { "dog\($0)" })
    first = (0..<count).reduce(0) { $0 + $1 % 20 }
    self.count = count
  }

  /// A scan on the current thread: whether the sum of the ages never falls.
  func reader() throws -> () throws -> Bool {
    let realm = try Realm(configuration: configuration)
    var last = first
    return {
      realm.refresh()
      var sum = 0
      for dog in realm.objects(Dog.self) { sum &+= dog.age }
      defer { last = sum }
      return sum >= last
    }
  }

  /// A write on the current thread.
  func writer() throws -> () throws -> Void {
    let realm = try Realm(configuration: configuration)
    let dogs = realm.objects(Dog.self)
    var turn = 0
    return { [count] in
      try realm.write { dogs[turn &* 7919 % count].age += 1 }
      turn += 1
    }
  }
}
