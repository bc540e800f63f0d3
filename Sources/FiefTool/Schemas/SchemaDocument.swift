import Fief
import FiefCopying
import FiefGraph
import FiefRealmFiles
import Foundation

/// A schema as JSON: `fief schema --json` prints it, `fief export` writes it into documents, and `--schema` reads it.
///
///     { "classes": [
///         { "name": "Person", "primaryKey": "id",
///           "indexes": [ { "properties": ["city", "name"], "unique": true } ],
///           "properties": [
///             { "name": "id", "type": "int" },
///             { "name": "name", "type": "string", "optional": true, "index": "plain" },
///             { "name": "dogs", "type": "object", "class": "Dog", "collection": "list", "deleteRule": "cascade" } ] },
///         { "name": "Address", "embedded": true, "properties": [ … ] } ] }
enum SchemaDocument {
  // MARK: JSON

  private static let types: [(name: String, type: PropertyType)] = [
    ("any", .any), ("bool", .bool), ("data", .data), ("date", .date), ("decimal", .decimal128), ("double", .double),
    ("float", .float), ("int", .int), ("object", .object), ("objectId", .objectId), ("string", .string),
    ("uuid", .UUID),
  ]
  private static let collections: [(name: String, collection: DynamicSchema.Collection)] = [
    ("list", .list), ("map", .map), ("set", .set),
  ]
  private static let indexNames: [(name: String, index: DynamicSchema.Index)] = [
    ("fullText", .fullText), ("plain", .plain), ("unique", .unique),
  ]
  private static let deleteRules: [(name: String, rule: LinkDeleteRule)] = [("cascade", .cascade), ("deny", .deny)]

  static func json(of schema: DynamicSchema) -> JSON { ["classes": .array(schema.classes.map(json))] }

  private static func json(_ described: DynamicSchema.Class) -> JSON {
    let indexes = described.compoundIndexes.map {
      JSON.members(["properties": .texts($0.properties), "unique": $0.isUnique ? .flag(true) : nil])
    }
    let properties = described.properties.map { property in
      JSON.members([
        "name": .text(property.name), "type": .text(types.first { $0.type == property.type }?.name),
        "collection": collections.first { $0.collection == property.collection }.map { .text($0.name) },
        "optional": property.isOptional ? .flag(true) : nil, "class": property.objectClassName.map(JSON.text),
        "index": indexNames.first { $0.index == property.index }.map { .text($0.name) },
        "deleteRule": deleteRules.first { $0.rule == property.deleteRule }.map { .text($0.name) },
      ])
    }
    return .members([
      "name": .text(described.name), "primaryKey": described.primaryKey.map(JSON.text),
      "embedded": described.isEmbedded ? .flag(true) : nil, "indexes": indexes.isEmpty ? nil : .array(indexes),
      "properties": .array(properties),
    ])
  }

  // MARK: Reading

  /// The schema of a file: JSON of this form, or a document, a realm's file or a file of Realm that has one.
  static func schema(ofFile file: String) throws -> DynamicSchema {
    let bytes: Data
    do {
      bytes = try DocumentFile.read(file)
    } catch {
      throw Failure(describing: error, file: file)
    }
    if let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }),
      first == UInt8(ascii: "{")
    {
      return try schema(json: bytes, file: file)
    }
    return DynamicSchema(try StoredFile(file).forReading().graph)
  }

  /// - Parameter file: the name of the file, for errors.
  static func schema(json: Data, file: String) throws -> DynamicSchema {
    do {
      let tree = try DocumentParser.parse([UInt8](json))
      var reader = Reader(tree: tree, value: tree.root, path: "")
      if let inner = try? reader.member("$schema") { reader = inner }
      return try schema(reader)
    } catch let error as CopyError {
      throw Failure("\(file.printable): \(error.message.printable)", .badData)
    }
  }

  /// The schema that a document contains; nil if it has none.
  static func schema(in tree: DocumentTree, file: String) throws(Failure) -> DynamicSchema? {
    guard case .object(let span) = tree.root, let value = tree.member("$schema", of: span) else { return nil }
    do {
      return try schema(Reader(tree: tree, value: value, path: "$schema"))
    } catch {
      throw Failure("\(file.printable): \(error.message.printable)", .badData)
    }
  }

  private static func schema(_ reader: Reader) throws(CopyError) -> DynamicSchema {
    var schema = DynamicSchema()
    try reader.refuseOthers(than: ["classes"])
    for described in try reader.member("classes").elements() { schema.classes.append(try self.described(described)) }
    let problems = schema.problems
    if let problem = problems.first { throw CopyError("The schema is not valid: \(problem)") }
    return schema
  }

  private static func described(_ reader: Reader) throws(CopyError) -> DynamicSchema.Class {
    try reader.refuseOthers(than: ["embedded", "indexes", "name", "primaryKey", "properties"])
    var properties: [DynamicSchema.Property] = []
    for property in try reader.member("properties").elements() { properties.append(try self.property(property)) }
    var indexes: [CompoundIndex] = []
    if reader.has("indexes") {
      for index in try reader.member("indexes").elements() {
        try index.refuseOthers(than: ["properties", "unique"])
        var names: [String] = []
        for name in try index.member("properties").elements() { names.append(try name.text()) }
        indexes.append(CompoundIndex(names, unique: try index.flag("unique")))
      }
    }
    return .init(
      try reader.member("name").text(),
      primaryKey: reader.has("primaryKey") ? try reader.member("primaryKey").text() : nil,
      isEmbedded: try reader.flag("embedded"), properties, compoundIndexes: indexes)
  }

  private static func property(_ reader: Reader) throws(CopyError) -> DynamicSchema.Property {
    try reader.refuseOthers(than: ["class", "collection", "deleteRule", "index", "name", "optional", "type"])
    func chosen<Choice>(_ name: String, _ choices: [(name: String, Choice)]) throws(CopyError) -> Choice? {
      guard reader.has(name) else { return nil }
      let member = try reader.member(name)
      let text = try member.text()
      if let choice = choices.first(where: { $0.name == text }) { return choice.1 }
      throw CopyError(
        "Invalid value '\(text)' at '\(member.path)': "
          + SchemaNames.advice(on: text, among: choices.map(\.name)).replacingOccurrences(
            of: "it has", with: "there are"))
    }
    guard let type = try chosen("type", types.map { ($0.name, $0.type) }) else {
      throw CopyError("There is no 'type' at '\(reader.path)'.")
    }
    return .init(
      try reader.member("name").text(), type,
      try chosen("collection", collections.map { ($0.name, $0.collection) }) ?? .single,
      isOptional: try reader.flag("optional"), linkingTo: reader.has("class") ? try reader.member("class").text() : nil,
      index: try chosen("index", indexNames.map { ($0.name, $0.index) }) ?? .none,
      deleteRule: try chosen("deleteRule", deleteRules.map { ($0.name, $0.rule) }) ?? .nullify)
  }

  /// A value of the document with its path.
  private struct Reader {
    let tree: DocumentTree
    let value: DocumentTree.Value
    let path: String

    func has(_ name: String) -> Bool { (try? member(name)) != nil }

    func member(_ name: String) throws(CopyError) -> Reader {
      guard case .object(let span) = value else { throw CopyError("There is no object at '\(path)'.") }
      guard let member = tree.member(name, of: span) else { throw CopyError("There is no '\(name)' at '\(path)'.") }
      return Reader(tree: tree, value: member, path: path.isEmpty ? name : "\(path).\(name)")
    }

    func elements() throws(CopyError) -> [Reader] {
      guard case .array(let span) = value else { throw CopyError("There is no array at '\(path)'.") }
      return tree.elements(span).enumerated().map { Reader(tree: tree, value: $1, path: "\(path)[\($0)]") }
    }

    func text() throws(CopyError) -> String {
      guard let text = value.text else { throw CopyError("There is no string at '\(path)'.") }
      return text
    }

    func flag(_ name: String) throws(CopyError) -> Bool {
      guard has(name) else { return false }
      guard case .bool(let flag) = try member(name).value else {
        throw CopyError("There is neither true nor false at '\(path).\(name)'.")
      }
      return flag
    }

    func refuseOthers(than known: [String]) throws(CopyError) {
      guard case .object(let span) = value else { throw CopyError("There is no object at '\(path)'.") }
      for member in 0..<span.count where !known.contains(tree.name(member, of: span)) {
        let name = tree.name(member, of: span)
        throw CopyError("Invalid name '\(name)' at '\(path)': \(SchemaNames.advice(on: name, among: known))")
      }
    }
  }
}
