import Fief
import FiefValues
import Foundation

/// A class with a property of each kind, and a primary key.
final class FuzzNode: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var flag = false
  @Persisted(indexed: true) var text = ""
  @Persisted var small: Int8 = 0
  @Persisted var float: Float = 0
  @Persisted var double = 0.5
  @Persisted var data: Data?
  @Persisted var date: Date?
  @Persisted var uuid: UUID?
  @Persisted var decimal: Decimal128?
  @Persisted var oid: ObjectId?
  @Persisted var any: AnyRealmValue
  @Persisted var link: FuzzNode?
  @Persisted var part: FuzzPart?
  @Persisted var links: List<FuzzNode>
  @Persisted var parts: List<FuzzPart>
  @Persisted var numbers: List<Int>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var words: MutableSet<String>
  @Persisted var friends: MutableSet<FuzzNode>
  @Persisted var map: Map<String, Int>
  @Persisted var named: Map<String, FuzzNode?>
  @Persisted(originProperty: "link") var origins: LinkingObjects<FuzzNode>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A part of a node.
final class FuzzPart: EmbeddedObject {
  @Persisted var size = 0
  @Persisted var label: String?
  @Persisted var inner: FuzzPart?
  @Persisted var node: FuzzNode?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The work of the targets with realms of these classes.
enum FuzzRealm {
  static let classes: [ObjectBase.Type] = [FuzzNode.self, FuzzPart.self]

  /// A new realm in memory.
  static func inMemory() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: classes)) }

  /// Throws a finding if the invariants of what the realm shows do not hold.
  static func checkInvariants(_ realm: Realm, _ when: String) throws {
    if let fault = realm.graph.checkInvariants().first { throw Finding("\(when): \(fault)") }
  }

  /// Throws a finding if an error's description is long.
  static func checkShort(_ error: any Swift.Error) throws {
    let count = "\(error)".utf8.count
    try expect(count < 8192, "An error has \(count) bytes.")
  }

  /// Throws a finding if two nodes, or the nodes at the end of their links, differ in a single value.
  ///
  /// A value that is printed wrongly is printed twice as the same; so copies are compared with their originals.
  static func compareValues(_ node: FuzzNode, _ copy: FuzzNode) throws {
    var (one, other): (FuzzNode?, FuzzNode?) = (node, copy)
    for _ in 0..<20 {
      guard let first = one, let second = other else { return }
      for (name, read) in singleValues {
        let (a, b) = (read(first), read(second))
        try expect(a == b, "A document changes \(name) from \(a) to \(b).")
      }
      (one, other) = (first.link, second.link)
    }
  }

  /// Single values as text of all their digits.
  private static let singleValues: [(String, @Sendable (FuzzNode) -> String)] = [
    ("id", { "\($0.id)" }), ("flag", { "\($0.flag)" }), ("text", { "\($0.text.utf8.count) \($0.text)" }),
    ("small", { "\($0.small)" }), ("float", { "\($0.float)" }), ("double", { "\($0.double)" }),
    ("data", { $0.data?.base64EncodedString() ?? "nil" }),
    ("date", { $0.date.map { "\($0.timeIntervalSinceReferenceDate)" } ?? "nil" }),
    ("uuid", { "\($0.uuid as Any)" }), ("decimal", { "\($0.decimal as Any)" }), ("oid", { "\($0.oid as Any)" }),
    ("any", { text($0.any) }), ("anys", { $0.anys.map(text).description }),
    ("numbers", { Array($0.numbers).description }),
  ]

  private static func text(_ value: AnyRealmValue) -> String {
    switch value {
    case .date(let date): "date \(date.timeIntervalSinceReferenceDate)"
    case .data(let data): "data \(data.base64EncodedString())"
    case .object, .list, .dictionary: "an object or a collection"
    default: "\(value)"
    }
  }

  /// The document of an object as text.
  static func text(_ object: ObjectBase) throws -> String {
    String(decoding: try ObjectDocument(object).json(), as: UTF8.self)
  }
}
