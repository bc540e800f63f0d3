import Fief
import FiefTestSupport
import Foundation

/// Schedules of three sessions of one store, on a scheduler whose choices are the input.
///
///     driver ──step──▶ queue of a session: one action, to its end; then all queues run dry
///
/// Each step has a code, the session, and two operands. Sessions 0 and 1 refresh themselves, session 2 does not. While
/// one writes, the others read, observe, freeze, and queue asynchronous writes. They do not begin a write: they would
/// wait for the one whose steps come later.
///
/// The header chooses the store: one in eight is in a file, where commits wait for the disk. Half of the files are
/// encrypted. Some headers choose two processes that share a store, instead of sessions: see `SharingProgram`.
struct ScheduleTarget: FuzzTarget {
  struct Program {
    let isInFile: Bool
    let isEncrypted: Bool
    let steps: [StepBytes]
    /// The program of two processes, in place of the steps.
    var sharing: SharingProgram?
  }

  let name = "schedules"
  let purpose = "three sessions, observers and asynchronous writers, or two processes, on a deterministic scheduler"

  func layout(of input: [UInt8]) -> InputLayout {
    if let head = input.first, SharingProgram.heads.contains(head) {
      return InputLayout(header: 1, step: 4, kinds: SharingProgram.kinds, limit: 30)
    }
    return InputLayout(
      header: 1, step: 4,
      kinds: [(0, 6), (1, 10), (2, 6), (3, 2), (4, 4), (5, 3), (6, 3), (7, 4), (8, 2), (9, 6), (10, 2)], limit: 50)
  }

  func decode(_ input: [UInt8]) -> Program {
    let (head, steps) = (input.first ?? 0, Array(layout(of: input).steps(input).prefix(200)))
    var program = Program(isInFile: head & 7 == 7, isEncrypted: head & 15 == 15, steps: steps)
    if SharingProgram.heads.contains(head) { program.sharing = SharingProgram(head, steps) }
    return program
  }

  func sample(_ random: inout SeededRandom) -> [UInt8] {
    let isSharing = random.bool()
    return isSharing
      ? SharingProgram.sample(&random, layout(of: [SharingProgram.heads.lowerBound])) : layout(of: []).sample(&random)
  }

  func run(_ program: Program) throws {
    if let sharing = program.sharing { return try sharing.run() }
    guard program.isInFile else { return try run(program.steps, Realm.Configuration.inMemory()) }
    try TemporaryFolder.with { folder in
      var configuration = Realm.Configuration(fileURL: folder.appendingPathComponent("scheduled.realm"))
      if program.isEncrypted { configuration.cipher = InsecureStandInCipher() }
      try run(program.steps, configuration)
    }
  }

  private func run(_ steps: [StepBytes], _ configuration: Realm.Configuration) throws {
    var configuration = configuration
    configuration.objectTypes = FuzzRealm.classes
    try ScheduleRun(configuration).run(steps)
  }

  func steps(_ program: Program) -> [String] {
    if let sharing = program.sharing { return sharing.lines }
    return (program.isInFile ? [program.isEncrypted ? "// in an encrypted file" : "// in a file"] : [])
      + program.steps.compactMap { step in
        let realm = "realm\(step[1] % 3)"
        return switch step.code {
        case 0: "\(realm).beginWrite()"
        case 1: "\(realm): n[\(step[2] % 6)].double += \(step[3] % 9)  // or created"
        case 2: "\(realm).commitWrite()"
        case 3: "\(realm).cancelWrite()"
        case 4: "\(realm).refresh()"
        case 5: "\(realm): frozen.append(realm.freeze())"
        case 6: "check(frozen[\(step[2])])  // on the queue of \(realm)"
        case 7: "\(realm): observe(\(step[2] % 2))"
        case 8: "\(realm): invalidate an observer"
        case 9: "\(realm).writeAsync { n[\(step[2] % 6)].double += \(step[3] % 9) }"
        case 10: "\(realm): delete n[\(step[2] % 6)]"
        default: nil
        }
      }
  }
}
