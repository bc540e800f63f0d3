import FiefCopying
import FiefGraph
import FiefSessions

extension Realm {
  /// Hands an asymmetric object over to the application. It is validated like any other object, and passed to the
  /// configuration's `ingestHandler` when the write is committed. No row stores it.
  ///
  ///     try realm.write {
  ///       realm.create(Sighting.self, value: ["place": "Rome"])
  ///     }
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - value: the source of the object's values, as for `create(_:value:update:)`.
  ///
  /// An invalid value, and one that is nested deeper than 512 levels, fails the write. Traps outside a write
  /// transaction.
  public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
    session.checkWriting("Object of class '\(type.className())' was created")
    session.perform { transaction in
      try session.planning(transaction, PlanRequest(.copy, .error, root: .ingested)) { planner in
        guard let binding = session.binding(of: type) else { throw planner.missing(type, .root) }
        _ = try planner.enterRoot(value, binding)
        try planner.walk()
        try planner.checkDepthOfDocument()
        session.outgoing.append(planner.document)
      }
    }
  }
}

extension InsertionPlanner {
  /// Throws when the document would be nested deeper than JSON permits. The limit is needed since dictionaries and
  /// arrays are freed by recursion.
  fileprivate func checkDepthOfDocument() throws {
    guard let index = state.items.firstIndex(where: { $0.level > DocumentTree.deepest }) else { return }
    throw Realm.Error(
      .invalidValue,
      "An object of class '\(className(ofRow: 0))' is nested deeper than \(DocumentTree.deepest) levels, at "
        + "\(path(plan.rows[index].step)): it could not be handed over as a document.")
  }

  /// The first row of the plan, with everything that it owns, as a document.
  fileprivate var document: IngestDocument {
    var documents: [any Sendable] = Array(repeating: 0, count: plan.rows.count)
    // Owned rows come after their owners, so in reverse order each value is ready before its owner reads it.
    for index in plan.rows.indices.reversed() {
      let row = plan.rows[index]
      guard let binding = state.items[index].binding else {
        let empty: any Sendable = row.table == .nestedLists ? [any Sendable]() : [String: any Sendable]()
        documents[index] = row.cells.first.map { value(of: plan.cells[$0].content, row.table, documents) } ?? empty
        continue
      }
      var values: [String: any Sendable] = [:]
      if let key = row.primaryKey, let number = binding.primaryKey {
        values[binding.model.properties[number].name] = plain(key)
      }
      for place in row.cells {
        let cell = plan.cells[place]
        let property = binding.model.properties[Int(cell.number)]
        let table: TableKey = property.facts.shape == .dictionary ? .nestedDictionaries : .nestedLists
        values[property.name] = value(of: cell.content, table, documents)
      }
      documents[index] = values
    }
    return IngestDocument(
      className: state.items[0].binding?.model.name ?? "", values: documents[0] as? [String: any Sendable] ?? [:])
  }

  private func value(of content: PlannedContent, _ table: TableKey, _ documents: [any Sendable]) -> any Sendable {
    switch content {
    case .value(let value): return plain(value)
    case .row(let row): return documents[row]
    case .cleared: return [any Sendable]()
    case .elements(let range):
      guard table == .nestedDictionaries else {
        return range.map { value(of: plan.elements[$0].content, table, documents) }
      }
      var values: [String: any Sendable] = [:]
      for index in range {
        values[plan.elements[index].key ?? ""] = value(of: plan.elements[index].content, table, documents)
      }
      return values
    }
  }

  private func plain(_ value: StoredValue) -> any Sendable {
    switch value {
    case .null, .link: Optional<Int>.none
    case .bool(let value): value
    case .int(let value): Int(truncatingIfNeeded: value)
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value.date
    case .objectId(let value): value
    case .uuid(let value): value
    case .decimal(let value): value
    }
  }
}
