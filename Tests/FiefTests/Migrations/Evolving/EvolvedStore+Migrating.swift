/// Why a migration must be refused.
enum EvolvedRefusal: Error {
  /// Values repeat that may not.
  case repetition([EvolvedRepetition])
  /// Objects that become embedded own each other in a circle.
  case circle
  /// A class that is not declared has a set of objects that become embedded.
  case set
  /// There would be more copies than a test wants.
  case tooMany
}

/// How a migration changed what a file holds.
struct EvolvedOutcome {
  var store: EvolvedStore
  /// How many copies of objects of classes that became embedded were made, by class.
  var copies: [String: Int] = [:]
  /// The original of a copy, back to the first.
  var originals: [Int: Int] = [:]
}

extension EvolvedStore {
  /// The stored objects after a step, or why it is refused. The steps are those of the product's page.
  ///
  /// - Parameter interim: receives what the code of the migration finds.
  func migrated(by step: EvolvedStep, interim: (EvolvedStore) -> Void = { _ in }) throws -> EvolvedOutcome {
    var next = self
    next.renameClasses(step)
    let embedding = next.prepare(step.schema)
    interim(next)
    next.run(step, from: self)
    var outcome = EvolvedOutcome(store: next)
    try outcome.settle(step, embedding)
    return outcome
  }

  private mutating func renameClasses(_ step: EvolvedStep) {
    var renamed: [String: EvolvedTable] = [:]
    for (name, var table) in tables {
      table.declaration.properties = table.declaration.properties.mapValues(step.renamed)
      renamed[step.newName(name)] = table
    }
    tables = renamed
    declared = Set(step.schema.keys)
  }

  /// - Returns: the classes that are to become embedded.
  private mutating func prepare(_ schema: EvolvedSchema) -> Set<String> {
    var embedding: Set<String> = []
    for (name, wanted) in schema {
      guard let stored = tables[name]?.declaration, stored.isEmbedded != wanted.isEmbedded else { continue }
      tables[name]?.declaration.isEmbedded = false
      if wanted.isEmbedded { embedding.insert(name) }
    }
    for (name, wanted) in schema.sorted(by: { $0.key < $1.key }) where tables[name] != nil {
      for (property, _) in tables[name]?.declaration.ordered ?? [] {
        tables[name]?.declaration.properties[property]?.cascades = false
      }
      for (property, declaration) in wanted.ordered {
        if let stored = tables[name]?.declaration.properties[property] {
          if declaration.keeps(stored) {
            tables[name]?.declaration.properties[property] = declaration
            continue
          }
          reset(property, of: name, to: nil)
        }
        tables[name]?.declaration.properties[property] = declaration
        for object in objects(name) { tables[name]?.rows[object]?[property] = declaration.zero }
      }
    }
    for (name, wanted) in schema where tables[name] == nil { tables[name] = EvolvedTable(declaration: wanted) }
    return embedding
  }

  /// The work of the migration's code.
  private mutating func run(_ step: EvolvedStep, from old: EvolvedStore) {
    for name in step.renumbered {
      for object in objects(name) { tables[name]?.rows[object]?[EvolvedClass.tag] = .int(object) }
    }
    for (name, names) in step.propertyNames {
      for object in objects(name) {
        guard let row = tables[name]?.rows[object], let moved = row[names.old] else { continue }
        set(tables[name]?.declaration.properties[names.new]?.zero ?? .null, name, object, names.new)
        tables[name]?.rows[object]?[names.new] = moved
        let zero = tables[name]?.declaration.properties[names.old]?.zero
        tables[name]?.rows[object]?[names.old] = zero
      }
    }
    for computation in step.computations {
      let name = computation.className
      guard let target = tables[name]?.declaration.properties[computation.target] else { continue }
      for object in objects(name) {
        guard let source = old.tables[step.storedName(name)]?.rows[object]?[computation.source] else { continue }
        set(computation.isDirect ? source : source.converted(to: target), name, object, computation.target)
      }
    }
    for made in step.created { add(made) }
    for (name, object) in step.deleted { delete(object, name) }
    for name in step.cleared { for object in objects(name) { delete(object, name) } }
  }
}

extension EvolvedOutcome {
  fileprivate mutating func settle(_ step: EvolvedStep, _ embedding: Set<String>) throws {
    for (name, wanted) in step.schema {
      for (property, _) in store.tables[name]?.declaration.ordered ?? [] where wanted.properties[property] == nil {
        store.reset(property, of: name, to: nil)
        store.tables[name]?.declaration.properties[property] = nil
      }
    }
    for (name, wanted) in step.schema { store.tables[name]?.declaration = wanted }
    let hasSets = store.tables.values.contains { table in
      table.declaration.properties.values.contains { $0.shape == .set && embedding.contains($0.target ?? "") }
    }
    if hasSets { throw EvolvedRefusal.set }
    if !embedding.isEmpty { try embed(embedding) }
    let repetitions = store.repetitions
    if !repetitions.isEmpty { throw EvolvedRefusal.repetition(repetitions) }
    removeCleared(step)
  }

  /// Removes the tables that the application has cleared and does not declare, unless a table that stays links to one.
  private mutating func removeCleared(_ step: EvolvedStep) {
    var rest = Set(step.cleared.filter { step.schema[$0] == nil })
    var count = rest.count + 1
    while rest.count < count {
      count = rest.count
      for name in rest.sorted() {
        let isLinkedTo = store.tables.contains { other, table in
          other != name && table.declaration.properties.values.contains { $0.target == name }
        }
        if isLinkedTo { continue }
        store.tables[name] = nil
        rest.remove(name)
      }
    }
  }

  /// Gives every link to an object that becomes embedded an object of its own, and deletes those without a link.
  private mutating func embed(_ classes: Set<String>) throws {
    var walk = EmbeddingWalk(store: store, classes: classes)
    for name in store.names where !store.isEmbedded(name) {
      for object in store.objects(name) { try walk.visitParts(of: object, name, below: []) }
    }
    for name in store.names where store.isEmbedded(name) {
      for object in store.objects(name) where !walk.seen.contains(object) {
        walk.store.tables[name]?.rows[object] = nil
      }
    }
    store = walk.store
    copies = walk.copies
    originals = walk.originals
  }
}

private struct EmbeddingWalk {
  var store: EvolvedStore
  let classes: Set<String>
  var seen: Set<Int> = []
  var copies: [String: Int] = [:]
  var originals: [Int: Int] = [:]

  mutating func visitParts(of object: Int, _ name: String, below path: [Int]) throws {
    guard let row = store.tables[name]?.rows[object] else { return }
    for (property, declaration) in store.tables[name]?.declaration.ordered ?? [] {
      guard let target = declaration.target, store.isEmbedded(target), let content = row[property] else { continue }
      let owned = try content.replacingLinks { try visit($0, target, below: path + [object]) }
      store.tables[name]?.rows[object]?[property] = owned
    }
  }

  private mutating func visit(_ object: Int, _ name: String, below path: [Int]) throws -> Int {
    let original = originals[object] ?? object
    if path.contains(where: { (originals[$0] ?? $0) == original }) { throw EvolvedRefusal.circle }
    var part = object
    if !seen.insert(object).inserted {
      part = store.number()
      seen.insert(part)
      let row = store.tables[name]?.rows[object]
      store.tables[name]?.rows[part] = row
      originals[part] = original
      if classes.contains(name) { copies[name, default: 0] += 1 }
      if originals.count > 200 { throw EvolvedRefusal.tooMany }
    }
    try visitParts(of: part, name, below: path)
    return part
  }
}
