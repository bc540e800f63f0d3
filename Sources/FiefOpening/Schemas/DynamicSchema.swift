import FiefGraph
import FiefObjects

/// A schema that is made at run time, for realms whose classes the program does not define.
///
///     var schema = DynamicSchema()
///     schema.classes.append(
///       .init("Person", primaryKey: "id", [
///         .init("id", .int),
///         .init("name", .string, isOptional: true, index: .plain),
///         .init("dogs", .object, .list, linkingTo: "Dog"),
///         .init("address", .object, linkingTo: "Address"),
///       ]))
///     schema.classes.append(.init("Dog", [.init("name", .string)]))
///     schema.classes.append(.init("Address", isEmbedded: true, [.init("city", .string)]))
///
///     var configuration = Realm.Configuration(fileURL: url)
///     configuration.dynamicSchema = schema
///     let realm = try Realm(configuration: configuration)
///     try realm.write {
///       realm.dynamicCreate("Person", value: ["id": 1, "dogs": [["name": "Rex"]]])
///     }
///
/// Nothing is checked while the schema is built. Opening a realm checks all of it; `problems` does so at any time.
public struct DynamicSchema: Hashable, Sendable {
  /// The classes.
  ///
  ///     var schema = DynamicSchema()
  ///     schema.classes.append(.init("Toy", [.init("color", .string)]))
  public var classes: [Class]

  /// Creates a schema of classes.
  ///
  ///     let schema = DynamicSchema([.init("Dog", [.init("name", .string)])])
  ///
  /// - Parameter classes: the classes, in any order.
  public init(_ classes: [Class] = []) { self.classes = classes }

  /// A class of a schema that is made at run time.
  ///
  ///     var dog = DynamicSchema.Class("Dog", [.init("name", .string)])
  ///     dog.properties.append(.init("age", .int))
  public struct Class: Hashable, Sendable {
    /// The name: 1 to 57 bytes without control characters, unique in the schema.
    public var name: String
    /// The name of the property that is the primary key; nil for none.
    public var primaryKey: String?
    /// Whether objects of the class are part of others.
    public var isEmbedded: Bool
    /// The properties: 0 to 4096. Files of Realm may have classes without properties.
    public var properties: [Property]
    /// The indexes over several properties.
    ///
    ///     var person = DynamicSchema.Class("Person", [.init("city", .string), .init("name", .string)])
    ///     person.compoundIndexes = [CompoundIndex("city", "name")]
    public var compoundIndexes: [CompoundIndex]

    /// Creates a class.
    ///
    ///     let dog = DynamicSchema.Class("Dog", primaryKey: "id", [.init("id", .objectId), .init("name", .string)])
    ///     let address = DynamicSchema.Class("Address", isEmbedded: true, [.init("city", .string)])
    ///
    /// - Parameters:
    ///   - name: the name: 1 to 57 bytes, unique in the schema.
    ///   - primaryKey: the name of an integer, string, object id or UUID property; nil for none.
    ///   - isEmbedded: whether objects of the class are part of others.
    ///   - properties: the properties, at most 4096.
    ///   - compoundIndexes: the indexes over several properties.
    public init(
      _ name: String, primaryKey: String? = nil, isEmbedded: Bool = false, _ properties: [Property],
      compoundIndexes: [CompoundIndex] = []
    ) {
      self.name = name
      self.primaryKey = primaryKey
      self.isEmbedded = isEmbedded
      self.properties = properties
      self.compoundIndexes = compoundIndexes
    }
  }

  /// Whether a property holds one value or several.
  ///
  ///     let dogs = DynamicSchema.Property("dogs", .object, .list, linkingTo: "Dog")
  public enum Collection: Hashable, Sendable, CaseIterable {
    /// One value.
    case single
    /// A list.
    case list
    /// A set.
    case set
    /// A map with string keys.
    case map
  }

  /// The index of a property.
  ///
  ///     let chip = DynamicSchema.Property("chip", .string, isOptional: true, index: .unique)
  public enum Index: Hashable, Sendable, CaseIterable {
    /// No index.
    case none
    /// An index that finds objects by the value.
    case plain
    /// An index that refuses two objects with one value.
    case unique
    /// An index by the words of a string.
    case fullText
  }

  /// A property of a class that is made at run time.
  ///
  ///     var weight = DynamicSchema.Property("weight", .double)
  ///     weight.isOptional = true
  public struct Property: Hashable, Sendable {
    /// The name: 1 to 63 bytes without control characters, unique in the class.
    public var name: String
    /// The type of the value or of the elements; not `linkingObjects`.
    public var type: PropertyType
    /// Whether it holds one value or several.
    public var collection: Collection
    /// Whether the value, or an element, may be null. Single links, links in maps and any-values always may.
    public var isOptional: Bool
    /// The name of the class that links point at; nil for other types.
    public var objectClassName: String?
    /// The index.
    public var index: Index
    /// The effect of a deletion on the targets of links.
    public var deleteRule: LinkDeleteRule

    /// Creates a property.
    ///
    ///     let name = DynamicSchema.Property("name", .string, index: .plain)
    ///     let scores = DynamicSchema.Property("scores", .int, .map)
    ///     let dogs = DynamicSchema.Property("dogs", .object, .list, linkingTo: "Dog", deleteRule: .cascade)
    ///
    /// - Parameters:
    ///   - name: the name: 1 to 63 bytes, unique in the class.
    ///   - type: the type of the value or of the elements; not `linkingObjects`.
    ///   - collection: whether it holds one value or several.
    ///   - isOptional: whether the value, or an element, may be null. Without effect on links and any-values.
    ///   - className: the name of the class that links point at.
    ///   - index: the index.
    ///   - deleteRule: the effect of a deletion on the targets of links.
    public init(
      _ name: String, _ type: PropertyType, _ collection: Collection = .single, isOptional: Bool = false,
      linkingTo className: String? = nil, index: Index = .none, deleteRule: LinkDeleteRule = .nullify
    ) {
      self.name = name
      self.type = type
      self.collection = collection
      self.isOptional = isOptional
      objectClassName = className
      self.index = index
      self.deleteRule = deleteRule
    }
  }
}

extension DynamicSchema.Property {
  /// The options of the property, as a wrapper's arguments declare them, but for the primary key.
  var declaration: _Declaration {
    let indexed: _Declaration =
      switch index {
      case .none: []
      case .plain: .indexed
      case .unique: .unique
      case .fullText: .fullText
      }
    return indexed.union(deleteRule.declaration)
  }
}
