internal import FiefGraph

// Documents of a store: links by number, markers in any-values, scalars as strings.

extension InsertionPlanner {
  /// Whether the root's property is planned now; a document of a store sets links after all rows exist.
  @inline(__always)
  func isPlanned(_ property: RowProperty, in index: Int) -> Bool {
    index > 0 || request.part == .whole || (request.part == .links) == property.type.canLink
  }

  /// Whether a name of a document is known although no property has it.
  ///
  /// - Parameter index: the row with the name.
  func isMarker(_ name: String, in index: Int, as rowClass: RowClass, _ value: DocumentTree.Value) -> Bool {
    guard request.document != nil else { return false }
    return index == 0 ? name == "$id" : name == "$class" && value.text == rowClass.name
  }

  /// The link that a value with a `$ref` stands for; nil for a value without one.
  func reference(_ value: Any, to rowClass: RowClass, at step: PlanStep) throws -> PlannedContent? {
    guard let document = request.document, case .members(let tree, let span)? = DynamicContainer.of(value),
      let reference = tree.member("$ref", of: span)
    else { return nil }
    try refuseOthers(than: ["$class", "$ref"], span, tree, at: step)
    guard case .int(let id) = reference, let row = document.row(id, in: rowClass.table) else {
      throw CopyError(
        "The reference at \(path(step)) leads nowhere: no object of class '\(rowClass.name)' in the document has that "
          + "'$id'.")
    }
    return .value(.link(ObjectLink(rowClass.table, row)))
  }

  /// The any-value of an object with markers; nil for a map.
  func marked(_ value: Any, at step: PlanStep) throws -> PlannedContent? {
    guard let document = request.document, case .members(let tree, let span)? = DynamicContainer.of(value),
      let marker = (0..<span.count).lazy.map({ tree.name($0, of: span) }).first(where: { $0.hasPrefix("$") })
    else { return nil }
    if let scalar = DocumentScalar.marked(span, in: tree) { return .value(scalar) }
    if let kind = DocumentScalar.kind(ofMarker: marker) {
      try refuseOthers(than: [marker], span, tree, at: step)
      throw CopyError("Invalid value below '\(marker)' at \(path(step)): expected a string with \(kind.phrase).")
    }
    guard let name = tree.member("$class", of: span)?.text else {
      try refuseOthers(than: ["$class"], span, tree, at: step)
      throw CopyError("The name '\(PlanPath.shortened(marker))' at \(path(step)) stands without a '$class'.")
    }
    guard let rowClass = document.rowClass(named: name), rowClass.kind == .ordinary else {
      throw CopyError(
        "The document names the class '\(PlanPath.shortened(name))' at \(path(step)), of which an any-value holds no "
          + "objects here.")
    }
    if let reference = try reference(value, to: rowClass, at: step) { return reference }
    return .row(try enter(.members(tree, span), as: rowClass, at: step))
  }

  /// Throws when an object of markers has a name that is not read with them.
  private func refuseOthers(
    than known: [String], _ span: DocumentTree.Span, _ tree: DocumentTree, at step: PlanStep
  ) throws {
    if request.document?.ignoresUnknownNames == true { return }
    for member in 0..<span.count where !known.contains(tree.name(member, of: span)) {
      throw UnknownName(
        at: span.first + 2 * member, name: tree.name(member, of: span), path: path(step), className: nil, known: known)
    }
  }
}
