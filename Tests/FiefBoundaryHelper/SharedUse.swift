import Dispatch
import Fief
import FiefBoundarySupport
import Foundation
import Synchronization

/// Random use of one file by one of several processes that share it, until a file with the name `stop` exists. Lines of
/// the log, which are whole even if the process is killed:
///
///     begin COUNTER                     a commit of this process is about to be made
///     done COUNTER NUMBER MOMENT        it was acknowledged as commit NUMBER of all processes
///     queued COUNTER NUMBER MOMENT      the same for an asynchronous write
///     refused COUNTER CODE, unknown COUNTER CODE
///     looked MOMENT END NUMBER          a refresh from MOMENT to END led to version NUMBER
///     saw NUMBER MARKS DIGEST           the contents of a version
///     wrong WORDS                       something that must never be
///     waited START END STEP             a step that took longer than 100 ms
///     not-opened CODE, threw STEP CODE, ran STEP, ended
final class SharedUse {
  /// Where the files are, and who this process is.
  struct Place {
    let path: String
    let process: Int
    let log: String
    let stop: String
    let isReader: Bool
  }

  private let place: Place
  private var random: SplitMix64
  private let log: SharedLog
  private var counter = 0

  init(_ place: Place, seed: UInt64) {
    self.place = place
    random = SplitMix64(seed: seed)
    log = SharedLog(place.log)
  }

  func run() {
    while !isOver {
      let opened = timed("open") { open() }
      guard let opened else {
        usleep(2000)
        continue
      }
      let steps = 1 + random.below(80)
      for _ in 0..<steps where !isOver { step(opened) }
      timed("close") { opened.close() }
    }
    log.add("ended")
  }

  private var isOver: Bool { access(place.stop, F_OK) == 0 }

  private func open() -> Opened? {
    do {
      let bank = try SharedBank(place.path, isRelaxed: random.below(3) == 0, isReadOnly: place.isReader)
      // A reader that opens a file before its first commit has classes that the file lacks, and follows nothing.
      if place.isReader && bank.number == 0 { return nil }
      return Opened(bank, place, log)
    } catch {
      log.add("not-opened \(code(of: error)) \(error.localizedDescription)")
      return nil
    }
  }

  private func timed<Result>(_ step: String, _ body: () throws -> Result) rethrows -> Result {
    let start = SharedLog.moment
    defer {
      let end = SharedLog.moment
      if end - start > 100_000_000 { log.add("waited \(start) \(end) \(step)") }
    }
    return try body()
  }

  private func step(_ opened: Opened) {
    let steps: [(weight: Int, name: String, isForReaders: Bool, body: () throws -> Void)] = [
      (20, "write", false, { self.commit(opened) { self.change($0) } }),
      (20, "transfer", false, { self.commit(opened) { bank in bank.transfer(&self.random) } }),
      (2, "large", false, { self.commit(opened) { self.changeMuch($0) } }),
      (6, "async", false, { self.commitAsync(opened) }),
      (4, "cancel", false, { try self.cancel(opened) }),
      (2, "compact", false, { try opened.bank.realm.compact() }),
      (16, "refresh", true, { self.refresh(opened) }),
      (8, "look", true, { opened.look() }),
      (6, "freeze", true, { opened.freeze() }),
      (6, "rest", true, { RunLoop.main.run(until: Date(timeIntervalSinceNow: Double(self.random.below(20)) / 1000)) }),
    ].filter { !place.isReader || $0.2 }
    var left = random.below(steps.reduce(0) { $0 + $1.weight })
    guard
      let chosen = steps.first(where: {
        left -= $0.weight; return left < 0
      })
    else { return }
    do { try timed(chosen.name, chosen.body) } catch { log.add("threw \(chosen.name) \(code(of: error)) \(error)") }
    log.add("ran \(chosen.name)")
  }

  // MARK: Writing

  private func commit(_ opened: Opened, _ body: (SharedBank) -> Void) {
    counter += 1
    let (bank, counter) = (opened.bank, counter)
    log.add("begin \(counter)")
    do {
      let number = try bank.realm.write {
        let number = bank.sign(process: place.process, counter: counter)
        body(bank)
        return number
      }
      log.add("done \(counter) \(number) \(SharedLog.moment)")
    } catch {
      log.add(refused: counter, error)
    }
  }

  private func commitAsync(_ opened: Opened) {
    let writes = (0..<(1 + random.below(4))).map { _ in
      counter += 1
      log.add("begin \(counter)")
      return (counter: counter, seed: random.next())
    }
    if let error = opened.writeOnQueue(writes) { log.add("threw async \(code(of: error)) \(error)") }
  }

  private func cancel(_ opened: Opened) throws {
    let realm = opened.bank.realm
    let before = try realm.write {
      let before = opened.bank.state
      change(opened.bank)
      opened.bank.transfer(&random)
      realm.cancelWrite()
      return before
    }
    if opened.bank.state != before { log.add("wrong a write that was cancelled left \(opened.bank.state)") }
    opened.look()
  }

  private func change(_ bank: SharedBank) {
    let realm = bank.realm
    for _ in 0...random.below(4) {
      let id = random.below(20)
      let entry = realm.object(ofType: Entry.self, forPrimaryKey: id)
      switch (random.below(6), entry) {
      case (0, let entry?): realm.delete(entry)
      case (1, let entry?): entry.numbers.append(random.below(1000))
      case (2, let entry?): entry.next = realm.object(ofType: Entry.self, forPrimaryKey: random.below(20))
      case (3, let entry?): entry.numbers.removeAll()
      default:
        let text = String(repeating: "entry \(random.below(100)) ", count: random.below(30))
        realm.create(Entry.self, value: ["id": id, "text": text], update: .modified)
      }
    }
  }

  /// A record of some hundred kilobytes, which the next write of that kind takes away.
  private func changeMuch(_ bank: SharedBank) {
    let old = bank.realm.objects(Entry.self).where { $0.id >= 1000 }
    if !old.isEmpty { return bank.realm.delete(old) }
    let text = String(repeating: "x", count: 1000)
    for id in 0..<(50 + random.below(150)) { bank.realm.create(Entry.self, value: ["id": 1000 + id, "text": text]) }
  }

  // MARK: Reading

  private func refresh(_ opened: Opened) {
    let moment = SharedLog.moment
    opened.bank.realm.refresh()
    log.add("looked \(moment) \(SharedLog.moment) \(opened.bank.number)")
    opened.look()
  }
}

/// A log of whole lines.
final class SharedLog: Sendable {
  private let descriptor: Int32

  init(_ path: String) { descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }

  /// Adds a line. Line breaks in it become spaces.
  func add(_ line: String) {
    let bytes = Array((line.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n").utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  func add(refused counter: Int, _ error: any Error) {
    let code = code(of: error)
    add("\(code == "commitOutcomeUnknown" ? "unknown" : "refused") \(counter) \(code) \(error.localizedDescription)")
  }

  func add(saw state: SharedBank.State) {
    if let problem = state.problem { add("wrong \(problem)") }
    add("saw \(state.number) \(state.marks) \(state.digest)")
  }

  /// Nanoseconds of a clock that all processes share.
  static var moment: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
  }
}

/// The realms that a process has open, what it observes, and what it has frozen.
private final class Opened {
  let bank: SharedBank
  private let place: SharedUse.Place
  private let log: SharedLog
  private var tokens: [NotificationToken] = []
  private var frozen: [(bank: SharedBank, state: SharedBank.State)] = []
  private let queue = DispatchQueue(label: "writes")
  // The queue alone uses it.
  private var queueRealm: Realm?

  init(_ bank: SharedBank, _ place: SharedUse.Place, _ log: SharedLog) {
    (self.bank, self.place, self.log) = (bank, place, log)
    look()
    observe(bank.realm.objects(Account.self).sorted(byKeyPath: "balance")) { "\($0.id) \($0.balance)" }
    observe(bank.realm.objects(Entry.self).where { $0.id < 15 }) { "\($0.id) \($0.text.count) \(Array($0.numbers))" }
  }

  /// Keeps a copy of what results show, by the changes alone.
  private func observe<Element: Object>(_ results: Results<Element>, _ words: @escaping (Element) -> String) {
    var mirror: [String] = []
    let log = log
    tokens.append(
      results.observe { change in
        switch change {
        case .initial(let results): mirror = Array(results.map(words))
        case .update(let results, let deletions, let insertions, let modifications):
          for index in modifications { mirror[index] = "" }
          for index in deletions.reversed() { mirror.remove(at: index) }
          for index in insertions { mirror.insert(words(results[index]), at: index) }
          let now = Array(results.map(words))
          let isExact = mirror.count == now.count && zip(mirror, now).allSatisfy { $0.isEmpty || $0 == $1 }
          if !isExact { log.add("wrong changes of \(Element.self) lead to \(mirror) and not to \(now)") }
          mirror = now
          log.add("ran notification")
        case .error(let error): log.add("threw observe \(error)")
        }
      })
  }

  /// Reads everything.
  func look() {
    log.add(saw: bank.state)
    for (bank, state) in frozen where bank.state != state {
      log.add("wrong frozen \(state) became \(bank.state)")
    }
  }

  func freeze() {
    let frozen = SharedBank(bank.realm.freeze())
    self.frozen.append((frozen, frozen.state))
    if self.frozen.count > 3 { self.frozen.removeFirst() }
  }

  /// Makes asynchronous writes, and waits for all.
  func writeOnQueue(_ writes: [(counter: Int, seed: UInt64)]) -> (any Error)? {
    let (place, log) = (place, log)
    let ended = DispatchSemaphore(value: 0)
    do {
      try queue.sync {
        let configuration = SharedBank.configuration(
          place.path, isRelaxed: bank.realm.configuration.durability == .relaxed)
        let realm = try queueRealm ?? Realm(configuration: configuration, queue: queue)
        queueRealm = realm
        let bank = SharedBank(realm)
        for write in writes {
          var number = 0
          realm.writeAsync {
            number = bank.sign(process: place.process, counter: write.counter)
            var random = SplitMix64(seed: write.seed)
            bank.transfer(&random)
          } onComplete: { error in
            if let error {
              log.add(refused: write.counter, error)
            } else {
              log.add("queued \(write.counter) \(number) \(SharedLog.moment)")
            }
            ended.signal()
          }
        }
      }
    } catch {
      return error
    }
    for _ in writes { ended.wait() }
    return nil
  }

  func close() {
    look()
    for token in tokens { token.invalidate() }
    (tokens, frozen) = ([], [])
    queue.sync { queueRealm = nil }
  }
}
