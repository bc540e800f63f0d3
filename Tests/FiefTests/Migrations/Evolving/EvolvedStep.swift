import FiefTestSupport

/// The changes of the next version of an application, and the work of its migration's code.
struct EvolvedStep: Sendable {
  /// The classes of the next version.
  var schema: EvolvedSchema
  /// Renamed classes: the old and the new names.
  var classNames: [Names] = []
  /// Renamed properties, by the new name of the class.
  var propertyNames: [(className: String, names: Names)] = []
  /// Properties that are computed from the old objects, by the new name of the class.
  var computations: [Computation] = []
  var created: [EvolvedObject] = []
  /// Deleted objects, by the new name of the class.
  var deleted: [(className: String, object: Int)] = []
  /// Classes whose objects are all deleted, by the new name.
  var cleared: [String] = []
  /// Classes that are no longer embedded. Their objects get numbers of their own again.
  var renumbered: [String] = []
  var hasBlock = false
  /// Whether properties of rare kinds are drawn.
  var hasRareKinds = false

  struct Names: Sendable {
    let old: String
    let new: String
  }

  struct Computation: Sendable {
    let className: String
    let source: String
    let target: String
    /// Whether the old value is set as it is.
    let isDirect: Bool
  }

  /// The stored name of a class, by its new name.
  func storedName(_ name: String) -> String { classNames.first { $0.new == name }?.old ?? name }

  func newName(_ name: String) -> String { classNames.first { $0.old == name }?.new ?? name }

  /// A property with the new name of its target.
  func renamed(_ property: EvolvedProperty) -> EvolvedProperty {
    var renamed = property
    renamed.target = property.target.map(newName)
    return renamed
  }

  /// The stored form of a class that has a new name.
  func stored(_ name: String, in store: EvolvedStore) -> EvolvedClass? {
    guard var stored = store.tables[storedName(name)]?.declaration else { return nil }
    stored.properties = stored.properties.mapValues(renamed)
    return stored
  }
}

// Drawing.

extension EvolvedStep {
  /// Draws the classes of the first version.
  static func first(_ choices: inout some Choices, hasRareKinds: Bool) -> EvolvedStep {
    var step = EvolvedStep(schema: [:])
    step.hasRareKinds = hasRareKinds
    for name in ["A", "B", "C"] {
      step.schema[name] = EvolvedClass(isEmbedded: name != "A" && choices.below(3) == 0)
    }
    for _ in 0..<(8 + choices.below(8)) {
      let names = step.schema.keys.sorted()
      step.schema[names[choices.below(names.count)]]?.properties[pool[choices.below(4)]] =
        .draw(&choices, linkingTo: names, hasRareKinds: hasRareKinds)
    }
    for _ in 0..<choices.below(4) { step.change(&choices, EvolvedStore()) }
    (step.propertyNames, step.classNames, step.cleared) = ([], [], [])
    step.settleSchema(&choices)
    return step
  }

  /// Draws the next version of what a file holds.
  static func draw(
    _ choices: inout some Choices, from store: inout EvolvedStore, hasRareKinds: Bool
  ) -> EvolvedStep {
    var step = EvolvedStep(schema: store.schema)
    step.hasRareKinds = hasRareKinds
    for _ in 0..<(1 + choices.below(5)) { step.change(&choices, store) }
    step.settleSchema(&choices)
    step.drawComputations(&choices, store)
    step.drawObjects(&choices, &store)
    let acts =
      !step.classNames.isEmpty || !step.propertyNames.isEmpty || !step.computations.isEmpty || !step.created.isEmpty
      || !step.deleted.isEmpty || !step.cleared.isEmpty || !step.renumbered.isEmpty
    step.hasBlock = acts || choices.bool()
    return step
  }

  private static let pool = ["p", "q", "r", "s"]

  private mutating func change(_ choices: inout some Choices, _ store: EvolvedStore) {
    let names = schema.keys.sorted()
    guard !names.isEmpty else { return addClass(&choices, store) }
    let name = names[choices.below(names.count)]
    let property = Self.pool[choices.below(4)]
    let present = schema[name]?.properties[property]
    switch choices.below(24) {
    case 0: addClass(&choices, store)
    case 1 where names.count > 2:
      schema[name] = nil
      classNames.removeAll { $0.new == name }
      if choices.bool() { cleared.append(name) }
    case 2: renameClass(&choices, name, store)
    case 3, 4:
      // A class that is linked to, if there is one: its objects may have several owners.
      let targets = Set(schema.values.flatMap { $0.properties.values.compactMap(\.target) }).sorted()
      schema[targets.isEmpty ? name : targets[choices.below(targets.count)]]?.isEmbedded.toggle()
    case 5, 6, 7:
      let other = Self.pool[choices.below(4)]
      guard let present, schema[name]?.properties[other] == nil else { return }
      schema[name]?.properties[property] = nil
      schema[name]?.properties[other] = present
      propertyNames.append((name, Names(old: property, new: other)))
    case 8: schema[name]?.properties[property] = nil
    case 9, 10:
      guard let present, present.kind != .link && present.kind != .any else { return }
      schema[name]?.properties[property]?.isOptional.toggle()
    case 11, 12: schema[name]?.properties[property]?.drawIndex(&choices)
    case 13, 14, 15:
      let isKey = choices.below(4) > 0 && (present?.canBeKey ?? false)
      schema[name]?.key = isKey ? property : [nil, EvolvedClass.tag][choices.below(2)]
    case 16:
      let parts = schema[name]?.ordered.filter { $0.property.canBePaired }.map(\.name) ?? []
      guard parts.count > 1 else { return }
      let first = choices.below(parts.count)
      schema[name]?.pair = EvolvedClass.Pair(
        names: [parts[first], parts[(first + 1) % parts.count]], isUnique: choices.below(3) == 0)
    case 17, 18:
      // A scalar becomes a collection of its kind, or the other way round.
      guard var present, present.kind != .any else { return }
      present.shape = present.shape == .single ? .list : .single
      present.index = .none
      schema[name]?.properties[property] = present
    default:
      schema[name]?.properties[property] = .draw(&choices, linkingTo: names, hasRareKinds: hasRareKinds)
    }
  }

  private mutating func addClass(_ choices: inout some Choices, _ store: EvolvedStore) {
    let name = ["A", "B", "C", "D"][choices.below(4)]
    guard schema[name] == nil, !classNames.contains(where: { $0.old == name }), !cleared.contains(name) else { return }
    var made = store.tables[name]?.declaration ?? EvolvedClass()
    if store.tables[name] == nil { made.isEmbedded = choices.below(3) == 0 }
    for _ in 0..<choices.below(4) {
      made.properties[Self.pool[choices.below(4)]] =
        .draw(&choices, linkingTo: schema.keys.sorted(), hasRareKinds: hasRareKinds)
    }
    schema[name] = made
  }

  private mutating func renameClass(_ choices: inout some Choices, _ name: String, _ store: EvolvedStore) {
    let new = ["A", "B", "C", "D", "E", "F"][choices.below(6)]
    guard store.tables[new] == nil, store.tables[name] != nil, schema[new] == nil, let declared = schema[name],
      !classNames.contains(where: { $0.old == name || $0.new == name })
    else { return }
    schema[name] = nil
    schema[new] = declared
    classNames.append(Names(old: name, new: new))
    for other in schema.keys {
      for (property, declaration) in schema[other]?.properties ?? [:] where declaration.target == name {
        schema[other]?.properties[property]?.target = new
      }
    }
    propertyNames = propertyNames.map { ($0.className == name ? new : $0.className, $0.names) }
  }

  /// Removes what the changes together do not allow.
  private mutating func settleSchema(_ choices: inout some Choices) {
    for name in schema.keys.sorted() {
      guard var declared = schema[name] else { continue }
      declared.properties = declared.properties.filter { $0.value.target.map { schema[$0] != nil } ?? true }
      declared.properties[EvolvedClass.tag] = EvolvedProperty()
      if declared.isEmbedded || !(declared.key.flatMap { declared.properties[$0] }?.canBeKey ?? false) {
        declared.key = nil
      }
      if let key = declared.key { declared.properties[key]?.index = .none }
      if !(declared.pair?.names.allSatisfy { declared.properties[$0]?.canBePaired ?? false } ?? true) {
        declared.pair = nil
      }
      for (property, declaration) in declared.properties where declaration.cascades {
        let isOrdinary = !declared.isEmbedded && declaration.target.flatMap { schema[$0] }?.isEmbedded == false
        declared.properties[property]?.cascades = isOrdinary
      }
      for (property, declaration) in declared.properties where declaration.shape == .set {
        guard let target = declaration.target, schema[target]?.isEmbedded ?? false else { continue }
        declared.properties[property]?.shape = .list
      }
      schema[name] = declared
    }
  }

  private mutating func drawComputations(_ choices: inout some Choices, _ store: EvolvedStore) {
    cleared.removeAll { schema[$0] != nil || store.tables[$0] == nil }
    classNames.removeAll { schema[$0.new] == nil }
    var renamed: [(className: String, names: Names)] = []
    for (name, names) in propertyNames {
      guard let stored = stored(name, in: store), let declared = schema[name], let old = stored.properties[names.old],
        let new = declared.properties[names.new], declared.properties[names.old] == nil, new.keeps(old),
        !renamed.contains(where: { $0.className == name && ($0.names.old == names.old || $0.names.new == names.new) })
      else { continue }
      renamed.append((name, names))
    }
    propertyNames = renamed
    for name in schema.keys.sorted() {
      guard let stored = stored(name, in: store), let declared = schema[name] else { continue }
      if stored.isEmbedded && !declared.isEmbedded { renumbered.append(name) }
      for (property, declaration) in declared.ordered where property != EvolvedClass.tag {
        if propertyNames.contains(where: { $0.className == name && $0.names.new == property }) { continue }
        let isKept = stored.properties[property].map { declaration.keeps($0) } ?? false
        guard choices.below(8) < (isKept ? 1 : 5) else { continue }
        drawComputation(&choices, name, property, declaration, stored, store)
      }
    }
  }

  private mutating func drawComputation(
    _ choices: inout some Choices, _ name: String, _ property: String, _ declaration: EvolvedProperty,
    _ stored: EvolvedClass, _ store: EvolvedStore
  ) {
    if let target = declaration.target {
      let isOrdinary = schema[target]?.isEmbedded == false && self.stored(target, in: store)?.isEmbedded == false
      if !isOrdinary { return }
    }
    // The number of the object makes values that do not repeat. Embedded objects share theirs.
    let sources = stored.ordered.filter { source in
      declaration.kind == .link
        ? source.property.kind == .link && source.property.target == declaration.target : source.property.kind != .link
    }
    guard !sources.isEmpty else { return }
    let source =
      sources.first { $0.name == property && choices.bool() } ?? sources[choices.below(sources.count)]
    let isDirect =
      source.property.kind == declaration.kind && source.property.shape == declaration.shape
      && (declaration.isOptional || !source.property.isOptional)
    computations.append(
      Computation(className: name, source: source.name, target: property, isDirect: isDirect))
  }

  private mutating func drawObjects(_ choices: inout some Choices, _ store: inout EvolvedStore) {
    let ordinary = schema.keys.sorted().filter { schema[$0]?.isEmbedded == false }
    for _ in 0..<choices.below(4) where !ordinary.isEmpty {
      let name = ordinary[choices.below(ordinary.count)]
      let objects = store.objects(storedName(name))
      switch choices.below(3) {
      case 0:
        let before = store
        let step = self
        created.append(
          store.draw(&choices, name, schema) { target in
            guard before.tables[step.storedName(target)]?.declaration.isEmbedded == false else { return [] }
            return before.objects(step.storedName(target))
          })
      case 1 where !objects.isEmpty && !store.isEmbedded(storedName(name)):
        deleted.append((name, objects[choices.below(objects.count)]))
      case 2 where choices.below(16) == 15: cleared.append(name)
      default: break
      }
    }
  }
}
