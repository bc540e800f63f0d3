extension TourStep {
  /// The steps of the tour, in order. Each uses the realm that the previous steps have filled.
  static let all: [TourStep] = [
    .declaring, .creating, .relating, .embedding, .collecting, .updating, .asking, .observing, .undoing, .refusing,
    .freezing, .deleting, .copying, .reopening,
  ]
}
