import Fief
import FiefCopying
import FiefRuntime
import Foundation

/// A document that is imported: an object with an array of objects for each class, and a schema if it has one.
struct ImportSource {
  let tree: DocumentTree
  let schema: DynamicSchema?
  /// The text of the tree, for the place of an error; nil if the tree was made of something else.
  let json: Data?

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - className: the class of objects whose class the document does not say.
  ///   - given: the schema to read by; nil for that of the document, or none.
  init(_ file: String, _ format: DocumentFormat, className: String, given: DynamicSchema?) throws {
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
      return ImportSource(tree: document([className: [tree]]), schema: given, json: nil)
    case .array(let elements):
      guard tree.elements(elements).allSatisfy({ if case .object = $0 { true } else { false } }) else { break }
      return ImportSource(tree: JSON.object([(className, .tree(tree))]).tree, schema: given, json: nil)
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
    return ImportSource(tree: document(objects), schema: schema, json: nil)
  }

  /// The objects by class, without the names of it that they have themselves.
  private static func document(_ objects: [String: [DocumentTree]]) -> DocumentTree {
    let classes = objects.map { className, objects in
      let own = objects.map { object -> JSON in
        guard case .object(let span) = object.root, object.member("$class", of: span) != nil else {
          return .tree(object)
        }
        let members = object.members(span).filter { $0.name != "$class" }
        return .object(members.map { name, value in (name, .written { $0.add(object, value) }) })
      }
      return (className, JSON.array(own))
    }
    return JSON.object(classes).tree
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
