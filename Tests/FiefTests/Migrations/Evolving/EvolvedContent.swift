import Fief
import Foundation

/// The content of a property of an evolving application. A link is the number of its object.
enum EvolvedContent: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case float(Float)
  case date(Date)
  case data(Data)
  case decimal(Decimal128)
  case objectId(ObjectId)
  case uuid(UUID)
  case link(Int)
  case list([EvolvedContent])
  case set(Set<EvolvedContent>)
  case map([String: EvolvedContent])

  /// The objects that are linked to, once for each link.
  var links: [Int] {
    switch self {
    case .link(let object): [object]
    case .list(let elements): elements.flatMap(\.links)
    case .set(let elements): elements.flatMap(\.links).sorted()
    case .map(let entries): entries.sorted { $0.key < $1.key }.flatMap(\.value.links)
    default: []
    }
  }

  /// The content with other objects in the place of those that are linked to. A link without an object is set to null,
  /// and removed from lists and sets.
  func replacingLinks(_ replace: (Int) throws -> Int?) rethrows -> EvolvedContent {
    switch self {
    case .link(let object): return try replace(object).map { .link($0) } ?? .null
    case .list(let elements): return .list(try Self.replacing(elements, replace))
    case .set(let elements): return .set(Set(try Self.replacing(Array(elements), replace)))
    case .map(let entries):
      var replaced: [String: EvolvedContent] = [:]
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) { replaced[key] = try value.replacingLinks(replace) }
      return .map(replaced)
    default: return self
    }
  }

  private static func replacing(
    _ elements: [EvolvedContent], _ replace: (Int) throws -> Int?
  ) rethrows -> [EvolvedContent] {
    try elements.compactMap { element in
      guard case .link(let object) = element else { return element }
      return try replace(object).map { .link($0) }
    }
  }

  /// The elements; a single value is one element, and null is empty.
  private var elements: [EvolvedContent] {
    switch self {
    case .null: []
    case .list(let elements): elements
    case .set(let elements): elements.sorted { "\($0)" < "\($1)" }
    case .map(let entries): entries.sorted { $0.key < $1.key }.map(\.value)
    default: [self]
    }
  }

  /// The value that the code of a migration makes of the content for another property: the nearest value, or zero.
  func converted(to property: EvolvedProperty) -> EvolvedContent {
    var values = elements.compactMap { property.scalar(of: $0) }
    if property.kind == .link && property.shape != .map { values.removeAll { $0 == .null } }
    switch property.shape {
    case .single: return values.first ?? property.zero
    case .list: return .list(values)
    case .set: return .set(Set(values))
    case .map:
      return .map(Dictionary(uniqueKeysWithValues: values.enumerated().map { ("k\($0.offset)", $0.element) }))
    }
  }

  // MARK: Reports of rehearsals

  /// How many values it has. A single value counts unless it is null.
  var count: Int { elements.count }

  /// Whether a new property begins with it.
  var isUnset: Bool {
    switch self {
    case .null, .bool(false), .int(0), .double(0), .string(""), .list([]), .set([]), .map([:]): true
    case .float(0), .decimal(0), .data(Data()): true
    case .date(let value): value.timeIntervalSince1970 == 0
    case .objectId(let value): value == Self.objectId(0)
    case .uuid(let value): value == Self.uuid(0)
    default: false
    }
  }

  /// The content as a number, if it is a single one.
  var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    case .float(let value): Double(value)
    case .decimal(let value): Double(value.description)
    default: nil
    }
  }

  // MARK: Identifiers

  /// The identifier of a number.
  static func objectId(_ number: Int) -> ObjectId {
    let digits = String(number, radix: 16)
    return (try? ObjectId(string: String(repeating: "0", count: 24 - digits.count) + digits)) ?? ObjectId()
  }

  /// The identifier of a number from 0 to 65535.
  static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 8 & 255), UInt8(number & 255)))
  }
}

// Values of the product.

extension EvolvedContent {
  /// Reads a property of a dynamic object.
  ///
  /// - Parameter note: receives the objects that are linked to, with their numbers.
  init(_ value: Any?, note: (Int, DynamicObject) -> Void = { _, _ in }) throws {
    guard let value else {
      self = .null
      return
    }
    self =
      try Self.collection(of: Int.self, Int?.self, value, note)
      ?? Self.collection(of: String.self, String?.self, value, note)
      ?? Self.collection(of: Double.self, Double?.self, value, note)
      ?? Self.collection(of: Bool.self, Bool?.self, value, note)
      ?? Self.collection(of: Float.self, Float?.self, value, note)
      ?? Self.collection(of: Date.self, Date?.self, value, note)
      ?? Self.collection(of: Data.self, Data?.self, value, note)
      ?? Self.collection(of: Decimal128.self, Decimal128?.self, value, note)
      ?? Self.collection(of: ObjectId.self, ObjectId?.self, value, note)
      ?? Self.collection(of: UUID.self, UUID?.self, value, note)
      ?? Self.collection(of: DynamicObject.self, DynamicObject?.self, value, note) ?? Self.scalar(value, note)
  }

  private static func scalar(_ value: Any, _ note: (Int, DynamicObject) -> Void) throws -> EvolvedContent {
    switch value {
    case let value as Bool: return .bool(value)
    case let value as Int: return .int(value)
    case let value as Double: return .double(value)
    case let value as Float: return .float(value)
    case let value as Date: return .date(value)
    case let value as Data: return .data(value)
    case let value as Decimal128: return .decimal(value)
    case let value as ObjectId: return .objectId(value)
    case let value as UUID: return .uuid(value)
    case let value as String: return .string(value)
    case let object as DynamicObject:
      guard let number = object[EvolvedClass.tag] as? Int else { throw EvolvedFault("An object has no number.") }
      note(number, object)
      return .link(number)
    default:
      if Mirror(reflecting: value).displayStyle == .optional { return .null }
      throw EvolvedFault("A property holds \(value).")
    }
  }

  private static func collection<A: RealmCollectionValue, B: RealmCollectionValue>(
    of a: A.Type, _ b: B.Type, _ value: Any, _ note: (Int, DynamicObject) -> Void
  ) throws -> EvolvedContent? {
    switch value {
    case let list as List<A>: return .list(try list.map { try scalar($0, note) })
    case let list as List<B>: return .list(try list.map { try scalar($0, note) })
    case let set as MutableSet<A>: return .set(Set(try set.map { try scalar($0, note) }))
    case let set as MutableSet<B>: return .set(Set(try set.map { try scalar($0, note) }))
    case let map as Map<String, A>:
      return .map(
        Dictionary(uniqueKeysWithValues: try map.asKeyValueSequence().map { ($0.key, try scalar($0.value, note)) }))
    case let map as Map<String, B>:
      return .map(
        Dictionary(uniqueKeysWithValues: try map.asKeyValueSequence().map { ($0.key, try scalar($0.value, note)) }))
    default: return nil
    }
  }

  /// The content as a value that the product takes.
  ///
  /// - Parameter object: what stands for a link: an object, or a dictionary of an embedded one's values.
  func value(_ object: (Int) throws -> Any?) rethrows -> Any? {
    switch self {
    case .null: return nil
    case .bool(let value): return value
    case .int(let value): return value
    case .double(let value): return value
    case .string(let value): return value
    case .float(let value): return value
    case .date(let value): return value
    case .data(let value): return value
    case .decimal(let value): return value
    case .objectId(let value): return value
    case .uuid(let value): return value
    case .link(let number): return try object(number)
    case .list(let elements): return try elements.map { try $0.value(object) ?? NSNull() }
    case .set(let elements): return try elements.map { try $0.value(object) ?? NSNull() }
    case .map(let entries): return try entries.mapValues { try $0.value(object) ?? NSNull() }
    }
  }
}

/// A finding of an evolution: something that the product must not do.
struct EvolvedFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
