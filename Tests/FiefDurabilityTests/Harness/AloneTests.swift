#if os(Linux)
  import FiefDurability
  import FiefFuzzing
  import FiefGraph
  import FiefTestSupport
  import Foundation
  import Testing

  /// A process in which tests run one after the other, so that what is left behind by one can be counted.
  enum Alone {
    /// Whether this is such a process.
    static let isAlone = ProcessInfo.processInfo.environment["FIEF_ALONE"] == "1"

    /// Makes what is made at first use and stays.
    private static let firstUse: Void = {
      _ = JournalHarness.base
      guard let store = try? StageStore(SimulatedProcess(SimulatedDisk())) else { return }
      for _ in 0..<2 { try? store.commit() }
      try? store.checkpoint()
    }()

    /// What a process has.
    struct Belongings {
      /// Nodes of graphs; counted in debug builds.
      let nodes: Int
      /// Open descriptors of files, by what they lead to.
      let descriptors: [String]

      init() {
        Alone.firstUse
        nodes = LiveNodes.count
        descriptors = Self.openDescriptors()
      }

      private static func openDescriptors() -> [String] {
        let folder = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Those of files and folders; what has no path is the language's own, for its queues and threads.
        return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
          .filter { $0.hasPrefix("/") && !$0.hasPrefix("/proc/") }
      }

      /// What is there now and was not then; nil when nothing is. Threads that are about to let go of something have a
      /// minute.
      func left() -> String? {
        var left: String?
        for _ in 0..<6000 {
          let now = Belongings()
          let more = now.descriptors.count - descriptors.count
          let new = Set(now.descriptors).subtracting(descriptors).sorted()
          left =
            now.nodes <= nodes && more <= 0
            ? nil : "\(now.nodes - nodes) nodes and \(more) descriptors, among them \(new)"
          if left == nil { return nil }
          Thread.sleep(forTimeInterval: 0.01)
        }
        return left
      }
    }
  }

  /// G24: after every test of this folder, nodes and descriptors are as before.
  struct AloneTests {
    /// Those that run for long, and do with simulated disks what shorter ones do too.
    private static let long =
      "CrashTests|SmallSpaceTests|BarrierTests|DamageTests|FaultTests|ErrnoTests|ScheduleTests|ProcessTests|FlipTests"
      + "|TruncationTests|SpliceTests|Misplaced|HostileTests|CorpusTests|ForgerTests|AgreementTests"

    @Test func noTestLeavesNodesOrDescriptorsBehind() throws {
      if Alone.isAlone { return }
      var arguments = ["--testing-library", "swift-testing", "--no-parallel", "--filter", "FiefDurabilityTests"]
      arguments += ["--skip", "AloneTests" + (Effort.isNight ? "" : "|" + Self.long)]
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let child = try Helper(
        running: URL(fileURLWithPath: program), arguments, environment: ["FIEF_ALONE": "1", "NO_COLOR": "1"])
      let lines = child.restOfLines()
      child.finish()
      let complaints = lines.filter { $0.contains("recorded an issue") || $0.contains("↳") }
      #expect(child.status == 0, "\(complaints.prefix(20).joined(separator: "\n"))")
      let summary = lines.last { $0.contains("Test run with") } ?? "nothing"
      #expect(summary.contains("passed"))
      print("G24: one after the other: \(summary)")
    }
  }
#else
  import FiefGraph

  /// Descriptors are counted where the system lists them.
  enum Alone {
    static let isAlone = false

    struct Belongings {
      func left() -> String? { nil }
    }
  }
#endif
