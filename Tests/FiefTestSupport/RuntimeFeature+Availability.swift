import FiefRuntime

extension RuntimeFeature {
  /// Whether the piece is used. Runs its probe the first time.
  package var isAvailable: Bool {
    switch self {
    case .classDiscovery: ClassDiscovery.isAvailable
    case .smallStrings: SmallString.isAvailable
    case .existentials: Existential.isAvailable
    case .referenceCounts: ReferenceCount.sole != nil
    case .tryRetain: RuntimeFunctions.tryRetain != nil
    case .currentExecutor: CurrentExecutor.isAvailable
    case .currentQueue: CurrentQueue.function != nil
    case .trackingScopes: TrackingScope.isKnown
    }
  }
}
