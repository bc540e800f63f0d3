import Fief
import FiefCopying
import FiefGraph
import Foundation

/// A new value for a property, from a word on the command line.
///
///     name=Ann              the text behind '=', read by the type of the property
///     age=nil               no value
///     boss=7                a link: the key of an object, or '#' and its number
///     name:=null            JSON behind ':='
///     dogs:=["#0", "#4"]    a list of links, by keys
///     home:={"city": "Rome"}
struct Assignment {
  let column: Column
  let value: Content

  /// The new contents of the property.
  enum Content {
    /// A value that one cell holds.
    case value(Value)
    /// A value for `create`: collections, embedded objects, and what an any-value nests.
    case plain(Any)
  }

  /// JSON that is nested deeper is refused.
  private static let deepest = 100

  /// Reads a word.
  ///
  /// - Throws: `Failure` for a word without '=', an unknown property, the primary key, and a value of another type.
  init(_ word: String, of schema: TableSchema, in view: StoreView) throws {
    // By bytes: a mark behind the sign of equality would be one character with it.
    let bytes = Array(word.utf8)
    let found = schema.columns.sorted { $0.name.utf8.count > $1.name.utf8.count }.first { column in
      bytes.starts(with: Array("\(column.name)=".utf8)) || bytes.starts(with: Array("\(column.name):=".utf8))
    }
    guard let found else {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "=")) else {
        throw Failure("'\(word.printable)' sets no property: write name=value.", .usage)
      }
      var name = String(decoding: bytes[..<end], as: UTF8.self)
      if name.hasSuffix(":") { name.removeLast() }
      if let owner = schema.columns.first(where: { name.hasPrefix("\($0.name).") }) {
        let property = owner.name.printable
        throw Failure(
          "'\(name.printable)' is a part of '\(property)', which is set as a whole: \(property):={…}", .usage)
      }
      let advice = SchemaNames.advice(on: name, among: schema.columns.map(\.name))
      throw Failure("'\(schema.name.printable)' has no property '\(name.printable)': \(advice.printable)", .usage)
    }
    column = found
    let rest = bytes.dropFirst(found.name.utf8.count)
    if rest.first == UInt8(ascii: ":") {
      let bytes = Array(rest.dropFirst(2))
      let tree: DocumentTree
      do { tree = try DocumentParser.parse(bytes) } catch {
        throw Failure("The value of '\(found.name.printable)' is no JSON: \("\(error)".printable)", .usage)
      }
      value = try Self.content(tree.root, tree, found, view)
    } else {
      value = .value(try Self.value(String(decoding: rest.dropFirst(), as: UTF8.self), found, view))
    }
  }

  // MARK: Words

  private static func value(_ text: String, _ column: Column, _ view: StoreView) throws -> Value {
    let type = column.type
    if type.isCollection || type.target.map({ view.graph[$0]?.schema.kind == .embedded }) ?? false {
      throw Failure(
        "'\(column.name.printable)' is \(type.phrase(in: view)): give JSON, as \(column.name.printable):=…", .usage)
    }
    if text == "nil" && type.allowsNull && type.kind != .string { return .null }
    if type.kind == .any { return .string(text) }
    guard let value = try scalar(text, type, view) else { throw mismatch(text, column, view) }
    return value
  }

  /// A value from its text; nil if it is of another type.
  private static func scalar(_ text: String, _ type: ColumnType, _ view: StoreView) throws -> Value? {
    switch type.kind {
    case .bool: text == "true" || text == "1" ? .bool(true) : text == "false" || text == "0" ? .bool(false) : nil
    case .int: Int64(text).map(Value.int)
    case .link: try type.target.flatMap { view.graph[$0] }.map { .link(try view.object(named: text, in: $0)) }
    case .any: nil
    // As in documents, so that no text becomes a number that it does not spell.
    default: DocumentScalar.value(of: text, type.kind)
    }
  }

  private static func mismatch(_ text: String, _ column: Column, _ view: StoreView) -> Failure {
    let advice = column.type.kind == .date && !column.type.isCollection ? ": write it as 2026-01-31T12:00:00Z" : ""
    return Failure(
      "'\(text.printable)' is no value for '\(column.name.printable)', which is \(column.type.phrase(in: view))"
        + "\(advice).", .usage)
  }

  // MARK: JSON

  private static func content(
    _ json: DocumentTree.Value, _ tree: DocumentTree, _ column: Column, _ view: StoreView
  ) throws -> Content {
    let type = column.type
    if case .null = json {
      if type.isCollection { return .plain(type.shape == .dictionary ? [String: Any]() as Any : [Any]()) }
      if !type.allowsNull { throw mismatch("null", column, view) }
      return .value(.null)
    }
    let isEmbedded = type.target.map { view.graph[$0]?.schema.kind == .embedded } ?? false
    if !type.isCollection, type.kind != .any, !isEmbedded {
      return .value(try element(json, type, column, view))
    }
    return .plain(try plain(json, tree, type, column, view, depth: 0))
  }

  private static func element(
    _ json: DocumentTree.Value, _ type: ColumnType, _ column: Column, _ view: StoreView
  ) throws -> Value {
    let text: String
    switch json {
    case .null: return .null
    case .bool(let value): text = "\(value)"
    case .int(let value): text = "\(value)"
    case .double(let value): text = "\(value)"
    case .decimal(let value): text = "\(value)"
    case .string(let value): text = value
    case .array, .object: throw mismatch("JSON of several values", column, view)
    }
    if case .string = json, [.bool, .int, .float, .double].contains(type.kind), Double(text)?.isFinite ?? true {
      throw mismatch("\"\(text)\"", column, view)
    }
    switch (json, type.kind) {
    case (.string, _), (_, .int), (_, .float), (_, .double), (_, .decimal), (.bool, .bool), (.int, .link): break
    default: throw mismatch(text, column, view)
    }
    guard let value = try scalar(text, type, view) else { throw mismatch(text, column, view) }
    return value
  }

  /// A value for `create`. Recursion ends at `deepest`.
  private static func plain(
    _ json: DocumentTree.Value, _ tree: DocumentTree, _ type: ColumnType, _ column: Column, _ view: StoreView,
    depth: Int
  ) throws -> Any {
    if depth > deepest {
      throw Failure("The value of '\(column.name.printable)' is nested deeper than \(deepest) levels.", .usage)
    }
    if type.kind == .any && !type.isCollection { return try any(json, tree, column, depth: depth) }
    switch (type.shape, json) {
    case (.list, .array(let span)), (.set, .array(let span)):
      return try tree.elements(span).map { try plain($0, tree, type.element, column, view, depth: depth + 1) }
    case (.dictionary, .object(let span)):
      var members: [String: Any] = [:]
      for (name, value) in tree.members(span) {
        members[name] = try plain(value, tree, type.element, column, view, depth: depth + 1)
      }
      return members
    case (.single, _): break
    default: throw mismatch("JSON of another form", column, view)
    }
    if case .null = json { return NSNull() }
    guard let target = type.target.flatMap({ view.graph[$0] }), target.schema.kind == .embedded else {
      return try view.plain(element(json, type, column, view))
    }
    guard case .object(let span) = json else { throw mismatch("JSON that is no object", column, view) }
    var members: [String: Any] = [:]
    for (name, value) in tree.members(span) {
      guard let inner = target.schema.column(named: name) else {
        let advice = SchemaNames.advice(on: name, among: target.schema.columns.map(\.name))
        throw Failure(
          "'\(target.schema.name.printable)' has no property '\(name.printable)': \(advice.printable)", .usage)
      }
      members[name] = try plain(value, tree, inner.type, inner, view, depth: depth + 1)
    }
    return members
  }

  /// The contents of an any-value: JSON as it is.
  private static func any(
    _ json: DocumentTree.Value, _ tree: DocumentTree, _ column: Column, depth: Int
  ) throws -> Any {
    if depth > deepest {
      throw Failure("The value of '\(column.name.printable)' is nested deeper than \(deepest) levels.", .usage)
    }
    switch json {
    case .null: return NSNull()
    case .bool(let value): return value
    case .int(let value): return Int(value)
    case .double(let value): return value
    case .decimal(let value): return value
    case .string(let value): return value
    case .array(let span): return try tree.elements(span).map { try any($0, tree, column, depth: depth + 1) }
    case .object(let span):
      var members: [String: Any] = [:]
      for (name, value) in tree.members(span) { members[name] = try any(value, tree, column, depth: depth + 1) }
      return members
    }
  }
}

extension StoreView {
  /// A value as `create` takes it. Links stand as they are stored; writing makes objects of them.
  fileprivate func plain(_ value: Value) -> Any {
    if case .link(let link) = value { return link }
    return value.plain ?? NSNull()
  }
}

extension ColumnType {
  /// The type in words, with its target: `a list of Dog`.
  fileprivate func phrase(in view: StoreView) -> String {
    guard let name = target.flatMap({ view.graph[$0]?.schema.name.printable }) else { return declaration }
    return switch shape {
    case .single: "a link to \(name)"
    case .list: "a list of \(name)"
    case .set: "a set of \(name)"
    case .dictionary: "a map of \(name)"
    }
  }
}
