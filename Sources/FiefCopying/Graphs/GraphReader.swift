internal import FiefGraph

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
package final class GraphReader {
  package let plan = InsertionPlan()
  package private(set) var nodes: ContiguousArray<Node> = []
  private let objects: any ObjectReader
  private let options: CopyOptions
  /// Whether values without links are added to the plan; a detached copy reads them directly from the objects.
  private let readsScalars: Bool
  private var known: [SourceIdentity: Int] = [:]
  private var hasShared = false

  package struct Node {
    /// The object, or the list or map inside an any-value.
    package let source: AnyObject
    /// The class; nil for collections inside any-values.
    package let rowClass: RowClass?
    /// The number of links from the root; an owned node is as far as its owner.
    let depth: Int
  }

  /// Whether a node is a map inside an any-value.
  package func isMap(_ index: Int) -> Bool { plan.rows[index].table == .nestedDictionaries }

  package init(_ objects: any ObjectReader, _ options: CopyOptions, readsScalars: Bool) {
    self.objects = objects
    self.options = options
    self.readsScalars = readsScalars
  }

  /// Reads an object and all objects that it reaches.
  ///
  /// - Throws: `.cycle` when the options refuse cycles and there is one.
  package func read(_ root: AnyObject) throws {
    assert(nodes.isEmpty && plan.rows.isEmpty, "A reader reads once.")
    _ = enter(root, .root)
    plan.forEachRowByDistance(expand)
    guard options.cycles == .refuse, hasShared, let cycle = plan.findCycle(self) else { return }
    throw CopyError(.cycle, "The object reaches itself in a cycle: \(cycle.text). Copy it with cycles: .preserve.")
  }

  // MARK: Entering

  /// The index of an object's node; nil when the program does not define the object's class.
  private func enter(_ object: AnyObject, _ step: PlanStep) -> Int? {
    guard let object = objects.readable(object) else { return nil }
    let identity = objects.identity(of: object)
    if let index = knownNode(identity) { return index }
    let rowClass = objects.declaredClass(of: object)
    return add(
      object, as: rowClass, table: TableKey(rawValue: .max), at: step, identity: identity,
      isOwned: rowClass.kind == .embedded)
  }

  /// The index of the node of a list or map inside an any-value.
  private func enter(nested collection: AnyObject, _ step: PlanStep) -> Int {
    let identity = objects.identity(ofNested: collection)
    if let index = knownNode(identity) { return index }
    let table: TableKey = objects.isList(collection) ? .nestedLists : .nestedDictionaries
    return add(collection, as: nil, table: table, at: step, identity: identity, isOwned: true)
  }

  private func knownNode(_ identity: SourceIdentity) -> Int? {
    guard let index = known[identity] else { return nil }
    assert(index < nodes.count, "A known object has a node.")
    plan.rows[index].traits.insert(.shared)
    hasShared = true
    return index
  }

  private func add(
    _ source: AnyObject, as rowClass: RowClass?, table: TableKey, at step: PlanStep, identity: SourceIdentity,
    isOwned: Bool
  ) -> Int {
    assert(nodes.count == plan.rows.count && step.parent < nodes.count, "Nodes and rows have one number.")
    let depth = step.parent < 0 ? 0 : nodes[step.parent].depth + (isOwned ? 0 : 1)
    nodes.append(Node(source: source, rowClass: rowClass, depth: depth))
    known[identity] = nodes.count - 1
    return plan.add(PlannedRow(table, traits: isOwned ? .owned : [], step))
  }

  // MARK: Expanding

  private func expand(_ index: Int) {
    assert(plan.rows[index].cells.isEmpty, "A node is expanded once.")
    let first = plan.cells.count
    if let rowClass = nodes[index].rowClass {
      expand(index, nodes[index].source, as: rowClass)
    } else {
      let type = ColumnType(.any, shape: isMap(index) ? .dictionary : .list)
      write(index, number: -1) { addElements(of: nodes[index].source, type: type, to: index, number: -1) }
    }
    plan.rows[index].cells = first..<plan.cells.count
  }

  private func expand(_ index: Int, _ object: AnyObject, as rowClass: RowClass) {
    assert(nodes[index].depth <= options.depth ?? .max, "No node is beyond the depth limit.")
    objects.checkReading(object)
    for property in rowClass.stored {
      guard property.isPrimaryKey || options.allows(rowClass, property.name) else { continue }
      expand(index, from: object, property: property)
    }
  }

  private func expand(_ index: Int, from object: AnyObject, property: RowProperty) {
    let type = property.type
    let isBeyondDepth = type.kind == .link && !property.embedsTarget && isLast(index)
    guard type.shape == .single else {
      guard type.kind == .link || type.kind == .any || readsScalars else { return }
      return write(index, number: property.number) {
        if isBeyondDepth { return }
        if case .collection(let collection) = objects.value(of: property, in: object) {
          addElements(of: collection, type: type, to: index, number: property.number)
        }
      }
    }
    let step = PlanStep(index, property.number)
    let content: PlannedContent?
    switch type.kind {
    case .link:
      if !isBeyondDepth, case .object(let target) = objects.value(of: property, in: object) {
        content = enter(target, step).map(PlannedContent.row)
      } else {
        content = nil
      }
    case .any: content = any(objects.value(of: property, in: object), step)
    default:
      guard readsScalars, case .stored(let value) = objects.value(of: property, in: object) else { return }
      content = .value(value)
    }
    write(content ?? .value(.null), property.number)
  }

  /// Whether the targets of a node's links are beyond the depth limit.
  private func isLast(_ index: Int) -> Bool { options.depth.map { nodes[index].depth >= $0 } ?? false }

  private func write(_ content: PlannedContent, _ number: Int) {
    assert(number >= -1, "A cell is that of a property, or of a collection in an any-value.")
    plan.cells.append(PlannedCell(ColumnKey(rawValue: 0), number: number, content))
  }

  /// Adds a cell whose elements `body` adds.
  private func write(_ index: Int, number: Int, _ body: () -> Void) {
    let first = plan.elements.count
    body()
    write(.elements(first..<plan.elements.count), number)
  }

  // MARK: Elements and any-values

  /// The content for an any-value; nil for an object beyond the depth limit.
  private func any(_ value: SourceValue, _ step: PlanStep) -> PlannedContent? {
    switch value {
    case .object(let object):
      return isLast(step.parent) ? nil : enter(object, step).map(PlannedContent.row) ?? .value(.null)
    case .collection(let collection): return .row(enter(nested: collection, step))
    case .stored(let value): return .value(value)
    }
  }

  /// A list loses an object beyond the depth limit; a map keeps its key, with null.
  private func addElement(_ content: PlannedContent?, _ key: String?) {
    guard let content = content ?? key.map({ _ in .value(.null) }) else { return }
    plan.elements.append(PlannedElement(content, key: key))
  }

  private func addElements(of collection: AnyObject, type: ColumnType, to index: Int, number: Int) {
    assert(type.isCollection, "Elements are those of a collection.")
    for (position, element) in objects.elements(of: collection, type).enumerated() {
      let step = PlanStep(index, number, at: .init(key: element.key, index: position))
      if type.kind == .any {
        addElement(any(element.value, step), element.key)
        continue
      }
      switch element.value {
      case .object(let object): addElement(enter(object, step).map(PlannedContent.row), element.key)
      case .stored(let value): addElement(.value(value), element.key)
      case .collection: break
      }
    }
  }
}

extension GraphReader: PlanNames {
  package var place: String? { nil }

  package func className(ofRow row: Int) -> String { nodes[row].rowClass?.name ?? "AnyRealmValue" }

  package func propertyName(_ number: Int, ofRow row: Int) -> String { nodes[row].rowClass?.all[number].name ?? "" }
}
