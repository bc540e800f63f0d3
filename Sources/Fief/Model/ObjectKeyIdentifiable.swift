import FiefGraph

/// Makes a model class `Identifiable` by what it is in its realm, as views want it.
///
///     class Dog: Object, ObjectKeyIdentifiable {
///       @Persisted var name = ""
///     }
///
/// The number stays the same for as long as the object lives, and is the same for all accessors of one row, live and
/// frozen. An unmanaged object has the number of its instance. Traps for an object that is invalidated.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// The number that names the object.
  var id: UInt64 { get }
}

/// The name that older code has for `ObjectKeyIdentifiable`.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// The number that names the object.
  public var id: UInt64 { rowIdentity }
}

extension ObjectBase {
  /// A number that differs between all rows of a realm: the key, with the table in the upper bits.
  ///
  /// Keys of one table are given out upwards, so the two meet in one number only beyond 2⁴⁴ rows.
  final var rowIdentity: UInt64 {
    guard isManaged, let link else { return UInt64(UInt(bitPattern: address)) }
    if !hasRow { Misuse.invalidated(self) }
    return UInt64(link.table.rawValue) << 44 ^ UInt64(bitPattern: link.key.rawValue)
  }
}
