import FiefTestSupport

/// Schedules of three sessions of one store, on a scheduler whose choices are the input.
///
///     driver ──step──▶ queue of a session: one action, to its end; then all queues run dry
///
/// Each step has a code, the session, and two operands. Sessions 0 and 1 refresh themselves, session 2 does not. While
/// one writes, the others read, observe, freeze, and queue asynchronous writes. They do not begin a write: they would
/// wait for the one whose steps come later.
struct ScheduleTarget: FuzzTarget {
  let name = "schedules"
  let purpose = "three sessions, observers and asynchronous writers on a deterministic scheduler"

  func layout(of input: [UInt8]) -> InputLayout {
    InputLayout(
      header: 1, step: 4,
      kinds: [(0, 6), (1, 10), (2, 6), (3, 2), (4, 4), (5, 3), (6, 3), (7, 4), (8, 2), (9, 6), (10, 2)], limit: 50)
  }

  func decode(_ input: [UInt8]) -> [StepBytes] { Array(layout(of: input).steps(input).prefix(200)) }

  func run(_ program: [StepBytes]) throws { try ScheduleRun().run(program) }

  func steps(_ program: [StepBytes]) -> [String] {
    program.compactMap { step in
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
