import Dispatch
import FiefGraph
import FiefRuntime

/// How an observation begins in the place where its block is to run.
///
///     here                 at once
///     on a queue           a block on the queue opens the session there, and registers
///     on an actor          the same, and the caller waits for it
///
/// Between the call and the registration nothing is lost: what is observed goes there as of the version of the call.
enum Registration {
  /// Makes the observation of a thing, as a session sees it, from a version on; nil when it is gone.
  typealias Make<Thing> = (_ thing: Thing, _ session: Session, _ from: Graph) -> Observation?

  /// Registers here, at once, or on a queue, soon.
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
    let configuration = session.sharedConfiguration
    let work = UncheckedBox { arrive(token, .of(queue), configuration, handover, make) }
    queue.async { work.value() }
    return token
  }

  /// Registers on an actor.
  static func on<Thing: ThreadConfined, A: Actor>(
    _ actor: A, _ thing: Thing, _ session: Session, isolation: isolated (any Actor)?,
    _ make: @escaping Make<Thing>
  ) async -> NotificationToken {
    let token = NotificationToken(coming: session.store)
    let handover = Handover(thing, "An observation")
    let configuration = session.sharedConfiguration
    let work = UncheckedBox {
      // Nobody waits for it any more.
      if Task.isCancelled { token.invalidate() } else { arrive(token, .of(actor), configuration, handover, make) }
    }
    await perform(on: actor) { work.value() }
    return token
  }

  private static func perform(on actor: isolated any Actor, _ work: @Sendable () -> Void) { work() }

  /// Registers in the place that runs. The token of what is gone by then is ended, so that it holds nothing.
  private static func arrive<Thing: ThreadConfined>(
    _ token: NotificationToken, _ place: Confinement, _ configuration: SharedConfiguration, _ handover: Handover<Thing>,
    _ make: Make<Thing>
  ) {
    guard token.isLive else { return }
    let session = handover.frozen.store.session(place, sharing: configuration)
    guard let thing = session.resolve(handover), let observation = make(thing, session, handover.frozen.graph) else {
      token.invalidate()
      return
    }
    guard token.arrived(session, observation) else { return }
    session.observers.add(observation)
    if observation.isBehind(session) { session.bell.ring() }
  }

  /// Calls a block of an actor, on which this runs.
  static func call<A: Actor, Change>(
    _ actor: A?, _ block: @escaping @Sendable (isolated A, Change) -> Void, _ change: Change
  ) {
    guard let actor else { return }
    let change = UncheckedBox(change)
    actor.assumeIsolated { block($0, change.value) }
  }
}

extension Session {
  /// Traps unless observing may begin here and now.
  func checkObservable(_ what: String) {
    checkObserving(what)
    checkUnchanged(what)
  }
}

/// An actor that is not kept alive by what is observed on it.
struct WeakActor<A: Actor>: @unchecked Sendable {
  weak var actor: A?

  init(_ actor: A) { self.actor = actor }
}
