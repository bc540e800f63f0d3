import Dispatch
import Fief
import Foundation
import Synchronization

/// Runs the steps of a schedule, one after the other.
final class ScheduleRun {
  /// A value that its queue alone uses.
  private struct Confined<Value>: @unchecked Sendable { let value: Value }

  /// A session with its queue.
  private final class Actor: @unchecked Sendable {
    let queue: DispatchQueue
    var realm: Realm?
    var observers: [ProgramObserver] = []
    /// The state that it must show.
    var shown: [Int: Double] = [:]
    let refreshesItself: Bool

    init(_ number: Int, _ configuration: Realm.Configuration) throws {
      queue = DispatchQueue(label: "session \(number)")
      refreshesItself = number < 2
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        realm.autorefresh = refreshesItself
        _ = realm.objects(FuzzNode.self).count
        self.realm = realm
      }
    }

    /// Runs `body` on the queue.
    func run<Result>(_ body: (Realm) throws -> Result) throws -> Result {
      try queue.sync {
        guard let realm else { throw Finding("A session is closed.") }
        return try body(realm)
      }
    }
  }

  private let actors: [Actor]
  private var latest: [Int: Double] = [:]
  /// The session that writes, and its working copy.
  private var writer: (index: Int, working: [Int: Double])?
  private var frozen: [(realm: Confined<Realm>, model: [Int: Double])] = []
  /// The asynchronous writes that wait for the writer, as changes of the model.
  private var queued: [(id: Int, amount: Double)] = []
  private let pending = Mutex((count: 0, failure: String?.none))

  init(_ configuration: Realm.Configuration) throws {
    actors = try (0..<3).map { try Actor($0, configuration) }
  }

  func run(_ program: [StepBytes]) throws {
    defer {
      if let writer { try? actors[writer.index].run { $0.cancelWrite() } }
      try? settle()
      frozen = []
      for actor in actors {
        actor.queue.sync {
          actor.observers = []
          actor.realm = nil
        }
      }
    }
    for step in program {
      try carryOut(step)
      try settle()
      try check()
    }
  }

  private func carryOut(_ step: StepBytes) throws {
    let index = step[1] % 3
    let actor = actors[index]
    let (id, amount) = (step[2] % 6, Double(step[3] % 9))
    let isWriting = writer?.index == index
    switch step.code {
    case 0:
      guard writer == nil else { return }
      try actor.run { $0.beginWrite() }
      writer = (index, latest)
    case 1:
      guard isWriting else { return }
      try actor.run { Self.add(amount, to: id, $0) }
      writer?.working[id, default: 0] += amount
    case 10:
      guard isWriting else { return }
      try actor.run { realm in
        if let node = realm.object(ofType: FuzzNode.self, forPrimaryKey: id) { realm.delete(node) }
      }
      writer?.working[id] = nil
    case 2:
      guard isWriting, let working = writer?.working else { return }
      try actor.run { try $0.commitWrite() }
      latest = working
      actor.shown = latest
      writer = nil
    case 3:
      guard isWriting else { return }
      try actor.run { $0.cancelWrite() }
      actor.shown = latest
      writer = nil
    case 4:
      guard !isWriting else { return }
      _ = try actor.run { $0.refresh() }
      actor.shown = latest
    case 5:
      guard !isWriting else { return }
      let realm = try actor.run { Confined(value: $0.freeze()) }
      frozen = frozen.suffix(3) + [(realm, actor.shown)]
    case 6:
      guard !frozen.isEmpty else { return }
      let (realm, model) = frozen[step[2] % frozen.count]
      try actor.run { _ in try Self.compare(realm.value, model, "A frozen version") }
    case 7:
      guard !isWriting, actor.observers.count < 3 else { return }
      try actor.run { actor.observers.append(ProgramObserver(step[2] % 2 * 2, $0)) }
    case 8:
      try actor.run { _ in
        guard !isWriting, let last = actor.observers.popLast() else { return }
        last.token?.invalidate()
      }
    case 9:
      guard !isWriting else { return }
      pending.withLock { $0.count += 1 }
      queued.append((id, amount))
      try actor.run { realm in
        let held = Confined(value: realm)
        realm.writeAsync {
          Self.add(amount, to: id, held.value)
        } onComplete: { [self] error in
          pending.withLock {
            $0.count -= 1
            if let error { $0.failure = "An asynchronous write failed: \(error)" }
          }
        }
      }
    default: break
    }
  }

  private static func add(_ amount: Double, to id: Int, _ realm: Realm) {
    let node = realm.create(FuzzNode.self, value: ["id": id, "double": 0.0], update: .error, unless: id)
    node.double += amount
    node.small = Int8(node.double.truncatingRemainder(dividingBy: 100))
  }

  /// Lets all queues run dry. Without a writer, all asynchronous writes are done then.
  private func settle() throws {
    var rounds = 0
    while true {
      for _ in 0..<2 { for actor in actors { actor.queue.sync {} } }
      if writer != nil || pending.withLock({ $0.count }) == 0 { break }
      rounds += 1
      if rounds > 20_000 { throw Finding("Asynchronous writes wait although nobody writes.") }
      usleep(100)
    }
    if let failure = pending.withLock({ $0.failure }) { throw Finding(failure) }
    guard writer == nil else { return }
    for (id, amount) in queued { latest[id, default: 0] += amount }
    let wrote = !queued.isEmpty
    queued = []
    for actor in actors where actor.refreshesItself { actor.shown = latest }
    // A session that has written shows the version of its write, or a later one.
    if wrote {
      _ = try actors[2].run { $0.refresh() }
      actors[2].shown = latest
    }
    for _ in 0..<2 { for actor in actors { actor.queue.sync {} } }
  }

  private func check() throws {
    for (index, actor) in actors.enumerated() {
      let isWriting = writer?.index == index
      let expected = isWriting ? writer?.working ?? [:] : actor.shown
      try actor.run { realm in
        try Self.compare(realm, expected, "Session \(index)")
        if isWriting { return }
        for observer in actor.observers { try observer.check() }
      }
    }
  }

  private static func compare(_ realm: Realm, _ model: [Int: Double], _ who: String) throws {
    let found = realm.objects(FuzzNode.self).sorted(byKeyPath: "id").map { "\($0.id): \($0.double)" }
    let expected = model.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    try expect(Array(found) == expected, "\(who) shows \(Array(found)), expected \(expected).")
    try FuzzRealm.checkInvariants(realm, who)
  }
}

extension Realm {
  /// The node with a key, created if it is missing.
  fileprivate func create(
    _ type: FuzzNode.Type, value: [String: Any], update: UpdatePolicy, unless key: Int
  ) -> FuzzNode {
    object(ofType: type, forPrimaryKey: key) ?? create(type, value: value, update: update)
  }
}
