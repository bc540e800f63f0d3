import Fief

/// An object, a collection or a query that was given out once, and is read after each later step.
final class ProgramHeld {
  private let id: Int
  private let birth: Int
  private let kind: Int
  private let node: FuzzNode
  private let part: FuzzPart?
  private let partBirth: Int?
  private let read: () -> String
  /// Whether what it shows has been away. It may be shown again when it is back.
  private var (wasGone, wasPartGone) = (false, false)

  /// Holds something of a node that is there.
  init(_ kind: Int, _ node: FuzzNode, _ twin: ProgramModel.Node, _ realm: Realm) {
    (id, birth, self.kind, self.node) = (node.id, twin.birth, kind % Self.kinds.count, node)
    (part, partBirth) = (node.part, twin.part?.birth)
    read = Self.kinds[self.kind].read(node, realm)
  }

  private typealias Kind = (
    read: (FuzzNode, Realm) -> () -> String, model: (ProgramModel, ProgramModel.Node) -> String, isQuery: Bool
  )

  private static var kinds: [Kind] {
    [
      ({ node, _ in { ProgramText(node).description } }, { $0.text($1.id) }, false),
      (
        { node, _ in
          let (links, friends) = (node.links, node.friends)
          return { "\(Array(links.map(\.id))) \(friends.map(\.id).sorted())" }
        }, { "\($1.links) \($1.friends.sorted())" }, false
      ),
      (
        { node, _ in
          let (numbers, parts, anys) = (node.numbers, node.parts, node.anys)
          return { "\(Array(numbers)) \(Array(parts.map(\.size))) \(ProgramText.any(anys))" }
        }, { "\($1.numbers) \($1.parts) \(ProgramModel.AnyValue.list($1.anys).text)" }, false
      ),
      (
        { node, _ in
          let (map, named, origins) = (node.map, node.named, node.origins)
          return {
            "\(map.count) \(map["k1"] ?? -1) \(named.count) \((named["k1"] ?? nil)?.id ?? -1) "
              + "\(origins.map(\.id).sorted())"
          }
        },
        {
          "\($1.map.count) \($1.map["k1"] ?? -1) \($1.named.count) \(($1.named["k1"] ?? nil) ?? -1) "
            + "\($0.origins(of: $1.id))"
        }, false
      ),
      (
        { _, realm in
          let found = realm.objects(FuzzNode.self).where { $0.small > 3 }
          return { "\(found.map(\.id).sorted()) \(found.count)" }
        },
        { model, _ in
          let keys = model.keys.filter { model.nodes[$0].map { $0.small > 3 } ?? false }
          return "\(keys) \(keys.count)"
        }, true
      ),
      (
        { _, realm in
          let found = realm.objects(FuzzNode.self).sorted(by: [SortDescriptor(keyPath: "text"), "id"]).limit(5)
          return { "\(Array(found.map(\.id)))" }
        },
        { model, _ in
          func before(_ a: Int, _ b: Int) -> Bool {
            let (x, y) = (model.nodes[a]?.text ?? "", model.nodes[b]?.text ?? "")
            return x == y ? a < b : x.utf8.lexicographicallyPrecedes(y.utf8)
          }
          return "\(Array(model.keys.sorted(by: before).prefix(5)))"
        }, true
      ),
      (
        { node, _ in
          let found = node.links.where { $0.small >= 0 && $0.link != nil }
          return { "\(Array(found.map(\.id)))" }
        }, { model, node in "\(node.links.filter { model.nodes[$0]?.link != nil })" }, false
      ),
    ]
  }

  /// Throws a finding if it shows something else than the model.
  func check(_ model: ProgramModel, _ when: String) throws {
    let (_, text, isQuery) = Self.kinds[kind]
    let twin = model.nodes[id].flatMap { $0.birth == birth ? $0 : nil }
    if !isQuery {
      guard try isShown(node, twin != nil, &wasGone, "\(when): a held node \(id)") else { return }
    }
    if let expected = isQuery ? text(model, ProgramModel.Node(id: id, birth: birth)) : twin.map({ text(model, $0) }) {
      let found = read()
      try expect(found == expected, "\(when): kind \(kind) of \(id) is held as \(found), and must be \(expected).")
    }
    guard let part else { return }
    let name = "\(when): a held part of \(id)"
    guard try isShown(part, twin?.part.map { $0.birth == partBirth } ?? false, &wasPartGone, name) else { return }
    try expect(part.size == twin?.part?.size, "\(name) has the size \(part.size).")
  }

  /// Whether an object is valid, which it must be if it is there. One that was gone, and is back, may be.
  private func isShown(_ object: ObjectBase, _ isThere: Bool, _ wasGone: inout Bool, _ name: String) throws -> Bool {
    if !isThere { wasGone = true }
    try expect(isThere || object.isInvalidated, "\(name) is valid, and must not be.")
    try expect(!isThere || wasGone || !object.isInvalidated, "\(name) is invalid, and must not be.")
    return !object.isInvalidated
  }
}
