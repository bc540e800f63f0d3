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
/// version of the call, and the observation starts from that version or delivers the whole state first.
enum Registration {
  /// Registers at once on this executor, or soon on a queue.
  static func begin<Thing: ThreadConfined>(
    _ maker: @escaping ObservationMaker<Thing>, of thing: Thing, in session: Session, on queue: DispatchQueue?
  ) -> NotificationToken {
    guard let queue else {
      session.checkDelivering("An object or collection")
      guard let observation = maker(thing, session.graph) else { Misuse.unmanaged("observe()") }
      return session.register(observation)
    }
    let token = NotificationToken(coming: session.store)
    let reference = FrozenReference(thing, "An observation")
    let (options, executor) = (session.options, Confinement.of(queue))
    let work = UncheckedBox { arrive(token, reference, on: executor, options: options, maker: maker) }
    executor.schedule { work.value() }
    return token
  }

  /// Registers on an actor, which the observation does not retain.
  ///
  /// - Parameters:
  ///   - block: the observer's block.
  ///   - maker: returns a maker of observations that pass their changes to a function.
  static func begin<Thing: ThreadConfined, A: Actor, Change>(
    of thing: Thing, in session: Session, on actor: A, isolation: isolated (any Actor)?,
    _ block: @escaping @Sendable (isolated A, Change) -> Void,
    _ maker: (@escaping (Change) -> Void) -> ObservationMaker<Thing>
  ) async -> NotificationToken {
    let maker = maker { [weak actor] change in
      let change = UncheckedBox(change)
      actor?.assumeIsolated { block($0, change.value) }
    }
    let token = NotificationToken(coming: session.store)
    let reference = FrozenReference(thing, "An observation")
    let options = session.options
    let work = UncheckedBox {
      // The caller does not need the observation any more.
      if Task.isCancelled {
        token.invalidate()
      } else {
        arrive(token, reference, on: .of(actor), options: options, maker: maker)
      }
    }
    await perform(on: actor) { work.value() }
    return token
  }

  private static func perform(on actor: isolated any Actor, _ work: @Sendable () -> Void) { work() }

  /// Registers on the running executor. When the thing no longer exists, the token is ended, so that it retains
  /// nothing.
  private static func arrive<Thing: ThreadConfined>(
    _ token: NotificationToken, _ reference: FrozenReference<Thing>, on executor: Confinement,
    options: any SessionOptions, maker: ObservationMaker<Thing>
  ) {
    guard token.isLive else { return }
    let session = reference.ticket.frozen.store.session(executor, options)
    let start = reference.ticket.frozen.graph
    guard let thing = reference.resolve(in: session), let observation = maker(thing, start) else {
      token.invalidate()
      return
    }
    guard token.arrived(session, observation) else { return }
    session.observers.add(observation)
    if observation.isBehind(session) { session.signal.raise() }
  }
}
