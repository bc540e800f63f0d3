import FiefGraph

/// The facts about a property's type that a schema needs.
public struct _TypeFacts: @unchecked Sendable {
  // Sendable, as the types that it names are metatypes.

  package var kind: ValueKind
  package var shape: ColumnShape = .single
  package var isOptional = false
  var width: IntegerWidth = .bits64
  /// The type of integers that are read by name: the declared one, or `Int` for a dynamic class.
  package var integer: any FixedWidthInteger.Type = Int.self
  /// The type of a scalar that is stored unchanged, without the optional around it; nil for other types.
  var scalar: (any _PersistableScalar.Type)?
  /// The class that links point at.
  package var target: ObjectBase.Type?
  /// The stored name of that class, where it differs from the class's own name.
  var targetName: String?
  /// Whether it is a link of a dynamic class to an embedded one.
  var embedsDynamically = false
  /// Whether it is a custom type that is mapped to an embedded class. Null then reads as the default, so the property
  /// need not be optional.
  package var isMapped = false
  /// Whether it is an enum, which has a value also without a declared default: the first case.
  package var isEnumeration = false
  /// Whether the value, or an element, is converted by application code: a custom type, or the raw value of an enum.
  var isConverted = false
  /// Whether the property has no column of its own and shows the other end of one.
  package var isBacklinks = false
  /// Why values of the type cannot be persisted; nil when they can.
  package var problem: String?
  var element: (any _Persistable.Type)?

  package init(_ kind: ValueKind, target: ObjectBase.Type? = nil) {
    self.kind = kind
    self.target = target
  }

  /// The facts of a scalar that is stored unchanged.
  init<Scalar: _PersistableScalar>(_ scalar: Scalar.Type) {
    self.init(Scalar._kind)
    self.scalar = scalar
    guard let type = scalar as? any FixedWidthInteger.Type else { return }
    integer = type
    width = IntegerWidth(rawValue: UInt8(type.bitWidth / 8)) ?? .bits64
  }

  var optional: _TypeFacts {
    var facts = self
    switch kind {
    case .any where isConverted: break  // A column of any-values holds null.
    case .any: facts.problem = "cannot be an optional AnyRealmValue: '.none' is its null"
    case .link:
      facts.isOptional = true
      facts.isMapped = false
      facts.problem = nil
    default: facts.isOptional = true
    }
    return facts
  }

  var mapped: _TypeFacts {
    var facts = self
    facts.isConverted = true
    facts.scalar = nil
    facts.isMapped = kind == .link
    if kind == .link { facts.problem = nil }
    return facts
  }

  /// Whether a column holds the value itself: one value that is no link, and not of any type.
  var isScalar: Bool { shape == .single && kind != .link && kind != .any }

  /// Whether application code converts a value to an object or an any-value. Each conversion makes another one, so only
  /// the values themselves can be compared.
  var isConvertedToRows: Bool { isConverted && (kind == .link || kind == .any) }

  /// Whether an unmanaged property without a value equals the initial state of a new row: null or empty.
  var isEmptyAtFirst: Bool { shape != .single || kind == .any || isOptional }

  /// The stored name of the class that links point at; nil for a property without links.
  package var storedTarget: String? { targetName ?? target.map { $0._realmObjectName() ?? $0.className() } }

  /// The name of that class for messages.
  var targetTypeName: String {
    if target == DynamicObject.self, let targetName { return targetName }
    return target?.className() ?? "Object"
  }

  /// The type of the column, without its target.
  package var columnType: ColumnType {
    ColumnType(kind, shape: shape, isOptional: isOptional && kind != .link && kind != .any, width: width)
  }
}
