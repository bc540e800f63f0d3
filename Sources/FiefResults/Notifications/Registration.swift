import Dispatch
import FiefGraph
import FiefObjects
import FiefRuntime
import FiefSessions

/// Registers observations on the executor where their blocks are to run.
///
///     here                 at once
///     on a queue           a block on the queue opens the session there, and registers
///     on an actor          a call on the actor opens the session there; the caller waits for it
///
/// No change between the call and the registration is lost. The observed object or collection is handed over at the
/// version of the call, and the observation starts from that version or delivers the whole state first. If the thing is
/// gone by then, that is reported instead, and nothing is registered. If the session there does not show the thing now
/// (it is in a write that has deleted it, or in a block, at an earlier version), the observation begins when it does.
/// So does that of a section without elements.
enum Registration {
  /// Registers at once on this executor, or soon on a queue.
  ///
  /// - Parameter gone: called on the queue when the thing is gone there. Receives it frozen, as it was.
  static func begin<Thing: ThreadConfined>(
    _ maker: @escaping ObservationMaker<Thing>, of thing: Thing, in session: Session, on queue: DispatchQueue?,
    orGone gone: @escaping (Thing) -> Void
  ) -> NotificationToken {
    guard let queue else {
      session.checkDelivering("An object or collection")
      guard let observation = maker(thing, session.graph) else { Misuse.unmanaged("observe()") }
      return session.register(observation)
    }
    let token = NotificationToken(coming: session.store)
    let reference = FrozenReference(thing, "An observation")
    let (options, executor) = (session.options, Confinement.of(queue))
    // A token that the application has released reports nothing more, and no deletion.
    let work = UncheckedBox { [weak token] in
      guard let token else { return }
      arrive(token, reference, on: executor, options: options, maker: maker, orGone: gone)
    }
    executor.schedule { work.value() }
    return token
  }

  /// Registers on an actor, which the observation does not retain.
  ///
  /// - Parameters:
  ///   - deletion: the change that is reported when the thing is gone on the actor; nil for none.
  ///   - block: the observer's block.
  ///   - maker: returns a maker of observations that pass their changes to a function.
  static func begin<Thing: ThreadConfined, A: Actor, Change>(
    of thing: Thing, in session: Session, on actor: A, isolation: isolated (any Actor)?, deletion: Change? = nil,
    _ block: @escaping @Sendable (isolated A, Change) -> Void,
    _ maker: (@escaping (Change) -> Void) -> ObservationMaker<Thing>
  ) async -> NotificationToken {
    let call = { [weak actor] (change: Change) in
      let change = UncheckedBox(change)
      actor?.assumeIsolated { block($0, change.value) }
    }
    let maker = maker(call)
    let token = NotificationToken(coming: session.store)
    let reference = FrozenReference(thing, "An observation")
    let options = session.options
    let work = UncheckedBox {
      // The caller does not need the observation any more.
      if Task.isCancelled {
        token.invalidate()
      } else {
        arrive(token, reference, on: .of(actor), options: options, maker: maker) { _ in deletion.map(call) }
      }
    }
    await perform(on: actor) { work.value() }
    return token
  }

  private static func perform(on actor: isolated any Actor, _ work: @Sendable () -> Void) { work() }

  /// Registers on the running executor. When the thing does not exist there, the token is ended, so that it retains
  /// nothing.
  private static func arrive<Thing: ThreadConfined>(
    _ token: NotificationToken, _ reference: FrozenReference<Thing>, on executor: Confinement,
    options: any SessionOptions, maker: @escaping ObservationMaker<Thing>, orGone gone: @escaping (Thing) -> Void
  ) {
    guard token.isLive else { return }
    let session = reference.ticket.frozen.store.session(executor, options)
    if register(token, reference, in: session, after: nil, maker: maker, orGone: gone) { return }
    let arrival = Arrival(session) { [weak token] arrival, session in
      guard let token, token.isLive else { return true }
      return register(token, reference, in: session, after: arrival, maker: maker, orGone: gone)
    }
    if token.arrived(session, arrival) { session.observers.add(arrival) }
  }

  /// Registers in a session that shows the thing, or that will not do so any more.
  ///
  /// - Parameter arrival: what is registered in its place; nil if nothing is.
  /// - Returns: false when it has to be tried again.
  private static func register<Thing: ThreadConfined>(
    _ token: NotificationToken, _ reference: FrozenReference<Thing>, in session: Session, after arrival: Arrival?,
    maker: ObservationMaker<Thing>, orGone gone: (Thing) -> Void
  ) -> Bool {
    let start = reference.ticket.frozen.graph
    guard let thing = reference.resolve(in: session), let observation = maker(thing, start) else {
      if reference.mayCome(to: session) { return false }
      if token.invalidate() { gone(reference.thing) }
      return true
    }
    guard token.arrived(session, observation, after: arrival) else { return true }
    session.observers.add(observation)
    if observation.isBehind(session) { session.signal.raise() }
    return true
  }
}

extension FrozenReference {
  /// Whether a session that does not show the thing now may do so later: the write that has made it may not be
  /// committed yet, or a write in progress has deleted it, and may be rolled back.
  func mayCome(to session: Session) -> Bool {
    let shown = Realm(session.frozen())
    if session.graph.version <= ticket.frozen.graph.version || thing._resolved(in: shown) != nil { return true }
    return (thing as? any ReturningThing)?.mayReturn(to: shown) ?? false
  }
}

/// A thing that is not gone for good when a realm does not show it.
protocol ReturningThing {
  /// Whether a realm that does not show it may do so later.
  func mayReturn(to realm: Realm) -> Bool
}

/// Waits in a session that does not show yet what is to be observed there, for the end of its write or for another
/// version.
private final class Arrival: SessionObservation {
  let progress: ObservationProgress
  private var isInWrite: Bool
  private let attempt: (Arrival, Session) -> Bool

  /// - Parameter attempt: returns false when it has to be called again.
  init(_ session: Session, _ attempt: @escaping (Arrival, Session) -> Bool) {
    progress = ObservationProgress(delivered: session.graph)
    isInWrite = session.transaction != nil
    self.attempt = attempt
  }

  func isBehind(_ session: Session) -> Bool {
    isInWrite && session.transaction == nil || delivered.version != session.graph.version
  }

  func deliver(_ session: Session, _ delivery: Delivery) {
    delivered = session.graph
    isInWrite = session.transaction != nil
    if attempt(self, session) { end() }
  }
}
