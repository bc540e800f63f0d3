/// Conditions that compare objects member by member.
extension MemberConstant {
  /// The constant, which a null link reads as only if `isRead` is true too.
  package func readOfNull(_ isRead: Bool) -> MemberConstant {
    guard case .object(let name, let members, let isReadOfNull) = self else { return self }
    return .object(name, members, isReadOfNull: isReadOfNull && isRead)
  }

  /// The condition that all members of the object at the end of a path equal those of the value.
  package func equality(at path: PropertyPath) -> QueryPredicate {
    switch self {
    case .null: return QueryPredicate(Comparison(.path(path), .equal, .constant(.null)))
    case .object(_, let members, let isReadOfNull):
      var conditions = members.map { member in
        QueryPredicate(
          Comparison(.path(path.appending(.property(member.name))), .equal, .constant(.value(member.value))))
      }
      // Elements of collections are never null; behind a null link all members are null.
      if path.components.isEmpty { return .all(of: conditions) }
      if members.allSatisfy(\.value.isNull) {
        conditions.append(QueryPredicate(Comparison(.path(path), .notEqual, .constant(.null))))
      }
      let same = QueryPredicate.all(of: conditions)
      // A missing key has no value.
      if case .key? = path.components.last { return same }
      guard isReadOfNull else { return same }
      var isNull = MemberConstant.null.equality(at: path)
      // If the owner's link is null too, no object exists that could have the default.
      let owner = PropertyPath(Array(path.components.dropLast()), variable: path.variable)
      if !owner.components.isEmpty {
        isNull = isNull && QueryPredicate(Comparison(.path(owner), .notEqual, .constant(.null)))
      }
      return same || isNull
    }
  }

  /// The condition that an object at the end of a path equals one of several constants, or, for `!=`, none of them.
  package static func condition(
    _ constants: [MemberConstant], _ relation: Comparison.Operator, at path: PropertyPath
  ) -> QueryPredicate {
    assert([.equal, .notEqual, .in].contains(relation), "Members are compared for equality.")
    let same = QueryPredicate.any(of: constants.map { $0.equality(at: path) })
    return relation == .notEqual ? !same : same
  }
}
