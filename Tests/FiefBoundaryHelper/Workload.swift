import Fief
import FiefBoundarySupport
import Foundation

/// Random writes to a ledger through the public interface. It opens and closes the ledger and makes full and relaxed
/// commits, checkpoints and copies. The record contains the result of each, between the calls:
///
///     start NUMBER DIGEST    a write is about to be committed
///     done NUMBER            it returned, and is durable
///     relaxed NUMBER         it returned, and may be lost by a power failure
///     refused NUMBER CODE DIGEST
///                            it threw, and must not appear later; an earlier write of that number may
///     unknown NUMBER CODE DIGEST
///                            it threw, and may appear later
///     closed                 no part of the store is open
struct Workload {
  let path: String
  var random: SplitMix64
  let steps: Int
  let isThreaded: Bool

  mutating func run() {
    var left = steps
    while left > 0 {
      let isRelaxed = random.below(5) == 0
      do {
        let ledger = try Ledger(path, isRelaxed: isRelaxed)
        let count = min(left, 1 + random.below(12))
        left -= count
        if isThreaded && !isRelaxed {
          guard try runBeside(ledger, count) else { return }
        } else {
          for _ in 0..<count { guard try step(ledger, isRelaxed) else { return } }
        }
        // Long enough for the work that follows commits: everything is synchronized and marked as such.
        if random.below(60) == 0 { usleep(700_000) }
      } catch {
        note("not-opened \(code(of: error))")
        return
      }
      note("closed")
    }
  }

  /// Two threads write concurrently.
  private mutating func runBeside(_ ledger: Ledger, _ count: Int) throws -> Bool {
    let seed = random.next()
    let path = path
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var other = Workload(path: path, random: SplitMix64(seed: seed), steps: 0, isThreaded: true)
      if let ledger = try? Ledger(path) {
        for _ in 0..<count { guard (try? other.step(ledger, false)) == true else { break } }
      }
      done.signal()
    }
    var goesOn = true
    for _ in 0..<count where goesOn { goesOn = try step(ledger, false) }
    done.wait()
    return goesOn
  }

  /// - Returns: whether the store accepts further writes.
  private mutating func step(_ ledger: Ledger, _ isRelaxed: Bool) throws -> Bool {
    switch random.below(12) {
    case 0:
      do { try ledger.realm.compact() } catch { note("not-compacted \(code(of: error))") }
      return true
    case 1:
      let copy = path + ".copy"
      try? ledger.realm.writeCopy(toFile: URL(fileURLWithPath: copy))
      unlink(copy)
      return true
    default: return write(ledger, isRelaxed)
    }
  }

  private mutating func write(_ ledger: Ledger, _ isRelaxed: Bool) -> Bool {
    var (number, digest) = (0, "")
    do {
      try ledger.realm.write {
        for _ in 0...random.below(4) { change(ledger.realm) }
        number = ledger.countWrite()
        digest = "\(ledger.digest)"
        note("start \(number) \(digest)")
      }
      note("\(isRelaxed ? "relaxed" : "done") \(number)")
      return true
    } catch {
      let code = code(of: error)
      note("\(code == "commitOutcomeUnknown" ? "unknown" : "refused") \(number) \(code) \(digest)")
      return code != "commitOutcomeUnknown" && code != "storeIsReadOnly"
    }
  }

  private mutating func change(_ realm: Realm) {
    let id = random.below(20)
    let entry = realm.object(ofType: Entry.self, forPrimaryKey: id)
    switch (random.below(5), entry) {
    case (0, let entry?): realm.delete(entry)
    case (1, let entry?): entry.numbers.append(random.below(1000))
    case (2, let entry?): entry.next = realm.object(ofType: Entry.self, forPrimaryKey: random.below(20))
    default:
      let text = String(repeating: "entry \(random.below(100)) ", count: random.below(60))
      realm.create(Entry.self, value: ["id": id, "text": text], update: .modified)
    }
  }
}
