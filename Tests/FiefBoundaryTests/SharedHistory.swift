import FiefBoundarySupport
import FiefTestSupport

/// What processes that shared a file did and saw, by their logs, and whether that is possible.
///
/// All commits stand in one order. Each process sees beginnings of it, which grow. A refresh sees at least what was
/// acknowledged before it began, unless it waited in vain for a write of another process.
struct SharedHistory {
  /// A commit of one process.
  private struct Commit: Hashable {
    let process: Int
    let counter: Int
  }

  /// How often each thing happened.
  private(set) var counts: [String: Int] = [:]
  /// The longest step, without the time for which a process was stopped, in nanoseconds.
  private(set) var longestWait = 0
  /// The first thing that must not be.
  private(set) var fault: String?
  private var begun: Set<Commit> = []
  private var acknowledged: [Commit: Int] = [:]
  private var refused: Set<Commit> = []
  private var seen: [Int: (marks: Int, digest: String, process: Int)] = [:]
  private var acknowledgements: [(moment: Int, number: Int)] = []
  private var looks: [(moment: Int, number: Int, process: String)] = []
  private let stops: [Range<Int>]
  private let errors: Errors

  /// Which errors processes may meet.
  enum Errors {
    case none
    /// The disk is full.
    case fullDisk
    /// Calls of processes were made to fail.
    case any

    func allows(_ code: String) -> Bool {
      switch self {
      case .none: false
      case .fullDisk: code == "outOfDiskSpace"
      case .any: true
      }
    }
  }

  /// - Parameters:
  ///   - stops: when processes were stopped.
  ///   - errors: what processes may meet.
  init(stops: [Range<Int>], errors: Errors) {
    self.stops = stops
    self.errors = errors
  }

  /// The time that no process may exceed while no other is stopped, in nanoseconds. Machines are slow at times, so this
  /// is about waiting forever.
  static let longestPossibleWait = 30_000_000_000

  /// The time within which a refresh has not waited in vain, in nanoseconds.
  private static let refreshTime = 50_000_000

  private mutating func fail(_ words: String) { fault = fault ?? words }

  /// Adds the log of a process.
  mutating func add(_ lines: [[String]], of process: Int, isReader: Bool) {
    var last = 0
    for words in lines {
      func number(_ index: Int) -> Int { words.count > index ? Int(words[index]) ?? -1 : -1 }
      let commit = Commit(process: process, counter: number(1))
      counts[words[0] == "ran" && words.count > 1 ? words[1] : words[0], default: 0] += 1
      switch words[0] {
      case "begin": begun.insert(commit)
      case "done", "queued":
        acknowledged[commit] = number(2)
        acknowledgements.append((number(3), number(2)))
        if words[0] == "done" {
          if number(2) <= last { fail("process \(process) made commit \(number(2)) after it saw \(last)") }
          last = number(2)
        }
      case "refused", "unknown":
        if words[0] == "refused" { refused.insert(commit) }
        if !errors.allows(words[2]) { fail("process \(process): \(words.joined(separator: " "))") }
      case "looked":
        // A refresh waits for a tenth of a second, and leaves what it has not seen for later.
        if number(2) - number(1) < Self.refreshTime {
          looks.append(
            (
              number(1), number(3),
              "\(isReader ? "reader" : "process") \(process), \((number(2) - number(1)) / 1000) µs"
            ))
        } else {
          counts["waited in vain", default: 0] += 1
        }
      case "saw":
        if number(1) < last { fail("process \(process) saw \(number(1)) after \(last)") }
        last = number(1)
        let before = seen[number(1)]
        if let before, before.marks != number(2) || before.digest != words[3] {
          fail("version \(number(1)) is \(before) and, for process \(process), \(words)")
        }
        if before == nil { seen[number(1)] = (number(2), words[3], process) }
      case "wrong": fail("process \(process): \(words.joined(separator: " "))")
      case "waited":
        let time = number(2) - number(1) - stopped(between: number(1), number(2))
        longestWait = max(longestWait, time)
        if time > Self.longestPossibleWait { fail("process \(process): \(words[3...]) took \(time / 1_000_000) ms") }
      case "not-opened":
        // A reader creates no file.
        let isEarly = isReader && words[1] == "fileNotFound"
        if !isEarly, !errors.allows(words[1]) { fail("process \(process): \(words.joined(separator: " "))") }
      case "threw":
        if words.count < 3 || !errors.allows(words[2]) { fail("process \(process): \(words.joined(separator: " "))") }
      default: break
      }
    }
  }

  /// How long some process was stopped during a time.
  private func stopped(between start: Int, _ end: Int) -> Int {
    var (total, reached) = (0, start)
    for stop in stops.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let from = max(stop.lowerBound, reached)
      let until = min(stop.upperBound, end)
      if until > from {
        total += until - from
        reached = until
      }
    }
    return total
  }

  /// Compares what was seen with what the file holds in the end.
  mutating func compare(with bank: SharedBank) {
    let deeds = bank.realm.objects(Deed.self).sorted(byKeyPath: "number")
    if let problem = bank.state.problem { return fail("in the end \(problem)") }
    var (marks, found) = ([0], [Commit: Int]())
    for (index, deed) in deeds.enumerated() {
      let commit = Commit(process: deed.process, counter: deed.counter)
      if deed.number != index + 1 { fail("commit \(index + 1) has the number \(deed.number)") }
      if found.updateValue(deed.number, forKey: commit) != nil { fail("\(commit) is there twice") }
      if commit.process > 0, !begun.contains(commit) { fail("\(commit) was not begun") }
      if refused.contains(commit) { fail("\(commit) was refused and is there") }
      marks.append(marks[index] + SharedBank.mark(process: deed.process, counter: deed.counter))
    }
    for (commit, number) in acknowledged where found[commit] != number {
      fail("\(commit), acknowledged as \(number), is \(found[commit].map(String.init) ?? "lost")")
    }
    for (number, state) in seen where number >= marks.count || marks[number] != state.marks {
      fail("process \(state.process) saw version \(number), which is not the first \(number) commits")
    }
    // A process whose calls fail may not see the newest version.
    if errors != .any { checkOrder() }
  }

  /// A refresh must see what was acknowledged before it began.
  private mutating func checkOrder() {
    let order = acknowledgements.sorted { $0.moment < $1.moment }
    var (next, highest) = (0, 0)
    for look in looks.sorted(by: { $0.moment < $1.moment }) {
      while next < order.count, order[next].moment < look.moment {
        highest = max(highest, order[next].number)
        next += 1
      }
      guard look.number < highest else { continue }
      counts["late refresh", default: 0] += 1
      // Short runs count late refreshes. A run at night fails on the first.
      if Effort.current == .night {
        fail(
          "a refresh of \(look.process) at \(look.moment) led to \(look.number), and \(highest) was acknowledged before"
        )
      }
    }
  }

  /// How many versions were seen.
  var versions: Int { seen.count }
}
