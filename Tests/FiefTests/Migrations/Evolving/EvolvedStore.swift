import FiefTestSupport
import Foundation

/// The contents that a file of an evolving application must have, kept in dictionaries.
struct EvolvedStore: Sendable {
  /// Every table of the file, also those of classes that the application does not declare any more.
  var tables: [String: EvolvedTable] = [:]
  /// The names of the classes that the application declares.
  var declared: Set<String> = []
  private(set) var nextObject = 1

  var schema: EvolvedSchema { tables.filter { declared.contains($0.key) }.mapValues(\.declaration) }

  mutating func number() -> Int {
    nextObject += 1
    return nextObject - 1
  }

  /// The names of the tables in their order.
  var names: [String] { tables.keys.sorted() }

  func isEmbedded(_ name: String?) -> Bool { name.flatMap { tables[$0] }?.declaration.isEmbedded ?? false }

  /// The ordinary classes of the application that have objects.
  var linkable: [String] { names.filter { declared.contains($0) && !isEmbedded($0) } }

  func objects(_ name: String) -> [Int] { tables[name]?.rows.keys.sorted() ?? [] }

  // MARK: Changing

  /// Sets a property. Embedded objects that it had are deleted.
  mutating func set(_ content: EvolvedContent, _ name: String, _ object: Int, _ property: String) {
    guard let table = tables[name], let former = table.rows[object]?[property] else { return }
    tables[name]?.rows[object]?[property] = content
    if let target = table.declaration.properties[property]?.target, isEmbedded(target) {
      for part in former.links where !content.links.contains(part) { delete(part, target) }
    }
  }

  /// Adds an object with the embedded objects that it has.
  mutating func add(_ made: EvolvedObject) {
    tables[made.className]?.rows[made.number] = made.values
    for part in made.parts { tables[part.className]?.rows[part.number] = part.values }
  }

  /// Deletes an object, what it owns or cascades to, and all links to it.
  mutating func delete(_ object: Int, _ name: String) {
    var work = [(object, name)]
    while let (object, name) = work.popLast() {
      guard let table = tables[name], let row = table.rows[object] else { continue }
      tables[name]?.rows[object] = nil
      for (property, declared) in table.declaration.ordered {
        if let target = declared.target, isEmbedded(target) || declared.cascades {
          work += row[property]?.links.map { ($0, target) } ?? []
        }
      }
      for (other, table) in tables {
        for (property, declared) in table.declaration.properties where declared.target == name {
          for (number, row) in table.rows where row[property]?.links.contains(object) ?? false {
            tables[other]?.rows[number]?[property] = row[property]?.replacingLinks { $0 == object ? nil : $0 }
          }
        }
      }
    }
  }

  /// Deletes the embedded objects of a property in all objects, and gives it other contents.
  mutating func reset(_ property: String, of name: String, to content: EvolvedContent?) {
    for object in objects(name) {
      if let content {
        set(content, name, object, property)
      } else {
        set(.null, name, object, property)
        tables[name]?.rows[object]?[property] = nil
      }
    }
  }

  // MARK: Unique values

  /// Values that repeat where the classes allow each once.
  var repetitions: [EvolvedRepetition] {
    var found: [EvolvedRepetition] = []
    for name in declared.sorted() {
      guard let table = tables[name] else { continue }
      for (names, allowsNulls) in table.declaration.uniqueNames {
        var counts: [[EvolvedContent]: Int] = [:]
        for row in table.rows.values {
          let values = names.map { row[$0] ?? .null }
          if !(allowsNulls && values.contains(.null)) { counts[values, default: 0] += 1 }
        }
        for (_, count) in counts where count > 1 {
          found.append(EvolvedRepetition(className: name, names: names, count: count))
        }
      }
    }
    return found.sorted { "\($0)" < "\($1)" }
  }
}

/// A table of an evolving application.
struct EvolvedTable: Sendable {
  /// The class as the file has it.
  var declaration = EvolvedClass()
  /// The objects by their numbers.
  var rows: [Int: [String: EvolvedContent]] = [:]
}

/// An object with the embedded objects that it owns.
struct EvolvedObject: Sendable {
  let className: String
  let number: Int
  var values: [String: EvolvedContent] = [:]
  var parts: [EvolvedObject] = []
}

/// A value that several objects have where it may not repeat.
struct EvolvedRepetition: Hashable, Sendable {
  let className: String
  let names: [String]
  let count: Int
}

extension EvolvedStore {
  /// Draws an object of a class, with embedded objects.
  ///
  /// - Parameter objects: the objects of an ordinary class to which it may link.
  mutating func draw(
    _ choices: inout some Choices, _ name: String, _ schema: EvolvedSchema, depth: Int = 0,
    linkingTo objects: (String) -> [Int]
  ) -> EvolvedObject {
    var made = EvolvedObject(className: name, number: number())
    let declared = schema[name] ?? EvolvedClass()
    let unique = Set(declared.uniqueNames.flatMap(\.names))
    for (property, declaration) in declared.ordered {
      var content = draw(&choices, declaration, schema, depth, &made.parts, objects)
      if unique.contains(property) && choices.below(8) > 0 {
        content = declaration.distinct(made.number)
      }
      made.values[property] = property == EvolvedClass.tag ? .int(made.number) : content
    }
    return made
  }

  /// Draws the contents of a property. Embedded objects are added to `parts`.
  mutating func draw(
    _ choices: inout some Choices, _ property: EvolvedProperty, _ schema: EvolvedSchema, _ depth: Int,
    _ parts: inout [EvolvedObject], _ objects: (String) -> [Int]
  ) -> EvolvedContent {
    func scalar(_ choices: inout some Choices) -> EvolvedContent {
      if property.isOptional && choices.below(3) == 0 { return .null }
      switch property.kind {
      case .int: return .int(choices.below(7))
      case .string: return .string(["", "a", "b b", "7", "ab", "x"][choices.below(6)])
      case .double: return .double(Double(choices.below(9)) / 4)
      case .bool: return .bool(choices.bool())
      case .any: return [.null, .int(3), .string("any"), .bool(true), .double(0.5)][choices.below(5)]
      case .link: return .null
      case .float: return .float(Float(choices.below(9)) / 4)
      case .date: return .date(Date(timeIntervalSince1970: [0, -1, 0.5, 1e9][choices.below(4)]))
      case .data: return .data(Data([UInt8](repeating: 7, count: choices.below(3))))
      case .decimal: return .decimal([0, 1.50, -7, 1e30][choices.below(4)])
      case .objectId: return .objectId(EvolvedContent.objectId(choices.below(4)))
      case .uuid: return .uuid(EvolvedContent.uuid(choices.below(4)))
      }
    }
    func element(
      _ choices: inout some Choices, _ store: inout EvolvedStore, _ parts: inout [EvolvedObject]
    ) -> EvolvedContent? {
      guard let target = property.target else { return scalar(&choices) }
      if choices.below(4) == 0 { return property.shape == .list ? nil : .null }
      guard schema[target]?.isEmbedded ?? false else {
        let numbers = objects(target)
        if numbers.isEmpty { return property.shape == .list ? nil : .null }
        return .link(numbers[choices.below(numbers.count)])
      }
      if depth > 1 { return property.shape == .list ? nil : .null }
      let part = store.draw(&choices, target, schema, depth: depth + 1, linkingTo: objects)
      parts.append(EvolvedObject(className: target, number: part.number, values: part.values))
      parts += part.parts
      return .link(part.number)
    }
    switch property.shape {
    case .single: return element(&choices, &self, &parts) ?? property.zero
    case .list:
      var elements: [EvolvedContent] = []
      for _ in 0..<choices.below(4) { if let next = element(&choices, &self, &parts) { elements.append(next) } }
      return .list(elements)
    case .set:
      var elements: Set<EvolvedContent> = []
      for _ in 0..<choices.below(4) {
        guard let next = element(&choices, &self, &parts) else { continue }
        if property.kind != .link || next != .null { elements.insert(next) }
      }
      return .set(elements)
    case .map:
      var entries: [String: EvolvedContent] = [:]
      for _ in 0..<choices.below(3) {
        let key = "k\(choices.below(4))"
        if entries[key] == nil, let next = element(&choices, &self, &parts) { entries[key] = next }
      }
      return .map(entries)
    }
  }
}
