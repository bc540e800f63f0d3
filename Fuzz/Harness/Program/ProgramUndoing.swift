import Fief

/// The commits of a program that can be undone, and those that were: the models of before and after.
struct ProgramUndoing {
  typealias Step = (before: ProgramModel, after: ProgramModel)

  var done: [Step] = []
  var undone: [Step] = []
  private var group: Step?

  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Records a commit. It ends what could be redone.
  mutating func record(_ before: ProgramModel, _ after: ProgramModel, isGrouping: Bool) {
    undone = []
    if isGrouping { group = (group?.before ?? before, after) } else { done.append((before, after)) }
  }

  mutating func endGroup() {
    if let group { done.append(group) }
    group = nil
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
