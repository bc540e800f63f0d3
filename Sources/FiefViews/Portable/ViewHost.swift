#if !(canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS))

  /// The interface library's part, so that views are evaluated again when realms change.
  ///
  ///     @MainActor final class Screen: ViewHost {
  ///       private var shown: [ViewSource: Set<ViewID>] = [:]
  ///       func read(_ source: ViewSource) { shown[source, default: []].insert(viewInEvaluation) }
  ///       func willChange(_ source: ViewSource) {
  ///         for view in shown.removeValue(forKey: source) ?? [] { redraw(view) }
  ///       }
  ///     }
  ///     let screen = Screen()
  ///     ViewSource.host = screen          // not retained
  ///
  /// A wrapper calls `read` each time that a view takes its value. The host records which view that is. When the value
  /// becomes another, the wrapper calls `willChange`, and the host evaluates those views again on a later turn of the
  /// main queue. A host need not look into the views for their wrappers.
  ///
  /// A library that is built on `Observation` needs no host, because sources are observable.
  @MainActor
  public protocol ViewHost: AnyObject {
    /// A view takes the value of a source.
    func read(_ source: ViewSource)
    /// The value of a source is about to be another. Called on the main actor, never inside a write.
    func willChange(_ source: ViewSource)
  }

#endif
