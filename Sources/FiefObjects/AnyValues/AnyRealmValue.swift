import FiefCopying
import FiefGraph
import FiefSessions
import FiefValues
import Foundation

/// A value of any type that a realm can hold.
///
///     class Box: Object {
///       @Persisted var content: AnyRealmValue
///     }
///     let box = Box()
///     box.content = .string("keys")
///     box.content = .fromArray([.int(1), .fromDictionary(["colour": .string("red")])])
///     box.content.listValue?.append(.bool(true))      // in place, when the box is managed
///     switch box.content {
///     case .int(let number): print(number)
///     case .list(let values): print(values.count)
///     default: print(box.content)
///     }
///
/// Lists and dictionaries nest as deep as memory permits. Sets and embedded objects cannot be stored in it. It has no
/// optional form: `.none` is its null.
public enum AnyRealmValue {
  /// Null, the initial value of a property.
  case none
  /// An integer of 64 bits.
  case int(Int)
  /// A boolean.
  case bool(Bool)
  /// A number of single precision.
  case float(Float)
  /// A number of double precision.
  case double(Double)
  /// A string.
  case string(String)
  /// A sequence of bytes. A realm copies them: what it returns begins at position 0.
  case data(Data)
  /// A point in time; one that is not a number fails the write.
  case date(Date)
  /// An object of any `Object` class of the realm's schema; an unmanaged one is added to the realm.
  case object(Object)
  /// An object identifier.
  case objectId(ObjectId)
  /// A decimal number of up to 34 digits.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// A dictionary of such values, by strings; live when it was read from a managed object.
  case dictionary(Map<String, AnyRealmValue>)
  /// A list of such values; live when it was read from a managed object.
  case list(List<AnyRealmValue>)

  /// Makes the null value, `.none`.
  public init() { self = .none }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AnyRealmValue: _PersistableInsideOptional {
  public typealias PersistedType = AnyRealmValue
  public typealias _Storage = _AnyStorage

  public static var _facts: _TypeFacts { _TypeFacts(.any) }

  public static func _wrap(_ value: AnyRealmValue) -> _AnyStorage { _AnyStorage(value) }
  public static func _unwrap(_ storage: _AnyStorage) -> AnyRealmValue { storage.value }
  public static func _makeDefault() -> AnyRealmValue { .none }

  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> AnyRealmValue? {
    let session = unsafe object.retainedSession.unsafelyUnwrapped
    object.locate(index)
    return _decode(object.loadValue(index) ?? .null, _StoreContext(session))
  }

  public static func _save(_ value: AnyRealmValue?, to object: ObjectBase, _ index: Int) {
    let value = value ?? AnyRealmValue.none
    guard let cell = object.cellForWriting(index), let session = object.retainedSession else { return }
    session.perform { transaction in
      if let place = value.collection?.location, place.session === session,
        transaction.value(cell) == .link(place.cell.object)
      {
        return
      }
      // Storing the new value deletes what the cell holds now, and `value` may contain parts of that. It is planned
      // first, and a plan holds all that it has read.
      try session.importer.insert(
        [_encode(value)], into: cell, transaction, emptying: nil, position: { _ in .value }
      ) { transaction, value, _ in try transaction.set(value, cell) }
    }
  }

  public static func _decode(_ value: _StoredValue, _ context: _StoreContext) -> AnyRealmValue? {
    if case .link(let link) = value { return linked(link, context.session) }
    return scalar(value)
  }

  /// The list or dictionary, if the value is one.
  var collection: CollectionBase? {
    switch self {
    case .list(let list): list
    case .dictionary(let map): map
    default: nil
    }
  }

  /// The any-value of an object, or of a list or a map of any-values; nil for others.
  static func of(_ held: AnyObject) -> AnyRealmValue? {
    switch held {
    case let object as Object: .object(object)
    case let list as List<AnyRealmValue>: .list(list)
    case let map as Map<String, AnyRealmValue>: .dictionary(map)
    default: nil
    }
  }

  /// Converts a stored value that is not a link.
  static func scalar(_ value: StoredValue) -> AnyRealmValue {
    switch value {
    case .null, .link: .none
    case .bool(let value): .bool(value)
    case .int(let value): .int(Int(truncatingIfNeeded: value))
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(value.date)
    case .objectId(let value): .objectId(value)
    case .uuid(let value): .uuid(value)
    case .decimal(let value): .decimal128(value)
    }
  }

  private static func linked(_ link: ObjectLink, _ session: Session) -> AnyRealmValue {
    switch link.table {
    case .nestedLists: .list(List(CollectionLocation(session, nested: link)))
    case .nestedDictionaries: .dictionary(Map(CollectionLocation(session, nested: link)))
    // An any-value holds no embedded object. In a migration its objects may be of a class that becomes embedded.
    default: (session.accessor(link) as? Object ?? session.dynamicAccessor(link)).map(AnyRealmValue.object) ?? .none
    }
  }

  public static func _encode(_ value: AnyRealmValue) -> _PropertyContent {
    switch value {
    case .none: .value(.null)
    case .int(let value): .value(.int(Int64(value)))
    case .bool(let value): .value(.bool(value))
    case .float(let value): .value(.float(value))
    case .double(let value): .value(.double(value))
    case .string(let value): .value(.string(value))
    case .data(let value): .value(.data(value._stored))
    case .date(let value): .value(.date(Timestamp(value) ?? .notAMoment))
    case .object(let value): .object(value)
    case .objectId(let value): .value(.objectId(value))
    case .decimal128(let value): .value(.decimal(value))
    case .uuid(let value): .value(.uuid(value))
    case .dictionary(let map): .collection(map)
    case .list(let list): .collection(list)
    }
  }

  public static func _plain(_ value: AnyRealmValue) -> Any? {
    // A date may be more precise than its stored form.
    if case .date(let date) = value { return date }
    return switch _encode(value) {
    case .value(let value): value.plain
    case .object(let object): object
    case .collection(let collection): collection
    }
  }
}
