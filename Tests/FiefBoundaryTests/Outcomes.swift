import FiefBoundarySupport

/// The results of the writes of a recorded process up to a call, and the states that may be found after it.
struct Outcomes {
  /// The last write that returned as durable.
  private(set) var durable = 0
  /// The last write that returned.
  private var returned = 0
  /// The possible digests of each number.
  private var digests: [Int: Set<String>] = [:]
  private let closingIsDurable: Bool

  /// - Parameters:
  ///   - number: the number found before the process began; 0 if it began without a realm.
  ///   - digest: the digest found before the process began.
  ///   - closingIsDurable: whether closing a store makes everything durable. A process gets no error when closing
  ///     fails.
  init(number: Int = 0, digest: String = Ledger.emptyDigest, closingIsDurable: Bool = false) {
    durable = number
    returned = number
    digests[number] = [digest]
    self.closingIsDurable = closingIsDurable
  }

  /// Evaluates a note of the process between its calls.
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
    case "refused" where words.count > 3:
      // After a failed disk, a write begins at the last durable state, and so with a number that another one had.
      digests[number]?.remove(words[3])
      if digests[number]?.isEmpty ?? false { digests[number] = nil }
    default: break
    }
  }

  /// The reason why a state must not be found; nil if it may be found.
  func fault(ofFinding number: Int, _ digest: String) -> String? {
    if number < durable { return "write \(durable) was acknowledged, and \(number) is found" }
    guard let expected = digests[number] else { return "write \(number) was never begun, or was refused" }
    return expected.contains(digest) ? nil : "write \(number) shows \(digest), not \(expected)"
  }
}
