extension TourStep {
  /// The steps of the tour, in their order: each builds on the realm that those before it left.
  static let all: [TourStep] = [
    .declaring, .creating, .relating, .embedding, .collecting, .updating, .asking, .observing, .undoing, .refusing,
    .freezing, .deleting, .copying, .reopening,
  ]
}
