extension ColumnType {
  /// Whether a single cell of the type can hold `value`. For a link only the target's table is checked.
  public func holds(_ value: Value) -> Bool {
    guard !isCollection else { return false }
    switch value {
    case .null: return allowsNull
    case .int(let number): return kind == .int ? width.range.contains(number) : kind == .any
    case .date(let moment): return (kind == .date || kind == .any) && moment.isMoment
    case .link(let link): return kind == .link ? target == link.table : kind == .any
    default: return kind == .any || kind == value.kind
    }
  }

  /// Whether a collection of the type can hold `value` as an element.
  func holdsElement(_ value: Value) -> Bool {
    assert(isCollection, "Only a collection has elements.")
    return value.isNull ? allowsNull : element.holds(value)
  }
}
