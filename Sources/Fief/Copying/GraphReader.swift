import FiefCopying
import FiefGraph
import FiefSessions

/// Reads an object and all objects that it reaches, managed or not, into a plan. No store is needed.
///
///     unmanaged, managed, frozen objects ──▶ nodes: what was met, each once
///                                            plan:  their links, collections and values, by numbers
///
/// Detached copies and documents are both made from this plan. Nodes are expanded in the order of their distance from
/// the root, so a node's depth is that of its shortest path. There is no recursion.
///
/// The reader never changes what it reads. Reading a deleted object, or one of another thread, traps like reading its
/// properties does.
final class GraphReader {
  let plan = InsertionPlan()
  private(set) var nodes: ContiguousArray<Node> = []
  let options: CopyOptions
  /// Whether values without links are added to the plan; a detached copy reads them directly from the objects.
  private let readsScalars: Bool
  private var known: [Identity: Int] = [:]
  private var models: [ObjectIdentifier: ModelClass] = [:]
  private var hasShared = false

  struct Node {
    let source: Source
    /// The class; nil for collections inside any-values.
    let model: ModelClass?
    /// The number of links from the root; an owned node is as far as its owner.
    let depth: Int
    let isOwned: Bool
  }

  enum Source {
    case object(ObjectBase)
    case list(List<AnyRealmValue>)
    case map(Map<String, AnyRealmValue>)
  }

  /// The identity of a node: the instance, or the row that a session sees.
  private enum Identity: Hashable {
    case instance(ObjectIdentifier)
    case row(session: ObjectIdentifier, ObjectLink)
  }

  init(_ options: CopyOptions, readsScalars: Bool) {
    self.options = options
    self.readsScalars = readsScalars
  }

  /// Reads an object and all objects that it reaches.
  ///
  /// - Throws: `.cycle` when the options refuse cycles and there is one.
  func read(_ root: ObjectBase) throws {
    _ = enter(root, .root)
    var nextOwned = 0
    var next = 0
    // Owned nodes are nearer than linked nodes, so they go first. Linked nodes wait in the order of their distance.
    while true {
      while nextOwned < nodes.count, !nodes[nextOwned].isOwned { nextOwned += 1 }
      if nextOwned < nodes.count {
        expand(nextOwned)
        nextOwned += 1
        continue
      }
      while next < nodes.count, nodes[next].isOwned { next += 1 }
      guard next < nodes.count else { break }
      expand(next)
      next += 1
    }
    guard options.cycles == .refuse, hasShared, let cycle = plan.findCycle(self) else { return }
    throw Realm.Error(
      .cycle, "The object reaches itself in a cycle: \(cycle.text). Copy it with cycles: .preserve.")
  }

  // MARK: Entering

  /// The index of an object's node; nil when the program does not define the object's class.
  private func enter(_ object: ObjectBase, _ step: PlanStep) -> Int? {
    guard let object = Self.typed(object) else { return nil }
    let identity =
      object.retainedSession.map { session in
        Identity.row(
          session: ObjectIdentifier(session), object.link ?? ObjectLink(TableKey(rawValue: 0), object.key))
      } ?? .instance(ObjectIdentifier(object))
    if let index = met(identity) { return index }
    let type = type(of: object)
    let model = models[ObjectIdentifier(type)] ?? ModelClass.of(type)
    models[ObjectIdentifier(type)] = model
    return add(.object(object), model, TableKey(rawValue: .max), step, identity, isOwned: model.kind == .embedded)
  }

  private func enter(_ list: List<AnyRealmValue>, _ step: PlanStep) -> Int {
    let identity = Self.identity(list)
    return met(identity) ?? add(.list(list), nil, .nestedLists, step, identity, isOwned: true)
  }

  private func enter(_ map: Map<String, AnyRealmValue>, _ step: PlanStep) -> Int {
    let identity = Self.identity(map)
    return met(identity) ?? add(.map(map), nil, .nestedDictionaries, step, identity, isOwned: true)
  }

  private func met(_ identity: Identity) -> Int? {
    guard let index = known[identity] else { return nil }
    plan.rows[index].traits.insert(.shared)
    hasShared = true
    return index
  }

  private func add(
    _ source: Source, _ model: ModelClass?, _ table: TableKey, _ step: PlanStep, _ identity: Identity, isOwned: Bool
  ) -> Int {
    let depth = step.parent < 0 ? 0 : nodes[step.parent].depth + (isOwned ? 0 : 1)
    // The root is expanded first, even if it is embedded.
    nodes.append(Node(source: source, model: model, depth: depth, isOwned: isOwned))
    known[identity] = nodes.count - 1
    return plan.add(PlannedRow(table, step))
  }

  private static func identity(_ collection: CollectionBase) -> Identity {
    guard let place = collection.location else { return .instance(ObjectIdentifier(collection)) }
    return .row(session: ObjectIdentifier(place.session), place.cell.object)
  }

  /// The typed object for a dynamic object; nil when the program does not define its class.
  static func typed(_ object: ObjectBase) -> ObjectBase? {
    guard let dynamic = object as? DynamicObject else { return object }
    if let shown = dynamic.shown { return shown }
    guard let session = dynamic.retainedSession, let link = dynamic.link else { return nil }
    return session.store.binding(of: link.table).map { session.accessor($0, link.key) }
  }

  // MARK: Expanding

  private func expand(_ index: Int) {
    let first = plan.cells.count
    switch nodes[index].source {
    case .object(let object): expand(index, object)
    case .list(let list):
      write(index, -1) {
        for (place, value) in list.enumerated() { addElement(any(value, PlanStep(index, -1, .index(place))), nil) }
      }
    case .map(let map):
      write(index, -1) {
        for (key, value) in Self.sorted(map.keyedElements) {
          addElement(any(value, PlanStep(index, -1, .key(key))), key)
        }
      }
    }
    plan.rows[index].cells = first..<plan.cells.count
  }

  private func expand(_ index: Int, _ object: ObjectBase) {
    guard let model = nodes[index].model else { return }
    if object.isInvalidated { Misuse.invalidated(object) }
    object.retainedSession?.checkConfinement()
    for property in model.properties where property.isStored {
      guard property.isPrimaryKey || options.properties.isAll || options.properties.allows(model.name, property.name)
      else { continue }
      expand(index, object, property)
    }
  }

  private func expand(_ index: Int, _ object: ObjectBase, _ property: ModelProperty) {
    let facts = property.facts
    let leads = facts.kind == .link && !(facts.target is EmbeddedObject.Type) && isLast(index)
    guard facts.shape == .single else {
      guard facts.kind == .link || facts.kind == .any || readsScalars else { return }
      return write(index, property.number) {
        if leads { return }
        let content = unsafe property.access.look(object.address + property.offset)
        if case .collection(let collection) = content { addElements(of: collection, index, property) }
      }
    }
    let step = PlanStep(index, property.number)
    let content: PlannedContent?
    switch facts.kind {
    case .link:
      if !leads, case .object(let target) = unsafe property.access.look(object.address + property.offset) {
        content = enter(target, step).map(PlannedContent.row)
      } else {
        content = nil
      }
    case .any: content = any(property.access.get(object, property.number) as? AnyRealmValue ?? .none, step)
    default:
      guard readsScalars else { return }
      guard case .value(let value) = unsafe property.access.look(object.address + property.offset) else { return }
      content = .value(value)
    }
    write(content ?? .value(.null), property.number)
  }

  /// Whether the targets of a node's links are beyond the depth limit.
  private func isLast(_ index: Int) -> Bool { options.depth.map { nodes[index].depth >= $0 } ?? false }

  private func write(_ content: PlannedContent, _ number: Int) {
    plan.cells.append(PlannedCell(ColumnKey(rawValue: 0), number: number, content))
  }

  /// Adds a cell whose elements `body` adds.
  private func write(_ index: Int, _ number: Int, _ body: () -> Void) {
    let first = plan.elements.count
    body()
    write(.elements(first..<plan.elements.count), number)
  }

  // MARK: Elements and any-values

  /// The content for an any-value; nil for an object beyond the depth limit.
  private func any(_ value: AnyRealmValue, _ step: PlanStep) -> PlannedContent? {
    switch value {
    case .object(let object):
      return isLast(step.parent) ? nil : enter(object, step).map(PlannedContent.row) ?? .value(.null)
    case .list(let list): return .row(enter(list, step))
    case .dictionary(let map): return .row(enter(map, step))
    default:
      if case .value(let stored) = AnyRealmValue._content(value) { return .value(stored) }
      return .value(.null)
    }
  }

  /// A list loses an object beyond the depth limit; a map keeps its key, with null.
  private func addElement(_ content: PlannedContent?, _ key: String?) {
    guard let content = content ?? key.map({ _ in .value(.null) }) else { return }
    plan.elements.append(PlannedElement(content, key: key))
  }

  private func addElements(of collection: AnyObject, _ index: Int, _ property: ModelProperty) {
    let number = property.number
    func spot(_ place: Int) -> PlanStep { PlanStep(index, number, .index(place)) }
    switch collection {
    case let list as List<AnyRealmValue>:
      for (place, value) in list.enumerated() { addElement(any(value, spot(place)), nil) }
    case let set as MutableSet<AnyRealmValue>:
      for (place, value) in set.enumerated() { addElement(any(value, spot(place)), nil) }
    case let map as Map<String, AnyRealmValue>:
      for (key, value) in Self.sorted(map.keyedElements) {
        addElement(any(value, PlanStep(index, number, .key(key))), key)
      }
    case let collection as CollectionBase:
      for (place, element) in contents(of: collection, property.facts).enumerated() {
        let step = PlanStep(index, number, element.key.map(PlanStep.Spot.key) ?? .index(place))
        switch element.content {
        case .object(let object): addElement(enter(object, step).map(PlannedContent.row), element.key)
        case .value(let value): addElement(.value(value), element.key)
        default: break
        }
      }
    default: break
    }
  }

  /// The elements in an order that depends only on their values, except for objects of an unmanaged set.
  private func contents(of collection: CollectionBase, _ facts: _TypeFacts) -> [(
    key: String?, content: _PropertyContent
  )] {
    guard let place = collection.location else {
      let contents = collection.contents()
      switch facts.shape {
      case .dictionary: return Self.sorted(contents.map { ($0.key ?? "", $0.content) }).map { ($0.0, $0.1) }
      case .set where facts.kind != .link: return contents.sorted { Self.value($0.content) < Self.value($1.content) }
      default: return contents
      }
    }
    guard let stored = collection.borrowedContents(place) else { return [] }
    func content(_ value: StoredValue) -> _PropertyContent {
      value.linked.flatMap(place.session.accessor).map(_PropertyContent.object) ?? .value(value)
    }
    if let dictionary = stored as? StoredDictionary {
      return dictionary.entries.map { ($0.key, content($0.value)) }
    }
    var contents: [(key: String?, content: _PropertyContent)] = []
    contents.reserveCapacity(stored.count)
    stored.forEach(as: place.type) {
      contents.append((nil, content($0)))
      return true
    }
    return contents
  }

  private static func value(_ content: _PropertyContent) -> Ordered {
    if case .value(let value) = content { return Ordered(value: value) }
    return Ordered(value: .null)
  }

  private struct Ordered: Comparable {
    let value: StoredValue
    static func == (a: Ordered, b: Ordered) -> Bool { StoredOrder.compare(a.value, b.value) == 0 }
    static func < (a: Ordered, b: Ordered) -> Bool { StoredOrder.compare(a.value, b.value) < 0 }
  }

  /// Sorts entries by the bytes of their keys, the order of stored maps.
  private static func sorted<Value>(_ entries: [(String, Value)]) -> [(String, Value)] {
    entries.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }
}

extension GraphReader: PlanNames {
  func className(ofRow row: Int) -> String { nodes[row].model?.name ?? "AnyRealmValue" }

  func propertyName(_ number: Int, ofRow row: Int) -> String { nodes[row].model?.properties[number].name ?? "" }
}
