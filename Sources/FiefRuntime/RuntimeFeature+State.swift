extension RuntimeFeature {
  /// Whether the piece can be used in this process.
  package enum State: String, Sendable {
    case available
    /// The probe found something else than expected.
    case unknown
    /// The environment turned it off.
    case switchedOff = "switched off"
  }

  /// Whether the piece is used. Runs its probe the first time.
  package var state: State {
    if isSwitchedOff { return .switchedOff }
    let isAvailable =
      switch self {
      case .classDiscovery: ClassDiscovery.isAvailable
      case .smallStrings: SmallString.isAvailable
      case .existentials: Existential.isAvailable
      case .referenceCounts: ReferenceCount.sole != nil
      case .tryRetain: unsafe RuntimeFunctions.tryRetain != nil
      case .currentExecutor: CurrentExecutor.isAvailable
      case .currentQueue: CurrentQueue.function != nil
      case .trackingScopes: TrackingScope.isKnown
      }
    return isAvailable ? .available : .unknown
  }

  /// A line for each piece, with its state.
  package static var report: String {
    allCases.map { "\($0.rawValue): \($0.state.rawValue)" }.joined(separator: "\n")
  }
}
