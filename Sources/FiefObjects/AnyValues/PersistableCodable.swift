import FiefGraph

/// A structure or an enum of the application that a property holds as a whole, by its `Codable` form.
///
///     struct Size: PersistableCodable {
///       var width = 1.0
///       var height = 1.0
///     }
///     enum Shape: PersistableCodable {
///       case none, circle(radius: Double), polygon(corners: [Size])
///       init() { self = .none }
///     }
///
///     class Sign: Object {
///       @Persisted var size: Size
///       @Persisted var shape: Shape
///       @Persisted var history: List<Size>
///     }
///     try realm.write { sign.size.width = 4 }
///     let wide = realm.objects(Sign.self).where { $0.size["width"] > 3 }
///
/// The value is stored as an any-value: members as a dictionary, arrays as a list, numbers, strings, dates, data,
/// UUIDs, object ids and decimals as such. Queries find its members by their coding keys. Keys must not begin with `$`
/// or contain `.`, which dictionaries of the application may have.
///
/// A member that is added later has, in values that were stored before, the value that it has in `init()`. An optional
/// member is nil there, whatever it is in `init()`: nil is stored by leaving the member out. The whole value is that of
/// `init()` where a property was added later, unless it is optional. A stored value that cannot be decoded otherwise (a
/// renamed case) reads as nil where the property is optional, and traps where it is not.
///
/// Each assignment stores the value anew, so an equal one of several members counts as a change for observers.
///
/// A value that throws while it is encoded, is nested more than 100 deep, or has an integer of more than 34 digits (not
/// counting zeros at the end), which is stored as a decimal, fails the write. The conversions run at every read and
/// write.
public protocol PersistableCodable: Codable, FailableCustomPersistable where PersistedType == AnyRealmValue {
  /// The value of a property that was never set. Its required members are those of stored values that lack them.
  init()
}

extension PersistableCodable {
  /// Makes the value from its stored form; nil when that has no meaning.
  public init?(persistedValue: AnyRealmValue) {
    if case .none = persistedValue {
      self.init()
      return
    }
    guard let value = try? AnyValueDecoder.decode(Self.self, from: persistedValue) else { return nil }
    self = value
  }

  /// The stored form of the value.
  public var persistableValue: AnyRealmValue {
    do {
      return try AnyValueEncoder.encode(self)
    } catch {
      // The write that stores this object fails with its error, to which it adds the property.
      let object = Object()
      object.note(Realm.Error(.invalidValue, "a value of '\(Self.self)' could not be encoded: \(error)"))
      return .object(object)
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PersistableCodable {
  /// Null is no value, and that of `init()` where the property is not optional.
  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self? {
    guard let value = AnyRealmValue._loadOrNil(object, index) else { return nil }
    if case .none = value { return nil }
    return _fromPersisted(value)
  }
}
