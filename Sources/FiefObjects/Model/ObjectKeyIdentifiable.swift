import FiefGraph
import FiefSessions

/// Makes a model class `Identifiable` by the identity of its rows, as views require.
///
///     class Dog: Object, ObjectKeyIdentifiable {
///       @Persisted var name = ""
///     }
///
/// The number stays constant as long as the object exists, and all live and frozen accessors of one row share it. An
/// unmanaged object has a number of its instance. Traps for an invalidated object.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// A number that identifies the object.
  var id: UInt64 { get }
}

/// The misspelled name that older code uses for `ObjectKeyIdentifiable`.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// A number that identifies the object.
  ///
  ///     let rows = dogs.map { (id: $0.id, name: $0.name) }
  public var id: UInt64 { rowIdentity }
}

extension ObjectBase {
  /// A number that differs between all rows of a realm: the row's key, combined with the table in the upper bits.
  ///
  /// Keys of one table ascend, so two rows share a number only beyond 2⁴⁴ rows.
  package final var rowIdentity: UInt64 {
    guard isManaged, let link = rowLink else { return unsafe UInt64(UInt(bitPattern: address)) }
    if !hasRow { Misuse.invalidated(self) }
    return UInt64(link.table.rawValue) << 44 ^ UInt64(bitPattern: link.key.rawValue)
  }
}
