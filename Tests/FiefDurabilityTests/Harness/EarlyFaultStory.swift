import FiefDurability
import FiefSessions
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// A few commits on a disk with one fault, and the statements that hold afterwards. The n-th commit adds the number n.
final class EarlyFaultStory: Sendable {
  /// The outcomes of all runs.
  struct Counts {
    var (runs, images) = (0, 0)
    /// The commits that failed; those of them whose outcome is unknown; those that were refused as undone.
    var (failures, lost, refused) = (0, 0, 0)
  }

  enum Step {
    case synchronous(document: Bool)
    case early(isGrouped: Bool, document: Bool)
    /// Waits for all completions.
    case wait

    static func story(using random: inout SeededRandom) -> [Step] {
      (0..<(4 + random.below(10))).map { _ in
        switch random.below(6) {
        case 0: .synchronous(document: random.bool())
        case 1: .wait
        default: .early(isGrouped: random.bool(), document: random.bool())
        }
      }
    }
  }

  private let name: String
  private let disk = SimulatedDisk()
  /// The results of the commits, and the documents that were handed over. Both come on any thread.
  private let results = Mutex<[Int64: (any Error)?]>([:])
  private let delivered = Mutex<Set<Int64>>([])

  private init(_ name: String) { self.name = name }

  /// Runs steps and checks the statements.
  ///
  /// - Parameters:
  ///   - fault: its call counts from the first step on.
  ///   - name: the words for messages.
  /// - Returns: the number of calls.
  static func run(
    _ steps: [Step], fault: DiskFault?, _ name: String, _ random: inout SeededRandom, _ counts: inout Counts
  ) throws -> Int {
    try EarlyFaultStory(name).run(steps, fault, &random, &counts)
  }

  /// The commits that were reported as durable.
  private var durable: [Int64] { results.withLock { $0.filter { $0.value == nil }.keys.sorted() } }

  private func note(_ number: Int, _ failure: (any Error)?) {
    if failure == nil { disk.mark(.acknowledged(UInt64(number))) }
    let isFirst = results.withLock { $0.updateValue(failure, forKey: Int64(number)) == nil }
    #expect(isFirst, "a commit is reported once: \(number), \(name)")
  }

  private func run(_ steps: [Step], _ fault: DiskFault?, _ random: inout SeededRandom, _ counts: inout Counts) throws
    -> Int
  {
    let process = SimulatedProcess(disk)
    let handler = OutboxHandler { messages in
      for message in messages {
        guard let number = Int64(String(decoding: message.payload, as: UTF8.self)) else { continue }
        self.disk.mark(.delivered(UInt64(number)))
        self.delivered.withLock { _ = $0.insert(number) }
      }
    }
    // Without a handler the documents wait.
    let early = try EarlyCommits(process, handler: random.bool() ? handler : nil)
    let beginning = disk.lock.withLock { disk.calls }
    if var fault {
      fault.call += beginning
      disk.lock.withLock { disk.faults = [fault] }
      counts.runs += 1
    }
    var (last, documents) = (0, Set<Int64>())
    func send(isEarly: Bool, isGrouped: Bool = false, document: Bool) {
      last += 1
      if document { documents.insert(Int64(last)) }
      let number = last
      disk.mark(.started(UInt64(number)))
      do {
        try early.send(number, isEarly: isEarly, isGrouped: isGrouped, withDocument: document) { self.note(number, $0) }
        if !isEarly { note(number, nil) }
      } catch {
        note(number, error)
      }
    }
    func wait() { #expect(waits { results.withLock { $0.count } == last }, "every commit is reported: \(name)") }
    for step in steps {
      switch step {
      case .synchronous(let document): send(isEarly: false, document: document)
      case .early(let isGrouped, let document): send(isEarly: true, isGrouped: isGrouped, document: document)
      case .wait: wait()
      }
    }
    wait()
    let calls = disk.lock.withLock {
      disk.faults = []
      return disk.calls - beginning
    }
    let failures = results.withLock { $0.compactMapValues { $0 } }
    for (number, failure) in failures {
      #expect(failure is StoreError, "commit \(number) fails with a typed error, not \(failure): \(name)")
    }
    let lost = Set(failures.filter { ($0.value as? StoreError)?.code == .commitOutcomeUnknown }.keys)
    counts.failures += failures.count
    counts.lost += lost.count
    counts.refused += failures.count - lost.count
    #expect(fault != nil || failures.isEmpty, "\(name)")

    // Memory shows what was reported as durable, and nothing else.
    #expect(memory(early) == durable, "\(name)")
    // The disk is whole again: either all writes work, or none does.
    send(isEarly: false, document: false)
    send(isEarly: true, document: true)
    wait()
    let later = Set([Int64(last - 1), Int64(last)])
    let taken = later.intersection(durable)
    #expect(taken.isEmpty || taken == later, "\(name)")
    #expect(lost.isEmpty || taken.isEmpty, "a store with an unknown outcome takes no commits: \(name)")
    #expect(memory(early) == durable, "\(name)")

    process.kill()
    let events = disk.lock.withLock { disk.events }
    var point = CrashPoint()
    var handed: Set<Int64> = []
    for (index, event) in events.enumerated() {
      point.advance(event)
      if case .mark(.delivered(let number)) = event { handed.insert(Int64(number)) }
      let isLast = index == events.count - 1
      if !isLast, random.below(100) >= 4 { continue }
      let owed = durable.filter { $0 <= Int64(point.owed) }
      try check(point.imageAfterKill(), owed, handed, documents, lost, isLast: isLast, &counts)
      for fates in [point.noFates, point.anyFates(using: &random)] {
        try check(point.image(fates), owed, handed, documents, lost, isLast: isLast, &counts)
      }
    }
    return calls
  }

  /// The numbers that a session sees after it has advanced.
  private func memory(_ early: EarlyCommits) -> [Int64] {
    early.onQueue { session in
      _ = session.refresh()
      return EarlyCommits.numbers(session.graph)
    }
  }

  /// Opens a disk after a crash.
  ///
  /// - Parameters:
  ///   - owed: the commits that were reported as durable before.
  ///   - handed: the documents that were handed over before.
  ///   - lost: the commits whose outcome is unknown.
  ///   - isLast: whether the crash came after all results.
  private func check(
    _ image: SimulatedDisk, _ owed: [Int64], _ handed: Set<Int64>, _ documents: Set<Int64>, _ lost: Set<Int64>,
    isLast: Bool, _ counts: inout Counts
  ) throws {
    counts.images += 1
    let process = SimulatedProcess(image, number: 2)
    defer { process.kill() }
    let (file, stored) = try StoreFile.open(EarlyCommits.path, on: process)
    defer { withExtendedLifetime(file) {} }
    let found = EarlyCommits.numbers(stored.graph)
    let place = "\(found) instead of \(owed), \(name)"
    #expect(found == found.sorted() && Set(found).count == found.count, "\(place)")
    // The commits that were owed come first. Others can only follow them: those that were not reported yet, and those
    // whose outcome is unknown.
    #expect(found.starts(with: owed), "\(place)")
    #expect(!isLast || lost.isSuperset(of: found.dropFirst(owed.count)), "\(place)")
    let waiting = EarlyCommits.waiting(stored.graph)
    #expect(waiting == waiting.sorted() && documents.isSuperset(of: waiting), "\(place)")
    #expect(handed.isSubset(of: found), "delivered before it was durable: \(place)")
    #expect(handed.union(waiting) == documents.intersection(found), "neither delivered nor waiting: \(place)")
  }
}
