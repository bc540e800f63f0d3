#if os(Linux)
  import FiefTestSupport
  import Foundation
  import Testing

  /// Programs whose main thread ceases to serve the main actor: an asynchronous `main` after its first suspension, and
  /// `dispatchMain()`. A realm of the main actor that was opened before goes on as before.
  @Suite(.waitsForProcesses) struct MainActorConfinementTests {
    /// Also where nothing is known of the runtime: every use then asks the system for the executor.
    @Test(arguments: ["await", "dispatch-main"], ["", "plain"])
    func scopesAreToldAndTheExecutorIsKnownOnEveryThreadThatServesTheMainActor(_ way: String, _ runtime: String) throws
    {
      let lines = try Helper(["main-actor", way], environment: ["FIEF_RUNTIME": runtime]).finish()
      let kinds = ["property", "list", "map", "results", "query", "key", "life"]
      #expect(
        lines == ["opened on the main thread: true", "used on the main thread: false"]
          + kinds.map { "\($0): known false, then \(runtime.isEmpty), told 1" } + ["shown Max a b c"])
    }

    /// The main thread runs blocks of other queues, too. The realm of the queue is the one that is open there.
    @Test func aBlockThatTheMainThreadSynchronizesWithThawsInTheRealmOfItsQueue() throws {
      #expect(
        try Helper(["thaw-in-sync"]).finish() == [
          "without a realm of the queue: the main thread",
          "frozen on the queue: queue 'dogs'",
          "frozen on the main thread: queue 'dogs'",
          "outside of the block: the main thread",
          "the name is Max",
        ])
    }

    @Test func aReadOnAnotherThreadTraps() throws {
      let helper = try Helper(["main-actor", "elsewhere"])
      #expect(helper.nextLine() == "opened on the main thread: true")
      #expect(helper.nextLine() == "reading elsewhere")
      #expect(helper.nextLine() == nil)
      #expect(helper.trap().contains("Realm accessed from incorrect thread: it belongs to the main thread"))
    }
  }
#endif
