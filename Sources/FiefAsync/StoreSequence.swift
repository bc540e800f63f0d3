import FiefResults
import FiefRuntime
import FiefSessions
import Synchronization

/// An iteration over what a `RealmStore` computes anew after commits, on a queue of its own.
///
///     new ──first next()──▶ following the store ──end(), release or the last element──▶ ended
actor StoreSequence<Element: Sendable>: StoreIteration {
  private let executor = QueueExecutor("fief.following")
  private let use: StoreUse
  /// The source of the elements; nil after the first call of `next()`, because it may retain an early version.
  private var source: ((HeldStore) -> ChangeSource<Element>)?
  /// Nil before the first call of `next()`, and when the iteration has ended.
  private var changes: PulledChanges<Element>?
  /// Whether a call of `next()` waits or computes.
  private var isPulling = false
  private var enders: [@Sendable (Bool) -> Void] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// - Parameter source: makes the source of the elements. Called on the actor.
  init(_ use: StoreUse, _ source: @escaping @Sendable (HeldStore) -> ChangeSource<Element>) {
    self.use = use
    self.source = source
  }

  /// Waits for the next element.
  ///
  /// - Returns: nil after the end.
  func next() async -> Element? {
    if isPulling {
      fatalError("An iteration over a RealmStore was asked for two elements at once: make an iterator for each task.")
    }
    isPulling = true
    let element = await pull()
    isPulling = false
    if element == nil { finish() }
    let waiting = enders
    enders = []
    for ender in waiting { ender(true) }
    return element
  }

  /// Waits for the next element, and drops what the wait has used.
  private func pull() async -> Element? {
    if let source {
      self.source = nil
      guard use.add(self), let held = use.held else { return nil }
      changes = source(held).changes(on: .of(executor.queue))
    }
    return await changes?.next(isolation: self)
  }

  func end() async {
    finish()
    guard isPulling else { return }
    _ = await AwaitedValue<Bool>.receive(isolation: self) { enders.append($0) }
  }

  private func finish() {
    changes?.finish()
    changes = nil
    source = nil
  }
}
