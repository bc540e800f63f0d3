#if os(Linux)
  import FiefDurability
  import FiefFuzzing
  import FiefGraph
  import FiefRuntime
  import FiefTestSupport
  import Foundation
  import Testing

  /// A process in which tests run one after the other, so that a test can count the objects that remain behind.
  enum Alone {
    /// Whether this is such a process.
    static let isAlone = ProcessInfo.processInfo.environment["FIEF_ALONE"] == "1"

    /// Creates the objects that are made at first use and remain.
    private static let firstUse: Void = {
      _ = JournalTarget.base
      guard let store = try? StageStore(SimulatedProcess(SimulatedDisk())) else { return }
      for _ in 0..<2 { try? store.commit() }
      try? store.checkpoint()
    }()

    /// The resources of a process.
    struct Belongings {
      /// The number of graph nodes; counted in debug builds.
      let nodes: Int
      /// The open file descriptors, by their targets.
      let descriptors: [String]

      init() {
        Alone.firstUse
        nodes = LiveNodes.count
        descriptors = Self.openDescriptors()
      }

      private static func openDescriptors() -> [String] {
        let folder = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Only files and folders. Descriptors without a path belong to the runtime, for its queues and threads.
        return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
          .filter { $0.hasPrefix("/") && !$0.hasPrefix("/proc/") }
      }

      /// The resources that exist now and did not exist then; nil without any. Threads that are about to release
      /// something have a minute.
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

  /// G24: every test of this folder leaves the numbers of nodes and descriptors unchanged.
  struct AloneTests {
    /// Suites that run for long, and use simulated disks only in ways that shorter suites cover.
    private static let long =
      "CrashTests|SmallSpaceTests|WeakSystemTests|DamageTests|FaultTests|ErrnoTests|ScheduleTests|ProcessTests"
      + "|FlipTests|TruncationTests|SpliceTests|Misplaced|HostileTests|ForgerTests|AgreementTests"

    @Test func noTestLeavesNodesOrDescriptorsBehind() throws {
      if Alone.isAlone { return }
      var arguments = ["--testing-library", "swift-testing", "--no-parallel", "--filter", "FiefDurabilityTests"]
      arguments += ["--skip", "AloneTests" + ((Effort.current == .night) ? "" : "|" + Self.long)]
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let child = try Helper(
        running: URL(fileURLWithPath: program), arguments, environment: ["FIEF_ALONE": "1", "NO_COLOR": "1"])
      let lines = child.restOfLines()
      child.finish()
      let complaints = lines.filter { $0.contains("recorded an issue") || $0.contains("↳") }
      #expect(child.status == 0, "\(complaints.prefix(20).joined(separator: "\n"))")
      let summary = lines.last { $0.contains("Test run with") } ?? "nothing"
      #expect(summary.contains("passed"))
      Figures.report("G24: one after the other: \(summary)")
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
