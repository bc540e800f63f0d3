import Fief
import Foundation

/// How many old objects the code of a migration has visited, by the name of the class that it gave.
final class EvolvedReads: @unchecked Sendable {
  // A migration's code runs on one thread.
  var counts: [String: Int] = [:]
}

extension EvolvedStep {
  /// The code of the migration from what a file holds, as an application would write it.
  func block(from store: EvolvedStore, _ interim: EvolvedStore, _ reads: EvolvedReads) -> MigrationBlock? {
    if !hasBlock { return nil }
    return { migration, _ in
      let run = EvolvedBlock(step: self, store: store, interim: interim, migration: migration, reads: reads)
      try run.run()
    }
  }
}

/// The run of a migration's code.
private struct EvolvedBlock {
  let step: EvolvedStep
  let store: EvolvedStore
  let interim: EvolvedStore
  let migration: Migration
  let reads: EvolvedReads

  func run() throws {
    for names in step.classNames { migration.renameClass(from: names.old, to: names.new) }
    try renumber()
    for (name, names) in step.propertyNames { migration.renameProperty(onType: name, from: names.old, to: names.new) }
    for computation in step.computations { try compute(computation) }
    try create()
    for name in Set(step.deleted.map(\.className)).sorted() {
      let doomed = step.deleted.filter { $0.className == name }.map(\.object)
      try enumerate(name) { old, new in
        if let number = old?[EvolvedClass.tag] as? Int, doomed.contains(number), let new { migration.delete(new) }
      }
    }
    for name in step.cleared {
      if !migration.deleteData(forType: name) { throw EvolvedFault("deleteData does not know '\(name)'.") }
    }
  }

  private func enumerate(_ name: String, _ body: (MigrationObject?, MigrationObject?) throws -> Void) throws {
    try migration.enumerateObjects(ofType: name) { old, new in
      if old != nil { reads.counts[name, default: 0] += 1 }
      try body(old, new)
    }
  }

  private func compute(_ computation: EvolvedStep.Computation) throws {
    guard let target = step.schema[computation.className]?.properties[computation.target] else { return }
    try enumerate(computation.className) { old, new in
      guard let old, let new else { return }
      if computation.isDirect {
        new[computation.target] = old[computation.source]
        return
      }
      var objects: [Int: MigrationObject] = [:]
      let content = try EvolvedContent(old[computation.source]) { objects[$0] = $1 }
      new[computation.target] = content.converted(to: target).value { objects[$0] }
    }
  }

  /// Gives the objects of classes that were embedded their own numbers: they are found below the objects that own them.
  private func renumber() throws {
    if step.renumbered.isEmpty { return }
    var parts: [(className: String, object: MigrationObject, number: Int)] = []
    for name in store.names where !store.isEmbedded(name) {
      try enumerate(step.newName(name)) { old, _ in
        guard let old, let number = old[EvolvedClass.tag] as? Int else { return }
        var work = [(name, old, number)]
        while let (name, object, number) = work.popLast() {
          guard let table = store.tables[name], let row = table.rows[number] else {
            throw EvolvedFault("Object \(number) of '\(name)' was not expected.")
          }
          for (property, declared) in table.declaration.ordered {
            guard let target = declared.target, store.isEmbedded(target) else { continue }
            let found = objects(object[property])
            let expected = row[property]?.links ?? []
            if found.count != expected.count { throw EvolvedFault("'\(name).\(property)' has \(found.count) parts.") }
            for (part, number) in zip(found, expected) {
              if step.renumbered.contains(step.newName(target)) { parts.append((step.newName(target), part, number)) }
              work.append((target, part, number))
            }
          }
        }
      }
    }
    for name in step.renumbered {
      let own = parts.filter { $0.className == name }
      try enumerate(name) { old, new in
        guard let old, let new, let part = own.first(where: { $0.object.isSameObject(as: old) }) else {
          throw EvolvedFault("An object of '\(name)' has no owner.")
        }
        new[EvolvedClass.tag] = part.number
      }
    }
  }

  /// The objects of a link, a list or a map, in the order of `EvolvedContent.links`.
  private func objects(_ value: Any?) -> [MigrationObject] {
    switch value {
    case let object as MigrationObject: [object]
    case let list as List<MigrationObject>: Array(list)
    case let map as Map<String, MigrationObject?>:
      map.asKeyValueSequence().sorted { $0.key < $1.key }.compactMap(\.value)
    default: []
    }
  }

  private func create() throws {
    var objects: [Int: MigrationObject] = [:]
    let names = Set(step.created.flatMap { made in ([made] + made.parts).flatMap { links(of: $0) } })
    for name in names.sorted() {
      try enumerate(name) { old, new in
        if let number = old?[EvolvedClass.tag] as? Int { objects[number] = new }
      }
    }
    for made in step.created { migration.create(made.className, value: made.value(step.schema) { objects[$0] }) }
  }

  /// The ordinary classes to which an object's properties may link.
  private func links(of made: EvolvedObject) -> [String] {
    step.schema[made.className]?.ordered.compactMap { $0.property.target }.filter {
      step.schema[$0]?.isEmbedded == false && store.tables[step.storedName($0)]?.declaration.isEmbedded == false
    } ?? []
  }
}

extension EvolvedObject {
  /// The object as a dictionary, in which embedded objects are dictionaries.
  func value(_ schema: EvolvedSchema, _ object: (Int) throws -> Any?) rethrows -> [String: Any] {
    try Self.value(values, className, schema, parts, object)
  }

  private static func value(
    _ values: [String: EvolvedContent], _ name: String, _ schema: EvolvedSchema, _ parts: [EvolvedObject],
    _ object: (Int) throws -> Any?
  ) rethrows -> [String: Any] {
    var made: [String: Any] = [:]
    for (property, content) in values {
      made[property] =
        try content.value { number in
          guard let part = parts.first(where: { $0.number == number }) else { return try object(number) }
          return try value(part.values, part.className, schema, parts, object)
        } ?? NSNull()
    }
    return made
  }
}
