import Fief
import FiefTestSupport
import Foundation

/// The classes of one version of an evolving application, by their names.
typealias EvolvedSchema = [String: EvolvedClass]

extension EvolvedSchema {
  /// The schema as the product takes it.
  var dynamic: DynamicSchema { DynamicSchema(sorted { $0.key < $1.key }.map { $0.value.declaration($0.key) }) }
}

/// A class of an evolving application.
struct EvolvedClass: Hashable, Sendable {
  /// The property with the number of an object, which every class has.
  static let tag = "tag"

  var properties: [String: EvolvedProperty] = [tag: EvolvedProperty()]
  /// The primary key.
  var key: String?
  var isEmbedded = false
  /// An index over two properties.
  var pair: Pair?

  struct Pair: Hashable, Sendable {
    let names: [String]
    let isUnique: Bool
  }

  /// The properties in the order of their names.
  var ordered: [(name: String, property: EvolvedProperty)] {
    properties.sorted { $0.key < $1.key }.map { (name: $0.key, property: $0.value) }
  }

  func declaration(_ name: String) -> DynamicSchema.Class {
    DynamicSchema.Class(
      name, primaryKey: key, isEmbedded: isEmbedded, ordered.map { $0.property.declaration($0.name) },
      compoundIndexes: pair.map { [CompoundIndex($0.names, unique: $0.isUnique)] } ?? [])
  }

  /// The properties, alone or together, whose values may not repeat.
  var uniqueNames: [(names: [String], allowsNulls: Bool)] {
    (key.map { [([$0], false)] } ?? []) + ordered.filter { $0.property.index == .unique }.map { ([$0.name], true) }
      + (pair.flatMap { $0.isUnique ? [($0.names, true)] : nil } ?? [])
  }
}

/// A property of an evolving application.
struct EvolvedProperty: Hashable, Sendable {
  enum Kind: CaseIterable, Sendable {
    case int, string, double, bool, any, link
    case float, date, data, decimal, objectId, uuid

    /// The kinds that are drawn on demand. Kept inputs of a fuzzer mean what they did before there were these.
    static let rare: [Kind] = [.float, .date, .data, .decimal, .objectId, .uuid]
  }

  var kind = Kind.int
  var shape = DynamicSchema.Collection.single
  var isOptional = false
  var target: String?
  var index = DynamicSchema.Index.none
  /// Whether the targets of a link are deleted with the object. Ordinary classes have such links to ordinary ones.
  var cascades = false

  /// Draws a property.
  ///
  /// - Parameters:
  ///   - targets: the classes to which it may link.
  ///   - hasRareKinds: whether it may be one of the rare kinds.
  static func draw(
    _ choices: inout some Choices, linkingTo targets: [String], hasRareKinds: Bool
  ) -> EvolvedProperty {
    var property = EvolvedProperty()
    property.kind = [.int, .int, .string, .string, .double, .bool, .any, .link, .link, .link][choices.below(10)]
    if hasRareKinds, choices.bool() { property.kind = Kind.rare[choices.below(Kind.rare.count)] }
    if targets.isEmpty && property.kind == .link { property.kind = .string }
    let isSimple = property.kind == .any
    property.shape = isSimple ? .single : [.single, .single, .single, .list, .list, .map, .set][choices.below(7)]
    if property.kind == .link {
      property.target = targets[choices.below(targets.count)]
      if property.shape == .set && !hasRareKinds { property.shape = .list }
      property.cascades = hasRareKinds && choices.below(3) == 0
    } else if property.kind != .any {
      property.isOptional = choices.below(3) == 0
    }
    property.drawIndex(&choices)
    return property
  }

  mutating func drawIndex(_ choices: inout some Choices) {
    index = .none
    guard shape == .single else { return }
    switch kind {
    case .int: index = [.none, .none, .plain, .unique][choices.below(4)]
    case .string: index = [.none, .none, .plain, .unique, .fullText][choices.below(5)]
    case .date, .objectId, .uuid: index = [.none, .plain, .unique][choices.below(3)]
    case .bool, .any: index = [.none, .plain][choices.below(2)]
    case .double, .link, .float, .data, .decimal: break
    }
  }

  /// Whether cells of the other type keep their values.
  func keeps(_ other: EvolvedProperty) -> Bool {
    kind == other.kind && shape == other.shape && target == other.target && (isOptional || !other.isOptional)
  }

  /// The first value of a cell.
  var zero: EvolvedContent {
    switch shape {
    case .list: return .list([])
    case .set: return .set([])
    case .map: return .map([:])
    case .single: return element
    }
  }

  private var element: EvolvedContent {
    if isOptional { return .null }
    switch kind {
    case .int: return .int(0)
    case .string: return .string("")
    case .double: return .double(0)
    case .bool: return .bool(false)
    case .any, .link: return .null
    case .float: return .float(0)
    case .date: return .date(Date(timeIntervalSince1970: 0))
    case .data: return .data(Data())
    case .decimal: return .decimal(0)
    case .objectId: return .objectId(EvolvedContent.objectId(0))
    case .uuid: return .uuid(EvolvedContent.uuid(0))
    }
  }

  /// Whether it may be a primary key.
  var canBeKey: Bool { shape == .single && [.int, .string, .objectId, .uuid].contains(kind) }

  /// Whether it may be one of several indexed properties.
  var canBePaired: Bool { shape == .single && [.int, .string, .bool, .date, .objectId, .uuid].contains(kind) }

  /// A value that no other object has, if the kind has enough of them.
  func distinct(_ number: Int) -> EvolvedContent {
    switch kind {
    case .string: .string("k\(number)")
    case .bool: .bool(true)
    case .date: .date(Date(timeIntervalSince1970: Double(number)))
    case .objectId: .objectId(EvolvedContent.objectId(1000 + number))
    case .uuid: .uuid(EvolvedContent.uuid(1000 + number))
    default: .int(1000 + number)
    }
  }

  /// The value of one element for this property; nil without one.
  func scalar(of value: EvolvedContent) -> EvolvedContent? {
    if value == .null { return isOptional || kind == .any || kind == .link ? .null : element }
    if case .link = value { return kind == .link ? value : nil }
    switch (kind, value) {
    case (.link, _): return nil
    case (.any, _): return value
    case (.int, .int), (.string, .string), (.double, .double), (.bool, .bool): return value
    case (.int, .double(let number)): return .int(Int(number))
    case (.int, .string(let text)): return Int(text).map { .int($0) } ?? element
    case (.int, .bool(let flag)): return .int(flag ? 1 : 0)
    case (.string, .int(let number)): return .string("\(number)")
    case (.string, .double(let number)): return .string("\(number)")
    case (.string, .bool(let flag)): return .string("\(flag)")
    case (.double, .int(let number)): return .double(Double(number) + 0.25)
    case (.double, .string(let text)): return .double(Double(text.utf8.count))
    case (.bool, .int(let number)): return .bool(number > 2)
    case (.float, .float), (.date, .date), (.data, .data), (.decimal, .decimal): return value
    case (.objectId, .objectId), (.uuid, .uuid): return value
    case (.float, .double(let number)): return .float(Float(number))
    case (.float, .int(let number)): return .float(Float(number))
    case (.double, .float(let number)): return .double(Double(number))
    case (.decimal, .int(let number)): return .decimal(Decimal128(number))
    case (.decimal, .float(let number)): return .decimal(Decimal128(Double(number)))
    case (.date, .int(let number)): return .date(Date(timeIntervalSince1970: Double(number)))
    case (.int, .date(let date)): return .int(Int(date.timeIntervalSince1970))
    case (.data, .string(let text)): return .data(Data(text.utf8))
    case (.objectId, .int(let number)): return .objectId(EvolvedContent.objectId(number))
    case (.uuid, .int(let number)): return .uuid(EvolvedContent.uuid(number))
    case (.string, .uuid(let id)): return .string(id.uuidString)
    case (.string, .objectId(let id)): return .string(id.stringValue)
    default: return element
    }
  }

  func declaration(_ name: String) -> DynamicSchema.Property {
    let type: PropertyType =
      switch kind {
      case .int: .int
      case .string: .string
      case .double: .double
      case .bool: .bool
      case .any: .any
      case .link: .object
      case .float: .float
      case .date: .date
      case .data: .data
      case .decimal: .decimal128
      case .objectId: .objectId
      case .uuid: .UUID
      }
    return DynamicSchema.Property(
      name, type, shape, isOptional: isOptional, linkingTo: target, index: index,
      deleteRule: cascades ? .cascade : .nullify)
  }
}
