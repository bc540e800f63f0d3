import Dispatch
import FiefGraph
import FiefRuntime
import FiefSessions

/// Registers observations on the executor where their blocks are to run.
///
///     here                 at once
///     on a queue           a block on the queue opens the session there, and registers
///     on an actor          a call on the actor opens the session there; the caller waits for it
///
/// No change between the call and the registration is lost. The observed object or collection is handed over at the
/// version of the call, and the observation starts from that version or delivers the whole state first.
enum Registration {
  /// Creates the observation of `thing`, as `session` sees it, starting from the version `from`; nil when it no longer
  /// exists.
  typealias Make<Thing> = (_ thing: Thing, _ session: Session, _ from: Graph) -> (any SessionObservation)?

  /// Registers at once on this executor, or soon on a queue.
  static func on<Thing: ThreadConfined>(
    _ queue: DispatchQueue?, _ thing: Thing, _ session: Session, _ make: @escaping Make<Thing>
  ) -> NotificationToken {
    guard let queue else {
      session.checkDelivering("An object or collection")
      guard let observation = make(thing, session, session.graph) else { Misuse.unmanaged("observe()") }
      return session.register(observation)
    }
    let token = NotificationToken(coming: session.store)
    let handover = Handover(thing, "An observation")
    let (options, executor) = (session.options, Confinement.of(queue))
    let work = UncheckedBox { arrive(token, executor, options, handover, make) }
    executor.schedule { work.value() }
    return token
  }

  /// Registers on an actor.
  static func on<Thing: ThreadConfined, A: Actor>(
    _ actor: A, _ thing: Thing, _ session: Session, isolation: isolated (any Actor)?,
    _ make: @escaping Make<Thing>
  ) async -> NotificationToken {
    let token = NotificationToken(coming: session.store)
    let handover = Handover(thing, "An observation")
    let options = session.options
    let work = UncheckedBox {
      // The caller does not need the observation any more.
      if Task.isCancelled { token.invalidate() } else { arrive(token, .of(actor), options, handover, make) }
    }
    await perform(on: actor) { work.value() }
    return token
  }

  private static func perform(on actor: isolated any Actor, _ work: @Sendable () -> Void) { work() }

  /// Registers on the running executor. When the thing no longer exists, the token is ended, so that it retains
  /// nothing.
  private static func arrive<Thing: ThreadConfined>(
    _ token: NotificationToken, _ executor: Confinement, _ options: any SessionOptions, _ handover: Handover<Thing>,
    _ make: Make<Thing>
  ) {
    guard token.isLive else { return }
    let session = handover.ticket.frozen.store.session(executor, options)
    guard let thing = session.resolve(handover), let observation = make(thing, session, handover.ticket.frozen.graph)
    else {
      token.invalidate()
      return
    }
    guard token.arrived(session, observation) else { return }
    session.observers.add(observation)
    if observation.isBehind(session) { session.signal.raise() }
  }

  /// Calls an actor's block. The caller already runs on the actor.
  static func call<A: Actor, Change>(
    _ actor: A?, _ block: @escaping @Sendable (isolated A, Change) -> Void, _ change: Change
  ) {
    guard let actor else { return }
    let change = UncheckedBox(change)
    actor.assumeIsolated { block($0, change.value) }
  }
}

extension Session {
  /// Traps unless an observation may begin on the running executor, at the current version.
  func checkObservable(_ what: String) {
    checkObserving(what)
    checkUnchanged(what)
  }
}

/// A weak reference to an actor, so that an observation does not keep its actor alive.
struct WeakActor<A: Actor>: @unchecked Sendable {
  weak var actor: A?

  init(_ actor: A) { self.actor = actor }
}
