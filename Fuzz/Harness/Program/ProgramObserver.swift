import Fief

/// Applies change sets to what it was shown first.
final class ProgramObserver {
  private var shown: [Int] = []
  private var fault: String?
  private let current: () -> [Int]
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
    current = { view.map(\.id) }
    token = view.observe { [unowned self] change in
      switch change {
      case .initial(let view): shown = view.map(\.id)
      case .update(let view, let deletions, let insertions, let modifications):
        apply(deletions, insertions, modifications, Array(view.map(\.id)))
      case .error(let error): fault = "\(error)"
      }
    }
  }

  private func apply(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int], _ now: [Int]) {
    for index in deletions.reversed() {
      guard index < shown.count else { return fault = "\(index) is deleted from \(shown)" }
      shown.remove(at: index)
    }
    for index in insertions {
      guard index <= shown.count, index < now.count else { return fault = "\(index) is inserted in \(shown)" }
      shown.insert(now[index], at: index)
    }
    if modifications.contains(where: { $0 >= now.count + deletions.count }) { fault = "\(modifications) of \(now)" }
    if shown != now { fault = "-\(deletions) +\(insertions) leads to \(shown), and \(now) is there" }
  }

  /// Throws a finding if a change set was wrong, or if one was missed.
  func check() throws {
    if let fault { throw Finding("A change set is wrong: \(fault)") }
    let now = current()
    try expect(shown == now, "An observer was shown \(shown), and \(now) is there.")
  }
}
