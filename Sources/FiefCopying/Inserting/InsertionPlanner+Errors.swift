internal import FiefGraph

// Error messages with class, path, value and the expected type.

extension InsertionPlanner: PlanNames {
  package func className(ofRow row: Int) -> String { state.items[row].rowClass?.name ?? "AnyRealmValue" }

  package func propertyName(_ number: Int, ofRow row: Int) -> String {
    assert(number >= 0 || state.items[row].rowClass == nil, "Only a collection has no properties.")
    guard let rowClass = state.items[row].rowClass else { return "" }
    return rowClass.all[number].name
  }

  package var place: String? { state.given.flatMap(objects.name) }

  package func path(_ step: PlanStep) -> String { plan.path(step, self) }

  /// ", at " and the path; empty at the root.
  func at(_ step: PlanStep) -> String { step.parent < 0 ? "" : ", at \(path(step))" }

  /// The location of a value, for messages.
  enum Where {
    case step(PlanStep)
    /// The primary key of a row that is about to be planned at a step.
    case key(PlanStep, String)
  }

  func text(_ location: Where) -> String {
    switch location {
    case .step(let step):
      // If the path begins with another class, the message also names the class that declares the property.
      guard step.parent >= 0, step.number >= 0 else { return "'\(path(step))'" }
      let owner = "\(className(ofRow: step.parent)).\(propertyName(step.number, ofRow: step.parent))"
      let path = path(step)
      return path.hasPrefix(owner) ? "'\(path)'" : "'\(owner)' (at \(path))"
    case .key(let step, let name):
      return step.parent < 0 && state.given == nil ? "'\(name)'" : "'\(name)' (at \(path(step)))"
    }
  }

  /// The object that was to get the value, if it has a primary key.
  private func holder(_ location: Where) -> String {
    guard case .step(let step) = location, step.parent >= 0, let key = plan.rows[step.parent].primaryKey else {
      return ""
    }
    return ", in the object with the primary key \(key)"
  }

  func wrongValue(_ value: Any, at location: Where, for property: RowProperty, isElement: Bool) -> CopyError {
    let words = isElement ? property.elementTypeName : property.typeName
    if DynamicValue.isNull(value) {
      return CopyError(
        "Invalid value null for property \(text(location)): it is required, expected \(words)\(holder(location)). "
          + "Give a value, or leave the key out to get the default.")
    }
    var reason = ""
    if let number = DynamicValue.integer(value), property.type.kind == .int,
      property.type.shape == .single || isElement
    {
      let range = property.type.width.range
      if !range.contains(number) { reason = ", which holds \(range.lowerBound) to \(range.upperBound)" }
    }
    return CopyError(
      "Invalid value \(DynamicValue.description(of: value)) for property \(text(location)): expected \(words)\(reason)"
        + "\(holder(location)).")
  }

  func managedElsewhere(_ step: PlanStep) -> CopyError {
    CopyError(
      .managedElsewhere,
      "Object is already managed by another Realm. Use create instead to copy it into this Realm."
        + (step.parent < 0 ? "" : " It stands at \(path(step))."))
  }

  package func invalidated(_ object: AnyObject, _ step: PlanStep) -> CopyError {
    CopyError(
      "Object of class '\(type(of: object))' has been deleted or invalidated and cannot be added or "
        + "copied\(at(step))."
    )
  }

  /// The error of an object at a step, with the property that it does not name itself.
  func located(_ fault: any Error, _ step: PlanStep) -> any Error {
    guard let fault = fault as? CopyError else { return fault }
    return CopyError(fault.code, "Invalid value for property \(text(.step(step))): \(fault.message)")
  }

  /// The error for a collection without a row.
  func invalidated(at step: PlanStep) -> CopyError {
    CopyError(
      "Invalid value for property \(text(.step(step))): the collection has been deleted or invalidated with its object "
        + "and cannot be copied.")
  }

  func ownedAlready(_ object: AnyObject, _ step: PlanStep) -> CopyError {
    CopyError(
      "The embedded object at \(path(step)) is managed already, by its owner: copy it with "
        + "'\(type(of: object))(value:)'.")
  }

  func ownedTwice(_ step: PlanStep, _ first: PlanStep) -> CopyError {
    CopyError(
      "The embedded object at \(path(step)) already has an owner, at \(path(first)): give each owner an object of its "
        + "own."
    )
  }

  /// The class in the store that has the declaration of another one; an error gets the path.
  func rowClass(like other: RowClass, of reader: (any RowReader)?, _ step: PlanStep) throws(CopyError) -> RowClass {
    do throws(CopyError) {
      return try objects.rowClass(like: other, of: reader)
    } catch {
      throw CopyError(error.code, error.message + (step.parent < 0 ? "" : " It stands at \(path(step))."))
    }
  }

  func checkMapKey(_ key: String, _ step: PlanStep) throws { try MapKeys.check(key, path(step)) }
}
