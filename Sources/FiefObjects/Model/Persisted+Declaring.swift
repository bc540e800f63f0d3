public import FiefGraph

/// The options of a declaration, besides type and default. Applications do not use it.
@frozen
public struct _Declaration: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// The declaration with the given bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  @usableFromInline package static let primaryKey = _Declaration(rawValue: 1)
  @usableFromInline package static let indexed = _Declaration(rawValue: 2)
  @usableFromInline package static let unique = _Declaration(rawValue: 4)
  @usableFromInline package static let fullText = _Declaration(rawValue: 8)
  @usableFromInline package static let cascade = _Declaration(rawValue: 16)
  @usableFromInline package static let deny = _Declaration(rawValue: 32)
  @usableFromInline package static let increasing = _Declaration(rawValue: 64)
  /// The wrapper was decoded, which tells it nothing of its options: see `FieldLayout.primaryKey(of:)`.
  static let unknown = _Declaration(rawValue: 128)
}

extension _Declaration {
  /// The options of a column in a table.
  init(_ column: Column, of table: TableSchema) {
    self = column.deleteRule.declaration
    if table.primaryKey == column.key { insert(.primaryKey) }
    for index in table.indexes where index.columns == [column.key] {
      insert(index.isFullText ? .fullText : index.isUnique ? .unique : .indexed)
    }
  }

  /// Whether the property has an index by its values.
  package var isIndexed: Bool { !isDisjoint(with: [.indexed, .unique]) }

  /// Whether deleting the object affects what the property links to.
  package var rulesDeletions: Bool { deleteRule != .nullify }

  package var deleteRule: DeleteRule { contains(.cascade) ? .cascade : contains(.deny) ? .deny : .nullify }
}

// MARK: - Declaring

extension Persisted where Value.PersistedType: _PrimaryKey {
  /// The primary key: its value identifies one object of the class, and cannot change once the object is managed.
  ///
  ///     @Persisted(primaryKey: true) var id: ObjectId
  ///
  /// - Parameter primaryKey: whether the property is the primary key. A class has at most one.
  @inlinable
  public init(primaryKey: Bool) { self.init(primaryKey ? .primaryKey : [], nil) }

  /// The primary key, with the given default.
  ///
  ///     @Persisted(primaryKey: true) var number = 1
  ///
  /// - Parameters:
  ///   - wrappedValue: the default.
  ///   - primaryKey: whether the property is the primary key. A class has at most one.
  @inlinable
  public init(wrappedValue: Value, primaryKey: Bool) {
    self.init(primaryKey ? .primaryKey : [], Value._wrap(wrappedValue))
  }
}

/// Kinds of primary key.
///
///     @Persisted(primaryKey: .increasing) var id: Int
@frozen
public enum PrimaryKeyKind: Sendable {
  /// The realm hands the values out: 1, 2, 3 and so on.
  ///
  /// An object whose key is 0, as it is at first, gets a new one when it is added to a realm or created in it, whatever
  /// the update policy. So a key of 0 cannot be stored. A key is greater than all that the realm has handed out in
  /// writes before, also to objects that were deleted meanwhile. Keys that the application gives itself are kept; the
  /// realm goes round them. Two realms hand out the same keys.
  ///
  /// Only commits are remembered. When a file is opened anew, keys of writes that stored nothing may be handed out a
  /// second time: of those that were cancelled or failed, and of those that deleted what they had added.
  ///
  /// The asymmetric classes of a realm, of whose objects no row is kept, share one count. Objects that a migration
  /// creates get their keys when its block has ended.
  case increasing
}

/// The types of keys that a realm hands out. Applications do not conform to it.
public protocol _IncreasingKey: _Persistable {}

extension Int: _IncreasingKey {}
extension Int64: _IncreasingKey {}

extension Persisted where Value: _IncreasingKey {
  /// The primary key, whose values the realm hands out.
  ///
  ///     class Ticket: Object {
  ///       @Persisted(primaryKey: .increasing) var id: Int
  ///       @Persisted var text = ""
  ///     }
  ///     let ticket = try realm.write { realm.create(Ticket.self, value: ["text": "It leaks."]) }
  ///     print(ticket.id)          // 1
  ///
  /// - Parameter primaryKey: the kind of key, `.increasing`.
  @inlinable
  public init(primaryKey: PrimaryKeyKind) { self.init([.primaryKey, .increasing], nil) }
}

extension Persisted where Value.PersistedType: _Indexable {
  /// An indexed property: finding objects by its value takes O(log n).
  ///
  ///     @Persisted(indexed: true) var city: String?
  ///
  /// - Parameter indexed: whether the property has an index.
  @inlinable
  public init(indexed: Bool) { self.init(indexed ? .indexed : [], nil) }

  /// An indexed property, with the given default.
  ///
  ///     @Persisted(indexed: true) var city = "Oslo"
  ///
  /// - Parameters:
  ///   - wrappedValue: the default.
  ///   - indexed: whether the property has an index.
  @inlinable
  public init(wrappedValue: Value, indexed: Bool) { self.init(indexed ? .indexed : [], Value._wrap(wrappedValue)) }

  /// A property with an index of the given kind.
  ///
  ///     @Persisted(indexed: .unique) var chip: String?
  ///
  /// - Parameter indexed: `.general` equals `indexed: true`; with `.unique` the index permits every value but null only
  ///   once. An object with a value that is taken fails the write with `Realm.Error.uniqueConstraint`.
  @inlinable
  public init(indexed: IndexKind) { self.init(indexed.declaration, nil) }

  /// A property with an index of the given kind and the given default.
  ///
  ///     @Persisted(indexed: .unique) var chip = UUID()
  ///
  /// - Parameters:
  ///   - wrappedValue: the default.
  ///   - indexed: the kind of index, as for `init(indexed:)`.
  @inlinable
  public init(wrappedValue: Value, indexed: IndexKind) { self.init(indexed.declaration, Value._wrap(wrappedValue)) }
}

extension Persisted where Value.PersistedType: _QueryString {
  /// A string with a full-text index: `where { $0.body.fullText("swan -duck") }` finds objects by its words.
  ///
  ///     @Persisted(indexed: .fullText) var body: String
  ///
  /// - Parameter indexed: `.fullText`.
  @inlinable
  public init(indexed: TextIndexKind) { self.init(indexed.declaration, nil) }

  /// A string with a full-text index, and the given default.
  ///
  ///     @Persisted(indexed: .fullText) var body = "Once upon a time"
  ///
  /// - Parameters:
  ///   - wrappedValue: the default.
  ///   - indexed: `.fullText`.
  @inlinable
  public init(wrappedValue: Value, indexed: TextIndexKind) { self.init(indexed.declaration, Value._wrap(wrappedValue)) }
}

extension Persisted where Value: LinkingObjectsProtocol {
  /// The objects that link to this one through a property of theirs.
  ///
  ///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  ///
  /// - Parameter originProperty: the Swift name of that property: a link to this class or a collection of such links.
  ///   Opening a realm checks it.
  @inlinable
  public init(originProperty: String) { self.init([], Value._wrap(Value(originProperty: originProperty))) }
}

/// Kinds of property index.
///
///     @Persisted(indexed: .general) var city: String?
@frozen
public enum IndexKind: Sendable {
  /// No index.
  case none
  /// Finds objects by a value, a range or a prefix.
  case general
  /// Finds objects like `general`, and rejects a value that another object has. Several objects may have null.
  case unique

  @inlinable
  var declaration: _Declaration {
    switch self {
    case .none: []
    case .general: .indexed
    case .unique: .unique
    }
  }
}

/// Kinds of index for strings only.
///
///     @Persisted(indexed: .fullText) var body: String
@frozen
public enum TextIndexKind: Sendable {
  /// Finds objects by words of the string.
  case fullText

  @inlinable
  var declaration: _Declaration { .fullText }
}

/// The effect on the targets of a link when the linking object is deleted: with `nullify` they stay; with `cascade`
/// they are deleted too, each by the rules of its own links; `deny` refuses the deletion while there are targets that
/// would stay, which fails the write with `Realm.Error.deleteDenied`.
///
///     class Person: Object {
///       @Persisted(deleteRule: .cascade) var dogs: List<Dog>
///     }
public typealias LinkDeleteRule = FiefGraph.DeleteRule

extension LinkDeleteRule {
  @usableFromInline
  package var declaration: _Declaration {
    switch self {
    case .nullify: []
    case .cascade: .cascade
    case .deny: .deny
    }
  }
}

extension Persisted where Value: _LinkHolding {
  /// A link, or a collection of links, with a delete rule.
  ///
  ///     @Persisted(deleteRule: .deny) var dogs: List<Dog>
  ///
  /// - Parameter deleteRule: the effect on the targets when the object is deleted.
  @inlinable
  public init(deleteRule: LinkDeleteRule) { self.init(deleteRule.declaration, nil) }
}
