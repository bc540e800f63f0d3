import Fief

/// Applies change sets to what it was shown first. A node that no change set names must be as it was.
final class ProgramObserver {
  private var shown: [String] = []
  private var fault: String?
  private let current: () -> [String]
  private(set) var token: NotificationToken?

  /// Observes nodes: all, by a condition, sorted, or sorted and by a condition.
  init(_ kind: Int, _ realm: Realm) {
    let all = realm.objects(FuzzNode.self)
    let view =
      switch kind % 4 {
      case 0: all
      case 1: all.where { $0.small > 3 }
      case 2: all.sorted(byKeyPath: "small", ascending: false)
      default: all.filter("links.@count > 0").sorted(byKeyPath: "text")
      }
    func texts(_ view: Results<FuzzNode>) -> [String] { view.map { ProgramText($0).own } }
    current = { texts(view) }
    token = view.observe { [unowned self] change in
      switch change {
      case .initial(let view): shown = texts(view)
      case .update(let view, let deletions, let insertions, let modifications):
        apply(deletions, insertions, modifications, texts(view))
      case .error(let error): fault = "\(error)"
      }
    }
  }

  private func apply(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int], _ now: [String]) {
    let sets = "-\(deletions) +\(insertions) ~\(modifications)"
    var next: [String?] = shown
    guard (deletions + modifications).allSatisfy({ $0 < next.count }), insertions.allSatisfy({ $0 < now.count }) else {
      return fault = "\(sets) of \(shown), and \(now) is there"
    }
    // Nothing is known of these but their places.
    for index in modifications { next[index] = nil }
    for index in deletions.reversed() { next.remove(at: index) }
    for index in insertions {
      guard index <= next.count else { return fault = "\(index) is inserted in \(next)" }
      next.insert(nil, at: index)
    }
    if next.count != now.count || zip(next, now).contains(where: { $0 != nil && $0 != $1 }) {
      fault = "\(sets) of \(shown) leads to \(next), and \(now) is there"
    }
    shown = now
  }

  /// Throws a finding if a change set was wrong, or if one was missed.
  func check() throws {
    if let fault { throw Finding("A change set is wrong: \(fault)") }
    let now = current()
    try expect(shown == now, "An observer was shown \(shown), and \(now) is there.")
  }
}
