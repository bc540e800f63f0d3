import Dispatch
import FiefRuntime
import Foundation
import Synchronization

extension Realm {
  /// Kept for the original's sake: there is nothing to download.
  @frozen
  public enum OpenBehavior: Sendable {
    /// Open what is there.
    case never
    /// Open what is there.
    case always
    /// Open what is there.
    case once
  }

  /// Opens a store for the main actor. Reading the file and migrating happen in the background.
  ///
  /// - Parameters:
  ///   - configuration: what to open.
  ///   - downloadBeforeOpen: without effect.
  /// - Throws: as `init(configuration:queue:)`; `CancellationError` when the task is cancelled.
  @MainActor
  public init(
    configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    let store = try await RealmOpening.storeInBackground(configuration)
    self.init(store.session(.main, configuration))
  }

  /// Opens a store for an actor, on which this has to be called. The actor is not kept alive by its realm.
  ///
  ///     actor Kennel {
  ///       private var realm: Realm!
  ///       init() async throws { realm = try await Realm(actor: self) }
  ///     }
  ///
  /// - Parameters:
  ///   - configuration: what to open.
  ///   - actor: whose realm it is to be.
  ///   - downloadBeforeOpen: without effect.
  /// - Throws: as `init(configuration:queue:)`; `CancellationError` when the task is cancelled.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: isolated A, downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    let store = try await RealmOpening.storeInBackground(configuration, isolation: actor)
    self.init(store.session(.of(actor), configuration))
  }

  /// Opens a store for the actor that the caller is isolated to. Called from a nonisolated function it does not
  /// compile.
  ///
  ///     actor Kennel {
  ///       func count() async throws -> Int {
  ///         try await Realm.open().objects(Dog.self).count
  ///       }
  ///     }
  ///
  /// In an actor's initialiser the actor is not the caller's isolation yet: write `Realm(actor: self)` there.
  ///
  /// - Parameters:
  ///   - configuration: what to open.
  ///   - isolation: the caller's actor.
  ///   - downloadBeforeOpen: without effect.
  /// - Throws: as `init(configuration:queue:)`; `CancellationError` when the task is cancelled.
  public static func open(
    configuration: Configuration = .defaultConfiguration, _isolation isolation: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    let store = try await RealmOpening.storeInBackground(configuration, isolation: isolation)
    return Realm(store.session(.of(isolation), configuration))
  }

  /// Opens a store in the background, and hands over a realm for a queue.
  ///
  /// - Parameters:
  ///   - configuration: what to open.
  ///   - callbackQueue: the serial queue that the realm is for, and on which `callback` is called.
  ///   - callback: given the realm, or the reason why it could not be opened.
  /// - Returns: what the opening can be cancelled with.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Swift.Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    // It is called once, on its own queue.
    let callback = UncheckedBox(callback)
    DispatchQueue.global().async {
      let opened = Swift.Result { try RealmOpening.store(configuration) }
      callbackQueue.async {
        callback.value(
          task.isCancelled
            ? .failure(POSIXError(.ECANCELED))
            : opened.map { Realm($0.session(.of(callbackQueue), configuration)) })
      }
    }
    return task
  }

  /// An opening that is under way.
  public final class AsyncOpenTask: Sendable {
    private let wasCancelled = Atomic<Bool>(false)

    init() {}

    /// Gives the opening up: its callback is told so (`POSIXError.ECANCELED`).
    public func cancel() { wasCancelled.store(true, ordering: .relaxed) }

    /// Never calls its block: nothing is downloaded before a local realm is opened.
    ///
    /// - Parameters:
    ///   - queue: where the block would be called.
    ///   - block: what would be told of each step.
    public func addProgressNotification(
      queue: DispatchQueue = .main, block: @escaping (SyncSession.Progress) -> Void
    ) {}

    var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }
  }
}

extension RealmOpening {
  /// The store of a configuration, opened on a thread of its own when it is not open yet.
  static func storeInBackground(
    _ configuration: Realm.Configuration, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Store {
    try Task.checkCancellation()
    let store = try await withCheckedThrowingContinuation { (opened: CheckedContinuation<Store, any Error>) in
      DispatchQueue.global().async { opened.resume(with: Result { try RealmOpening.store(configuration) }) }
    }
    try Task.checkCancellation()
    return store
  }
}
