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

/// What the targets do with realms of these classes.
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

  /// The document of an object as text.
  static func text(_ object: ObjectBase) throws -> String {
    String(decoding: try ObjectDocument(object).json(), as: UTF8.self)
  }
}
