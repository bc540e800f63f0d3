import Fief

/// The fate of the classes, properties and objects of the first version, as one migration has to know it.
struct EvolvedPath {
  /// The first names of classes, by their present ones.
  private var classNames: [String: String] = [:]
  /// The first names of properties whose values were kept through all versions, by class and present name.
  private var propertyNames: [String: [String: String]] = [:]
  /// The original of each copy, back to the first.
  private var originals: [Int: Int] = [:]
  private var hasBegun = false

  /// Notes one step.
  mutating func follow(_ step: EvolvedStep, _ outcome: EvolvedOutcome, from store: EvolvedStore) {
    if !hasBegun {
      hasBegun = true
      for (name, table) in store.tables {
        classNames[name] = name
        propertyNames[name] = Dictionary(uniqueKeysWithValues: table.declaration.properties.keys.map { ($0, $0) })
      }
    }
    var (classes, properties) = ([String: String](), [String: [String: String]]())
    for name in outcome.store.tables.keys {
      let stored = step.storedName(name)
      guard store.tables[stored] != nil else { continue }
      classes[name] = classNames[stored]
      guard let wanted = step.schema[name], let old = step.stored(name, in: store) else {
        properties[name] = propertyNames[stored]
        continue
      }
      for (property, declaration) in wanted.properties {
        let renamed = step.propertyNames.first { $0.className == name && $0.names.new == property }?.names.old
        let source = renamed ?? property
        guard let former = old.properties[source], declaration.keeps(former) else { continue }
        properties[name, default: [:]][property] = propertyNames[stored]?[source]
      }
    }
    (classNames, propertyNames) = (classes, properties)
    for (copy, original) in outcome.originals { originals[copy] = originals[original] ?? original }
  }

  /// The code of a migration from the first version to the last; nil where one migration cannot follow.
  ///
  /// It renames what was renamed, and sets, creates and deletes what then still differs.
  func block(from first: EvolvedStore, to last: EvolvedStore) -> MigrationBlock? {
    guard let plan = EvolvedLeap(first, last, classNames, propertyNames, originals) else { return nil }
    return { migration, _ in try plan.run(migration) }
  }
}

/// One migration over several versions.
private struct EvolvedLeap: Sendable {
  let first: EvolvedStore
  let last: EvolvedStore
  private let step: EvolvedStep
  private let originals: [Int: Int]

  init?(
    _ first: EvolvedStore, _ last: EvolvedStore, _ classNames: [String: String],
    _ propertyNames: [String: [String: String]], _ originals: [Int: Int]
  ) {
    (self.first, self.last, self.originals) = (first, last, originals)
    // Undeclared classes stay as they are, so the two ways differ in them.
    guard Set(last.tables.keys) == last.declared, Set(classNames.values) == Set(first.tables.keys) else { return nil }
    // The last rules hold for all deletions, and objects were deleted by earlier ones.
    if last.schema.values.contains(where: { $0.properties.values.contains(where: \.cascades) }) { return nil }
    var step = EvolvedStep(schema: last.schema)
    for (name, old) in classNames.sorted(by: { $0.key < $1.key }) where name != old {
      if last.tables[old] != nil || first.tables[name] != nil { return nil }
      step.classNames.append(EvolvedStep.Names(old: old, new: name))
    }
    for (name, table) in last.tables where classNames[name] == nil && first.tables[name] != nil {
      // A class was removed, and another one has its name now.
      _ = table
      return nil
    }
    for (name, names) in propertyNames.sorted(by: { $0.key < $1.key }) {
      for (property, old) in names.sorted(by: { $0.key < $1.key }) where property != old {
        guard let declared = last.tables[name]?.declaration, let stored = step.stored(name, in: first),
          declared.properties[old] == nil, let from = stored.properties[old], let to = declared.properties[property],
          to.keeps(from)
        else { continue }
        step.propertyNames.append((name, EvolvedStep.Names(old: old, new: property)))
      }
    }
    self.step = step
    for (name, table) in last.tables where table.declaration.isEmbedded {
      for (number, row) in table.rows {
        guard first.tables[step.storedName(name)]?.rows[root(number)] != nil else { return nil }
        // All copies are equal, as they are made when the code has ended. Copies of what they link to are only alike
        // if these are embedded, too.
        if let original = table.rows[root(number)] {
          for (property, content) in row {
            let alike = mappedIfEmbedded(name, property)
            if alike(content) != original[property].map(alike) { return nil }
          }
        } else if number != root(number) {
          return nil
        }
      }
      // Links to what is embedded before and after cannot be set.
      for (owner, other) in last.tables {
        for (property, declared) in other.declaration.properties where declared.target == name {
          for (number, _) in other.rows where differs(owner, number, property) {
            if first.tables[step.storedName(name)]?.declaration.isEmbedded ?? true { return nil }
          }
        }
      }
    }
  }

  private func root(_ number: Int) -> Int { originals[number] ?? number }

  private func mapped(_ content: EvolvedContent) -> EvolvedContent { content.replacingLinks { root($0) } }

  /// Whether a property of an object of the first version needs the code to become what it is in the last one.
  private func differs(_ name: String, _ number: Int, _ property: String) -> Bool {
    guard let table = last.tables[name], let declared = table.declaration.properties[property],
      let row = first.tables[step.storedName(name)]?.rows[last.isEmbedded(name) ? root(number) : number],
      let content = table.rows[number]?[property]
    else { return true }
    let target = declared.target
    let isEmbedded = last.isEmbedded(target)
    let source =
      step.propertyNames.first { $0.className == name && $0.names.new == property }?.names.old ?? property
    let isKept = step.stored(name, in: first)?.properties[source].map { declared.keeps($0) } ?? false
    guard isKept, let old = row[source] else { return content != declared.zero }
    let kept = old.replacingLinks { link in
      guard let target else { return nil }
      return last.tables[target]?.rows[link] == nil ? nil : link
    }
    return kept != (isEmbedded ? mapped(content) : content)
  }

  func run(_ migration: Migration) throws {
    for names in step.classNames { migration.renameClass(from: names.old, to: names.new) }
    for (name, names) in step.propertyNames { migration.renameProperty(onType: name, from: names.old, to: names.new) }
    var objects: [Int: MigrationObject] = [:]
    for name in last.names {
      try migration.enumerateObjects(ofType: name) { old, new in
        guard let old, let new else { return }
        guard let number = old[EvolvedClass.tag] as? Int,
          let row = first.tables[step.storedName(name)]?.rows[number]
        else { throw EvolvedFault("An object of '\(name)' was not expected.") }
        objects[number] = new
        for (property, declared) in first.tables[step.storedName(name)]?.declaration.ordered ?? [] {
          let found = try EvolvedContent(old[property])
          if found != row[property] {
            throw EvolvedFault("'\(name).\(property)' was \(found), and not \(String(describing: row[property])).")
          }
          _ = declared
        }
      }
    }
    // Objects that later versions have made.
    for name in last.names where !last.isEmbedded(name) {
      for number in last.objects(name) where objects[number] == nil {
        objects[number] = migration.create(name, value: [EvolvedClass.tag: number])
      }
    }
    for name in last.names {
      for number in last.objects(name) where number == root(number) || !last.isEmbedded(name) {
        for (property, _) in last.tables[name]?.declaration.ordered ?? [] where differs(name, number, property) {
          objects[number]?[property] = last.tables[name]?.rows[number]?[property].map(mappedIfEmbedded(name, property))?
            .value { objects[$0] }
        }
      }
    }
    // Of objects that are embedded at the end, the copies are made when the code has ended.
    let kept = Set(
      last.tables.values.flatMap { table in table.rows.keys.map { table.declaration.isEmbedded ? root($0) : $0 } })
    for (number, object) in objects.sorted(by: { $0.key < $1.key }) where !kept.contains(number) {
      migration.delete(object)
    }
  }

  private func mappedIfEmbedded(_ name: String, _ property: String) -> (EvolvedContent) -> EvolvedContent {
    let isEmbedded = last.isEmbedded(last.tables[name]?.declaration.properties[property]?.target)
    return { isEmbedded ? mapped($0) : $0 }
  }
}
