import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions

/// The common base of `RealmProperty` and `RealmOptional`: holds one value at first, which is in the row once the
/// object is managed.
///
///     unmanaged   `storage` holds the value
///     managed     `row` is where it is stored; reads and writes go through the object,
///                 or, when that was released, through another accessor of the row
///
/// It does not retain the object that contains it.
public class _PropertyObject<Content: _Persistable> {
  private var storage: Content._Storage?
  private weak var owner: ObjectBase?
  private var index = 0
  private var row: RowBinding?

  init(_ value: Content) { storage = Content._wrap(value) }

  final var content: Content {
    get {
      if let object { return Content._load(object, index) }
      if let owner, owner.flags.contains(.tracing) {
        PropertyTrace.insert(self)
        return owner.trace(Content.self, index)
      }
      return storage.map(Content._unwrap) ?? Content._makeDefault()
    }
    set {
      if let object {
        Content._save(newValue, to: object, index)
      } else {
        storage = Content._wrap(newValue)
      }
    }
  }

  /// An accessor of the row; nil while the object is unmanaged.
  private var object: ObjectBase? {
    guard let row else { return nil }
    if let owner, owner.isManaged { return owner }
    // Checked before the accessor is stored in `owner`. Any number of threads may read a frozen property, so it stores
    // nothing.
    row.session.checkConfinement()
    let made = row.session.accessor(row.binding, row.key)
    if !row.session.isFrozen { owner = made }
    return made
  }
}

extension _PropertyObject: TracedField {
  final func notePassed() {
    guard let owner, owner.flags.contains(.tracing) else { return }
    unsafe PropertyTrace.note(self, of: Borrowed(owner), index)
  }
}

extension _PropertyObject: Equatable where Content: Equatable {
  /// Whether both have the same value.
  public static func == (a: _PropertyObject, b: _PropertyObject) -> Bool { a.content == b.content }
}

extension _PropertyObject: CustomStringConvertible {
  /// A description of the value.
  public var description: String { flattened(content).map { "\($0)" } ?? "nil" }
}

extension _PropertyObject: Encodable where Content: Encodable {
  /// Writes the value, or null.
  ///
  /// - Throws: the error of the encoder, or of the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(content)
  }
}

// The field contains a reference to the object.
extension _PropertyObject: AnyPersistedField {
  static var tagOffset: Int? { nil }

  private static func property(at field: UnsafeMutableRawPointer) -> _PropertyObject {
    unsafe field.assumingMemoryBound(to: _PropertyObject.self).pointee
  }

  static func value(at field: UnsafeMutableRawPointer) -> Content { unsafe property(at: field).content }

  static func assign(_ value: Content, at field: UnsafeMutableRawPointer) {
    unsafe property(at: field).content = value
  }

  static func bind(_ field: UnsafeMutableRawPointer, to row: RowBinding, _ index: Int) {
    let property = unsafe property(at: field)
    property.row = row
    property.index = index
    property.storage = nil
  }

  static func attach(_ field: UnsafeMutableRawPointer, to owner: ObjectBase, _ index: Int) {
    let property = unsafe property(at: field)
    property.owner = owner
    property.index = index
  }
}

/// A property object that holds one value. It is the older way to declare optional numbers and any-values, which
/// Objective-C could not represent.
///
///     class Bike: Object {
///       let gears = RealmProperty<Int?>()
///       let anything = RealmProperty<AnyRealmValue>()
///     }
///     bike.gears.value = 3
///
/// New code declares `@Persisted var gears: Int?`. While the object is unmanaged, the value is held here. Later the row
/// holds it, and the rules for properties of managed objects apply.
public final class RealmProperty<Value: RealmPropertyType>: _PropertyObject<Value> {
  /// A property with the default of its type: nil, or `.none`.
  ///
  ///     let gears = RealmProperty<Int?>()
  public init() { super.init(Value._makeDefault()) }

  /// The value. Reading and setting have the traps and errors of `Persisted.wrappedValue`.
  ///
  ///     try realm.write { bike.gears.value = 3 }
  public var value: Value {
    get { content }
    set { content = newValue }
  }
}

extension RealmProperty: Decodable where Value: Decodable {
  /// Reads a value, or null.
  ///
  /// - Throws: `DecodingError` for a value of another type.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

/// An optional number as a property object, in the oldest declaration style.
///
///     class Bike: Object {
///       let gears = RealmOptional<Int>()
///     }
///
/// New code declares `@Persisted var gears: Int?`.
@available(*, deprecated, message: "Declare the property with @Persisted, or use RealmProperty.")
public final class RealmOptional<Value: RealmOptionalType>: _PropertyObject<Value?> {
  /// A property with the given value.
  public override init(_ value: Value? = nil) { super.init(value) }

  /// The value; nil for null. Reading and setting have the traps and errors of `Persisted.wrappedValue`.
  public var value: Value? {
    get { content }
    set { content = newValue }
  }
}

@available(*, deprecated)
extension RealmOptional: Decodable where Value: Decodable {
  /// Reads a value, or null.
  ///
  /// - Throws: `DecodingError` for a value of another type.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value?.self))
  }
}

@available(*, deprecated)
extension KeyedDecodingContainer {
  /// Reads a property; a missing key is nil.
  ///
  /// - Throws: `DecodingError` for a value of another type.
  public func decode<Value: Decodable>(
    _ type: RealmOptional<Value>.Type, forKey key: Key
  ) throws -> RealmOptional<Value> {
    try decodeIfPresent(type, forKey: key) ?? RealmOptional()
  }
}
