import Dispatch
import Fief
import FiefDurability
import FiefGraph
import FiefSessions
import Foundation
import Synchronization

/// A step of a session that commits numbers.
enum CommitStep: CustomStringConvertible {
  case write
  case early(isGrouped: Bool)
  case writeAsync
  case await
  case passTime
  case compact
  case reopen
  case kill
  case cancelled

  init?(_ step: StepBytes) {
    switch step.code {
    case 0: self = .write
    case 1, 7: self = .early(isGrouped: step[1] % 2 == 0)
    case 2: self = .await
    case 3: self = .compact
    case 4: self = .reopen
    case 5: self = .passTime
    case 6: self = .kill
    case 8: self = .writeAsync
    case 9: self = .cancelled
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .write: "try realm.write { add() }"
    case .early(let isGrouped): "realm.beginWrite(); add(); realm.commitAsyncWrite(allowGrouping: \(isGrouped)) { … }"
    case .writeAsync: "realm.writeAsync { add() }"
    case .await: "await all completions"
    case .passTime: "wait for the delayed work of the store"
    case .compact: "try realm.compact()"
    case .reopen: "await all completions; close and open again"
    case .kill: "kill the process, and open in another"
    case .cancelled: "realm.beginWrite(); add(); realm.cancelWrite()"
    }
  }
}

/// A realm on a simulated disk, whose nodes have the keys 1, 2, 3 … in the order of the commits.
final class CommitRun: Sendable {
  private struct State {
    var realm: Realm?
    /// The number of nodes that were added, and of commits whose completions are awaited.
    var added = 0
    /// The number of the last commit that is durable.
    var acknowledged = 0
    var waiting = 0
    /// The first error of a commit, or what another process has lost.
    var failure: String?
    var number: Int32 = 1
  }

  private struct Held: @unchecked Sendable { var state = State() }

  private let program: CrashTarget.Program
  private let disk: SimulatedDisk
  private let queue = DispatchQueue(label: "crashes")
  private let path: String
  private let held = Mutex(Held())
  private let process: Mutex<SimulatedProcess>

  init(_ program: CrashTarget.Program) {
    self.program = program
    disk = SimulatedDisk(chance: program.seed)
    // The registry of open stores knows them by their paths.
    path = "\(SimulatedDisk.folder)/\(UUID().uuidString).realm"
    process = Mutex(SimulatedProcess(disk))
  }

  func run() throws {
    try queue.sync { try open() }
    for step in program.steps.compactMap(CommitStep.init) {
      try checkCommits()
      try carryOut(step)
    }
    // The power fails before or after the last commits are durable.
    if program.moments % 2 == 0 {
      settle()
      try checkCommits()
    }
    process.withLock { $0.kill() }
    settle()
    queue.sync { held.withLock { $0.state.realm = nil } }
    try PowerFailures(disk: disk, program: program).forEachImage(recover) { recovered, point in
      switch recovered {
      // Before the store's creation is safe, there is nothing to open.
      case .unopened(let error): point.owed == 0 ? nil : "It cannot be opened: \(error)"
      case .broken(let fault): fault
      case .sound(let count) where count < point.owed: "\(point.owed) commits were durable, and \(count) are there."
      case .sound(let count) where count > point.started:
        "\(point.started) commits were begun, and \(count) are there."
      case .sound: nil
      }
    }
  }

  /// The finding of an opening on a disk after a power failure.
  private enum Recovered {
    case unopened(String)
    case broken(String)
    /// A store with this number of nodes.
    case sound(Int)
  }

  private func recover(_ disk: SimulatedDisk) -> Recovered {
    let process = SimulatedProcess(disk, number: 99)
    defer { process.kill() }
    do {
      let (file, stored) = try StoreFile.open(path, on: process)
      defer { withExtendedLifetime(file) {} }
      if let fault = stored.graph.checkInvariants().first { return .broken(fault) }
      let keys = Self.keys(stored.graph)
      return keys == Array(1...Int64(keys.count + 1)).dropLast()
        ? .sound(keys.count) : .broken("The nodes are \(keys).")
    } catch {
      return .unopened("\(error)")
    }
  }

  private static func keys(_ graph: Graph) -> [Int64] {
    guard let table = graph.table(named: "FuzzNode"), let column = table.schema.column(named: "id")?.key else {
      return []
    }
    return (0..<table.nextKey).compactMap { key in
      guard case .int(let number)? = graph.value(Cell(table.schema.key, ObjectKey(rawValue: key), column)) else {
        return nil
      }
      return number
    }
  }

  private func open() throws {
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: FuzzRealm.classes)
    configuration.fileSystem = process.withLock { $0 }
    let realm = try Realm(configuration: configuration, queue: queue)
    let found = realm.objects(FuzzNode.self).count
    held.withLock { held in
      let (added, acknowledged) = (held.state.added, held.state.acknowledged)
      if found < acknowledged || found > added {
        held.state.failure = "\(added) nodes were added, \(acknowledged) were durable, and \(found) are there."
      }
      held.state.added = found
      held.state.acknowledged = found
      held.state.realm = realm
    }
    disk.mark(.seen(UInt64(found)))
  }

  private func carryOut(_ step: CommitStep) throws {
    switch step {
    case .await: settle()
    case .passTime: process.withLock { $0 }.passTime()
    case .reopen:
      settle()
      try again(isKilling: false)
    case .kill: try again(isKilling: true)
    case .compact: try queue.sync { try held.withLock { $0.state.realm }?.compact() }
    case .write: try queue.sync { try write() }
    case .early(let isGrouped): queue.sync { early(isGrouped) }
    case .writeAsync: queue.sync { writeAsync() }
    case .cancelled:
      queue.sync {
        guard let realm = held.withLock({ $0.state.realm }) else { return }
        realm.beginWrite()
        realm.create(FuzzNode.self, value: ["id": 9999])
        realm.cancelWrite()
      }
    }
    try checkCommits()
  }

  /// Throws a finding if a commit has failed, or if another process did not find what was durable. The disk has no
  /// faults.
  private func checkCommits() throws { if let failure = held.withLock({ $0.state.failure }) { throw Finding(failure) } }

  private func again(isKilling: Bool) throws {
    if isKilling { process.withLock { $0.kill() } }
    settle()
    queue.sync { held.withLock { $0.state.realm = nil } }
    // The store of the dead process is closed before the next one opens its own.
    while StoreRegistry.present(.file(path)) != nil { usleep(200) }
    // The completions of a killed process receive failures that do not matter.
    if isKilling { held.withLock { $0.state.failure = nil } }
    process.withLock { process in
      process.kill()
      process = SimulatedProcess(disk, number: process.processIdentifier + 1)
    }
    try queue.sync { try open() }
  }

  /// Adds the next node to the write of a realm.
  ///
  /// - Returns: its number, which is also that of the commit.
  private func add(_ realm: Realm) -> UInt64 {
    let number = held.withLock { held in
      held.state.added += 1
      return held.state.added
    }
    realm.create(FuzzNode.self, value: ["id": number, "text": String(repeating: "text ", count: number % 40)])
    disk.mark(.started(UInt64(number)))
    return UInt64(number)
  }

  private func write() throws {
    guard let realm = held.withLock({ $0.state.realm }) else { return }
    realm.beginWrite()
    let number = add(realm)
    try realm.commitWrite()
    acknowledge(number)
  }

  private func early(_ isGrouped: Bool) {
    guard let realm = held.withLock({ $0.state.realm }) else { return }
    realm.beginWrite()
    let number = add(realm)
    held.withLock { $0.state.waiting += 1 }
    realm.commitAsyncWrite(allowGrouping: isGrouped) { [self] in complete(number, $0) }
  }

  private func writeAsync() {
    guard let realm = held.withLock({ $0.state.realm }) else { return }
    held.withLock { $0.state.waiting += 1 }
    let number = Mutex<UInt64>(0)
    let box = Shared(number: number)
    realm.writeAsync { [self] in
      guard let realm = held.withLock({ $0.state.realm }) else { return }
      let added = add(realm)
      box.number.withLock { $0 = added }
    } onComplete: { [self] in
      complete(box.number.withLock { $0 }, $0)
    }
  }

  private final class Shared: Sendable {
    let number: Mutex<UInt64>
    init(number: consuming Mutex<UInt64>) { self.number = number }
  }

  private func complete(_ number: UInt64, _ error: (any Swift.Error)?) {
    if error == nil { acknowledge(number) }
    held.withLock { held in
      held.state.waiting -= 1
      if let error, held.state.failure == nil { held.state.failure = "A commit failed: \(error)" }
    }
  }

  private func acknowledge(_ number: UInt64) {
    disk.mark(.acknowledged(number))
    held.withLock { $0.state.acknowledged = max($0.state.acknowledged, Int(number)) }
  }

  /// Waits for all completions.
  private func settle() {
    while true {
      if held.withLock({ $0.state.waiting <= 0 }) { return }
      queue.sync {}
      usleep(200)
    }
  }
}
