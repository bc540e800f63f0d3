import FiefBoundarySupport

/// What the writes of a recorded process have come to up to some call, and which states may be found after it.
struct Outcomes {
  /// The last write that returned as durable.
  private(set) var durable = 0
  /// The last write that returned.
  private var returned = 0
  /// The states that a number may stand for.
  private var digests: [Int: Set<String>] = [:]
  private let closingIsDurable: Bool

  /// - Parameters:
  ///   - number: what was found before the process began, if it did not begin with nothing.
  ///   - digest: the same.
  ///   - closingIsDurable: whether closing a store made everything durable. A process is not told when closing failed.
  init(number: Int = 0, digest: String = Ledger.emptyDigest, closingIsDurable: Bool = false) {
    durable = number
    returned = number
    digests[number] = [digest]
    self.closingIsDurable = closingIsDurable
  }

  /// Takes note of what a process says between its calls.
  mutating func apply(_ call: RecordedCall) {
    let words = call.note
    if words.first == "closed", closingIsDurable { durable = returned }
    guard words.count > 1, let number = Int(words[1]) else { return }
    switch words[0] {
    case "start": digests[number, default: []].insert(words[2])
    case "done":
      returned = number
      durable = max(durable, number)
    case "relaxed": returned = number
    case "refused": digests[number] = nil
    default: break
    }
  }

  /// Why a state must not be found; nil when it may.
  func fault(ofFinding number: Int, _ digest: String) -> String? {
    if number < durable { return "write \(durable) was acknowledged, and \(number) is found" }
    guard let expected = digests[number] else { return "write \(number) was never begun, or was refused" }
    return expected.contains(digest) ? nil : "write \(number) shows \(digest), not \(expected)"
  }
}
