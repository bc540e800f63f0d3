/// What a query does to the elements of its base: which of them it keeps, and in what order.
///
/// A value that holds no version: it is asked anew whenever the session sees something else.
protocol ResultsQuery: Sendable {
  /// The elements of `base` that are kept, in their order, as `session` sees them now.
  func evaluate(_ base: ResultsBase, _ session: Session) -> ResultsShown
}
