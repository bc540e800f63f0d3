import FiefGraph

/// `fief schema --swift`: model classes that open a file as it is.
///
///     class Dog: Object {
///       @Persisted(primaryKey: true) var id: Int
///       @Persisted var name: String?
///       @Persisted(originProperty: "dogs") var dogsOfPerson: LinkingObjects<Person>
///     }
///
/// A stored name that Swift cannot have, or that means something else, becomes another one, and the class says which
/// one is stored. Linking objects are not stored; each link is known at its other end by one.
struct SwiftModels {
  private struct Model {
    let table: Table
    let name: String
    /// The names of the columns, and of the linking objects.
    var names: SwiftNames
    var columns: [ColumnKey: String] = [:]
  }

  private let graph: Graph
  private var models: [TableKey: Model] = [:]
  private let order: [TableKey]
  /// The classes without a property, which Swift cannot have.
  let leftOut: [String]

  init(_ view: StoreView) {
    graph = view.graph
    let tables = view.tables.filter { !$0.schema.columns.isEmpty }
    order = tables.map(\.schema.key)
    leftOut = view.tables.filter { $0.schema.columns.isEmpty }.map(\.schema.name)
    var types = SwiftNames(taken: SwiftNames.ofTypes)
    let names = types.names(for: tables.map(\.schema.name), alternative: "Object")
    for table in tables {
      var model = Model(
        table: table, name: names[Array(table.schema.name.utf8)] ?? "",
        names: SwiftNames(taken: SwiftNames.ofObjects))
      // A wrapper keeps `name` in a variable `_name`, and other columns are not to take that name.
      for column in table.schema.columns { model.names.take("_" + SwiftNames.identifier(of: column.name)) }
      let properties = model.names.names(for: table.schema.columns.map(\.name))
      for column in table.schema.columns { model.columns[column.key] = properties[Array(column.name.utf8)] }
      models[table.schema.key] = model
    }
  }

  /// The source.
  ///
  /// - Parameters:
  ///   - file: the name of the file, for the first line.
  ///   - schemaVersion: the version of its schema.
  func source(file: String, schemaVersion: UInt64) -> String {
    var names = models.mapValues(\.names)
    let parts = order.compactMap { key in models[key].map { source(of: $0, &names) } }
    return """
      // swift-format-ignore-file
      // The classes of \(file.printable), as 'fief schema --swift' has written them. They open the file as it is:
      //
      //     let configuration = Realm.Configuration(fileURL: url, schemaVersion: \(schemaVersion))

      import RealmSwift

      \(parts.joined(separator: "\n\n"))
      """
  }

  // MARK: Classes

  private func source(of model: Model, _ names: inout [TableKey: SwiftNames]) -> String {
    let schema = model.table.schema
    let base =
      switch schema.kind {
      case .ordinary: "Object"
      case .embedded: "EmbeddedObject"
      case .asymmetric: "AsymmetricObject"
      }
    var lines = ["class \(model.name): \(base) {"]
    for column in schema.columns { lines.append("  \(property(column, of: model))") }
    lines += linkingObjects(to: model, &names).map { "  \($0)" }
    var functions: [String] = []
    if model.name != schema.name {
      functions.append("  override class func _realmObjectName() -> String? { \(SwiftNames.literal(schema.name)) }")
    }
    let renamed = schema.columns.filter { model.columns[$0.key] != $0.name }
    if !renamed.isEmpty {
      let entries = renamed.map {
        "      \(SwiftNames.literal(model.columns[$0.key] ?? "")): \(SwiftNames.literal($0.name)),"
      }
      functions.append(Self.function("propertiesMapping() -> [String: String]", entries))
    }
    let compound = schema.indexes.filter { $0.columns.count > 1 }.map { index in
      let names = index.columns.map { SwiftNames.literal(model.columns[$0] ?? "") }.joined(separator: ", ")
      return "      CompoundIndex(\(names)\(index.isUnique ? ", unique: true" : "")),"
    }
    if !compound.isEmpty {
      functions.append(Self.function("compoundIndexes() -> [CompoundIndex]", compound))
    }
    return (lines + (functions.isEmpty ? [] : [""]) + functions + ["}"]).joined(separator: "\n")
  }

  private static func function(_ signature: String, _ entries: [String]) -> String {
    "  override class func \(signature) {\n    [\n\(entries.joined(separator: "\n"))\n    ]\n  }"
  }

  private func property(_ column: Column, of model: Model) -> String {
    let schema = model.table.schema
    var argument = ""
    if column.key == schema.primaryKey {
      argument = "(primaryKey: true)"
    } else if let index = schema.indexes.first(where: { $0.columns == [column.key] }) {
      argument = index.isFullText ? "(indexed: .fullText)" : index.isUnique ? "(indexed: .unique)" : "(indexed: true)"
    } else if column.deleteRule != .nullify {
      argument = "(deleteRule: .\(column.deleteRule))"
    }
    guard let type = type(of: column) else {
      return "// '\(column.name.printable)' links to a class without properties, which Swift cannot have."
    }
    let name = model.columns[column.key] ?? ""
    return "@Persisted\(argument) var \(SwiftNames.isKeyword(name) ? "`\(name)`" : name): \(type)"
  }

  /// The type in the declaration; nil for a link to a class that is left out.
  private func type(of column: Column) -> String? {
    let type = column.type
    var name: String
    switch type.kind {
    case .bool: name = "Bool"
    case .int: name = type.width == .bits64 ? "Int" : "Int\(8 * Int(type.width.rawValue))"
    case .float: name = "Float"
    case .double: name = "Double"
    case .string: name = "String"
    case .data: name = "Data"
    case .date: name = "Date"
    case .objectId: name = "ObjectId"
    case .uuid: name = "UUID"
    case .decimal: name = "Decimal128"
    case .any: name = "AnyRealmValue"
    case .link:
      guard let target = type.target.flatMap({ models[$0] }) else { return nil }
      name = target.name
    }
    if type.allowsNull && type.kind != .any { name += "?" }
    return switch type.shape {
    case .single: name
    case .list: "List<\(name)>"
    case .set: "MutableSet<\(name)>"
    case .dictionary: "Map<String, \(name)>"
    }
  }

  /// The other ends of the links to a class, by the names of class and property.
  private func linkingObjects(to model: Model, _ names: inout [TableKey: SwiftNames]) -> [String] {
    let key = model.table.schema.key
    return order.flatMap { origin -> [String] in
      // Embedded objects are found through their owners.
      guard let other = models[origin], other.table.schema.kind == .ordinary, model.table.schema.kind == .ordinary
      else {
        return []
      }
      return other.table.schema.columns.filter { $0.type.kind == .link && $0.type.target == key }.map { column in
        let property = other.columns[column.key] ?? ""
        let name = names[key, default: SwiftNames()].name(for: "\(property)Of\(other.name)")
        return "@Persisted(originProperty: \(SwiftNames.literal(property))) var \(name): LinkingObjects<\(other.name)>"
      }
    }
  }
}
