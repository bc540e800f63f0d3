import FiefValues
import Foundation

extension AnyRealmValue {
  /// The integer, if the value is one; other types are not converted.
  ///
  ///     print(AnyRealmValue.int(3).intValue ?? 0, AnyRealmValue.double(3).intValue ?? 0)          // 3 0
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  /// The boolean, if the value is one; other types are not converted.
  ///
  ///     if box.content.boolValue == true { print("The box is full.") }
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The single-precision number, if the value is one; other types are not converted.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The double-precision number, if the value is one; other types are not converted.
  ///
  ///     let weight = box.content.doubleValue ?? box.content.intValue.map { Double($0) }
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The string, if the value is one; other types are not converted.
  ///
  ///     let label = box.content.stringValue ?? "no label"
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The data, if the value is that; other types are not converted.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  /// The date, if the value is one; other types are not converted.
  ///
  ///     if let date = box.content.dateValue { print(date.timeIntervalSinceNow) }
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The object identifier, if the value is one; other types are not converted.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  /// The decimal number, if the value is one; other types are not converted.
  public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
  /// The UUID, if the value is one; other types are not converted.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }

  /// The list, if the value is one. It is live and mutable in place when it was read from a managed object.
  ///
  ///     try realm.write { box.content.listValue?.append(.int(2)) }
  public var listValue: List<AnyRealmValue>? { if case .list(let value) = self { value } else { nil } }

  /// The dictionary, if the value is one. It is live and mutable in place when it was read from a managed object.
  ///
  ///     let colour = box.content.dictionaryValue?["colour"]?.stringValue
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The object, if the value is one of the given class.
  ///
  ///     let dog = box.content.object(Dog.self)
  ///
  /// - Returns: nil for objects of other classes, and for values that are not objects.
  public func object<T: Object>(_ type: T.Type) -> T? { if case .object(let value) = self { value as? T } else { nil } }

  /// The object as a `DynamicObject`, if the value is an object of any class.
  ///
  ///     print(box.content.dynamicObject?.objectSchema.className ?? "no object")
  public var dynamicObject: DynamicObject? {
    if case .object(let value) = self { DynamicObject.of(value) } else { nil }
  }

  /// Makes an unmanaged list of values.
  ///
  ///     box.content = .fromArray([.int(1), .string("two"), .none])
  public static func fromArray(_ values: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.unmanaged = values
    return .list(list)
  }

  /// Makes an unmanaged dictionary of values.
  ///
  ///     box.content = .fromDictionary(["colour": .string("red"), "sizes": .fromArray([.int(1), .int(2)])])
  ///
  /// - Parameter values: the values by their keys. Storing a key that begins with `$` or contains `.` fails the write.
  public static func fromDictionary(_ values: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in values { map[key] = value }
    return .dictionary(map)
  }
}

extension AnyRealmValue: CustomStringConvertible {
  /// The case and value, as in `int(1)`; objects and collections have one property or element a line, to five levels.
  ///
  ///     print(AnyRealmValue.int(1))          // int(1)
  public var description: String {
    switch self {
    case .none: "none"
    case .bool(let value): "bool(\(value))"
    case .float(let value): "float(\(value))"
    case .double(let value): "double(\(value))"
    default: "\(Mirror(reflecting: self).children.first?.label ?? "")(\(ObjectDescription.text(self)))"
    }
  }
}
