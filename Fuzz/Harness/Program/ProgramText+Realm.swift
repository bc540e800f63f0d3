import Fief

extension ProgramText {
  /// The text of a managed node.
  init(_ node: FuzzNode) {
    self.init(
      id: node.id, text: node.text, small: Int(node.small), link: node.link?.id,
      part: node.part.map { ($0.size, $0.label, $0.node?.id) }, any: Self.any(node.any),
      links: node.links.map(\.id), parts: node.parts.map(\.size), numbers: Array(node.numbers),
      anys: Self.any(node.anys), words: node.words.sorted(),
      friends: node.friends.map(\.id).sorted(),
      map: node.map.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" },
      named: node.named.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.map { "\($0.id)" } ?? "nil")" },
      origins: node.origins.map(\.id).sorted())
  }

  private static func any(_ value: AnyRealmValue) -> String {
    switch value {
    case .none: "none"
    case .int(let number): "\(number)"
    case .string(let text): "'\(text)'"
    case .object(let object): "node \((object as? FuzzNode)?.id ?? -1)"
    case .list(let list): any(list)
    case .dictionary(let map):
      "{\(map.sorted { $0.key < $1.key }.map { "\($0.key): \(any($0.value))" }.joined(separator: ", "))}"
    default: "another value"
    }
  }

  static func any(_ list: List<AnyRealmValue>) -> String { "[\(list.map(any).joined(separator: ", "))]" }

  /// All nodes of a realm as text, in the order of their keys.
  static func all(_ realm: Realm) -> String {
    realm.objects(FuzzNode.self).sorted(byKeyPath: "id").map { ProgramText($0).description }.joined(separator: "\n")
  }
}
