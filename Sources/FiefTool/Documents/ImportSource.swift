import Fief
import FiefCopying
import FiefGraph
import Foundation

/// A document that is imported: an object with an array of objects for each class, and a schema if it has one.
struct ImportSource {
  let tree: DocumentTree
  let schema: DynamicSchema?
  /// The text of the tree, for the place of an error; nil if the tree was made of something else.
  let json: Data?

  enum Format: String {
    case json = "--json"
    case lines = "--ndjson"
    case csv = "--csv"
  }

  /// The format that a name suggests.
  static func format(of file: String) -> Format? {
    if DocumentFile.isFolder(file) { return .csv }
    switch URL(fileURLWithPath: file).pathExtension.lowercased() {
    case "json": return .json
    case "ndjson", "jsonl": return .lines
    case "csv": return .csv
    default: return nil
    }
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - className: the class of objects whose class the document does not say.
  ///   - given: the schema to read by; nil for that of the document, or none.
  init(_ file: String, _ format: Format, className: String, given: DynamicSchema?) throws {
    do {
      switch format {
      case .json: self = try Self.json(try DocumentFile.read(file), file, className, given)
      case .lines: self = try Self.lines(try DocumentFile.read(file), file, className, given)
      case .csv: self = try Self.tables(file, className, given)
      }
    } catch let error as CopyError {
      throw Failure("\(file.printable): \(error.message.printable)", .badData)
    } catch {
      throw Failure(describing: error, file: file)
    }
  }

  private init(tree: DocumentTree, schema: DynamicSchema?, json: Data?) {
    self.tree = tree
    self.schema = schema
    self.json = json
  }

  // MARK: JSON

  private static func json(
    _ bytes: Data, _ file: String, _ className: String, _ given: DynamicSchema?
  ) throws -> ImportSource {
    let meter = WorkMeter.current
    meter?.begin(.reading, of: bytes.count)
    let tree = try DocumentParser.parse([UInt8](bytes), counting: meter)
    switch tree.root {
    case .object(let span):
      let isByClass = tree.members(span).allSatisfy { name, value in
        guard case .array(let elements) = value else { return name == "$schema" }
        return tree.elements(elements).allSatisfy { if case .object = $0 { true } else { false } }
      }
      if span.count > 0, isByClass {
        let own = given == nil ? try SchemaDocument.schema(in: tree, file: file) : nil
        return ImportSource(tree: tree, schema: given ?? own, json: bytes)
      }
      return ImportSource(tree: one(className, [tree]), schema: given, json: nil)
    case .array(let elements):
      guard tree.elements(elements).allSatisfy({ if case .object = $0 { true } else { false } }) else { break }
      var builder = DocumentBuilder()
      builder.beginObject()
      builder.name(className)
      builder.add(tree)
      _ = builder.endObject()
      return ImportSource(tree: builder.finish(), schema: given, json: nil)
    default: break
    }
    throw Failure("\(file.printable): a document is an object, or an array of objects.", .badData)
  }

  private static func lines(
    _ bytes: Data, _ file: String, _ className: String, _ given: DynamicSchema?
  ) throws -> ImportSource {
    var schema = given
    var objects: [String: [DocumentTree]] = [:]
    let meter = WorkMeter.current
    meter?.begin(.reading, of: bytes.count)
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      meter?.advance(by: line.count + 1)
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      let tree: DocumentTree
      do {
        tree = try DocumentParser.parse([UInt8](line))
      } catch let error as CopyError {
        throw Failure("\(file.printable), line \(number + 1): \(error.message.printable)", .badData)
      }
      guard case .object(let span) = tree.root else {
        throw Failure("\(file.printable), line \(number + 1): expected an object.", .badData)
      }
      if number == 0, tree.member("$schema", of: span) != nil {
        if schema == nil { schema = try SchemaDocument.schema(in: tree, file: file) }
        continue
      }
      objects[tree.member("$class", of: span)?.text ?? className, default: []].append(tree)
    }
    var builder = DocumentBuilder()
    builder.beginObject()
    for name in objects.keys.sorted() { add(objects[name] ?? [], of: name, to: &builder) }
    _ = builder.endObject()
    return ImportSource(tree: builder.finish(), schema: schema, json: nil)
  }

  private static func one(_ className: String, _ objects: [DocumentTree]) -> DocumentTree {
    var builder = DocumentBuilder()
    builder.beginObject()
    add(objects, of: className, to: &builder)
    _ = builder.endObject()
    return builder.finish()
  }

  /// Adds the objects of a class without the names of it that they have themselves.
  private static func add(_ objects: [DocumentTree], of className: String, to builder: inout DocumentBuilder) {
    builder.name(className)
    builder.beginArray()
    for object in objects {
      guard case .object(let span) = object.root, object.member("$class", of: span) != nil else {
        builder.add(object)
        continue
      }
      builder.beginObject()
      for (name, value) in object.members(span) where name != "$class" {
        builder.name(name)
        builder.add(object, value)
      }
      _ = builder.endObject()
    }
    builder.endArray()
  }

  // MARK: Tables

  private static func tables(_ file: String, _ className: String, _ given: DynamicSchema?) throws -> ImportSource {
    var files = [(file, className)]
    var schema = given
    if DocumentFile.isFolder(file) {
      let names = try FileManager.default.contentsOfDirectory(atPath: file).sorted()
      files = names.filter { $0.hasSuffix(".csv") }.map { ("\(file)/\($0)", TableFile.className(ofFile: $0)) }
      if files.isEmpty { throw Failure("The folder \(file.printable) has no .csv files.", .badData) }
      if schema == nil, names.contains(TableFile.schemaName) {
        schema = try SchemaDocument.schema(ofFile: "\(file)/\(TableFile.schemaName)")
      }
    }
    var builder = DocumentBuilder()
    builder.beginObject()
    let contents = try files.map { ($0.0, $0.1, try DocumentFile.read($0.0)) }
    WorkMeter.current?.begin(.reading, of: contents.reduce(0) { $0 + $1.2.count })
    for (file, name, bytes) in contents {
      builder.name(name)
      do throws(Failure) {
        try TableReader(bytes, schema?.classes.first { $0.name == name }).read(into: &builder)
      } catch {
        throw Failure("\(file.printable): \(error.message)", error.code)
      }
    }
    if let name = builder.endObject() { throw Failure("The class '\(name.printable)' has several files.", .badData) }
    return ImportSource(tree: builder.finish(), schema: schema, json: nil)
  }
}
