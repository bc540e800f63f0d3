import Fief

/// The commits of a program that can be undone, and those that were.
struct ProgramUndoing {
  /// What a commit led from, to which undoing it leads back, and what it led to.
  struct Step {
    let before: ProgramModel
    let after: ProgramModel
  }

  var done: [Step] = []
  var undone: [Step] = []
  private var group: Step?

  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Records a commit. It ends what could be redone.
  mutating func record(_ before: ProgramModel, _ after: ProgramModel, isGrouping: Bool) {
    undone = []
    if isGrouping {
      group = Step(before: group?.before ?? before, after: after)
    } else {
      done.append(Step(before: before, after: after))
    }
  }

  mutating func endGroup() {
    if let group { done.append(group) }
    group = nil
  }
}

extension ProgramUndoing.Step {
  /// What taking back this step leads to, when others have committed since then; nil if both have changed the same
  /// collection, which is known by its elements alone.
  func takenBack(from now: ProgramModel) -> ProgramModel? {
    var result = now
    for id in changed(before, after) {
      let (old, new, current) = (before.nodes[id], after.nodes[id], now.nodes[id])
      guard let old, let new, old.birth == new.birth else {
        result.nodes[id] = old
        continue
      }
      guard var node = current else { return nil }
      func take<Value: Equatable>(_ property: WritableKeyPath<ProgramModel.Node, Value>) -> Bool {
        if old[keyPath: property] == new[keyPath: property] { return true }
        let isOthers = node[keyPath: property] != new[keyPath: property]
        node[keyPath: property] = old[keyPath: property]
        return !isOthers
      }
      let isKnown = [
        take(\.text), take(\.small), take(\.link), take(\.part), take(\.any), take(\.links), take(\.parts),
        take(\.numbers), take(\.anys), take(\.words), take(\.friends), take(\.map), take(\.named),
      ]
      if isKnown.contains(false) { return nil }
      result.nodes[id] = node
    }
    return result
  }

  /// Whether what others have committed since then may stand in the way.
  func mayConflict(with now: ProgramModel) -> Bool {
    let (mine, theirs) = (changed(before, after), changed(after, now))
    // Their nodes link to mine, which go, or mine to theirs, which are gone.
    return !mine.isDisjoint(with: theirs)
      || theirs.contains { !mine.isDisjoint(with: now.nodes[$0]?.targets ?? []) }
      || mine.contains { !theirs.isDisjoint(with: before.nodes[$0]?.targets ?? []) }
  }

  private func changed(_ old: ProgramModel, _ new: ProgramModel) -> Set<Int> {
    Set(Set(old.nodes.keys).union(new.nodes.keys).filter { old.nodes[$0] != new.nodes[$0] })
  }
}

/// The changes between two versions, by their models.
struct ProgramChanges {
  let (old, new): (ProgramModel, ProgramModel)

  init(old: ProgramModel, new: ProgramModel) { (self.old, self.new) = (old, new) }

  /// Throws a finding unless the changes of the class are those.
  func check(_ changes: ClassChanges?) throws {
    try compare("inserted", changes?.insertions ?? [], new, without: old)
    try compare("deleted", changes?.deletions ?? [], old, without: new)
    var modified: [Int: Set<String>] = [:]
    for change in changes?.modifications ?? [] {
      guard let id = change.object["id"] as? Int else { throw Finding("A modified node has no key.") }
      modified[id] = Set(change.properties.map(\.name))
      guard let (before, after) = both(id) else { throw Finding("Node \(id) was not there before and after.") }
      try compare(change.oldObject, before, "before")
      try compare(change.object, after, "after")
    }
    for id in new.keys {
      guard let (before, after) = both(id) else { continue }
      for (name, differ) in Self.properties where differ(before, after) {
        try expect(modified[id]?.contains(name) ?? false, "The change of \(name) of node \(id) is not told.")
      }
    }
  }

  /// A node that both versions have.
  private func both(_ id: Int) -> (ProgramModel.Node, ProgramModel.Node)? {
    guard let before = old.nodes[id], let after = new.nodes[id], before.birth == after.birth else { return nil }
    return (before, after)
  }

  private static let properties: [(String, @Sendable (ProgramModel.Node, ProgramModel.Node) -> Bool)] = [
    ("text", { $0.text != $1.text }), ("small", { $0.small != $1.small }), ("link", { $0.link != $1.link }),
    ("any", { $0.any != $1.any }), ("links", { $0.links != $1.links }), ("numbers", { $0.numbers != $1.numbers }),
    ("anys", { $0.anys != $1.anys }), ("words", { $0.words != $1.words }), ("friends", { $0.friends != $1.friends }),
    ("map", { $0.map != $1.map }), ("named", { $0.named != $1.named }),
  ]

  private func compare(
    _ what: String, _ objects: [DynamicObject], _ model: ProgramModel, without other: ProgramModel
  ) throws {
    let expected = model.keys.filter { model.nodes[$0]?.birth != other.nodes[$0]?.birth }
    let found = objects.compactMap { $0["id"] as? Int }.sorted()
    try expect(found == expected, "\(found) are said to be \(what), and \(expected) are.")
    for object in objects {
      if let id = object["id"] as? Int, let node = model.nodes[id] { try compare(object, node, what) }
    }
  }

  private func compare(_ object: DynamicObject, _ node: ProgramModel.Node, _ what: String) throws {
    let text = object["text"] as? String
    let numbers = (object["numbers"] as? List<Int>).map { Array($0) }
    try expect(
      text == node.text && numbers ?? node.numbers == node.numbers,
      "A node \(what) has '\(text ?? "")' and \(numbers ?? []), and not '\(node.text)' and \(node.numbers).")
  }
}
