import Fief
import FiefCopying
import FiefTestSupport
import Foundation

/// Two stores, with copies in both directions and injected cycles.
///
/// Each step has a code and five operands. A step changes one store, or copies a node from one to the other. A copy
/// has the document of its original, the original stays as it was, and a refused copy changes nothing. Copies are
/// refused for a key that is there and for a cycle that is not allowed, and for nothing else.
struct CopyTarget: FuzzTarget {
  let name = "copies"
  let purpose = "two stores with copies in both directions and injected cycles"

  func layout(of input: [UInt8]) -> InputLayout {
    InputLayout(
      header: 1, step: 6,
      kinds: [
        (0, 10), (1, 6), (2, 6), (3, 4), (4, 4), (5, 4), (6, 3), (7, 2), (8, 12), (9, 4), (10, 4), (11, 2), (12, 3),
      ], limit: 40)
  }

  func decode(_ input: [UInt8]) -> [StepBytes] { Array(layout(of: input).steps(input).prefix(200)) }

  func run(_ program: [StepBytes]) throws {
    let run = try CopyRun()
    for step in program { try run.carryOut(step) }
  }

  func steps(_ program: [StepBytes]) -> [String] { program.compactMap(Self.line) }

  private static func line(_ step: StepBytes) -> String? {
    let (store, id, other) = (step[1] % 2 == 0 ? "a" : "b", step[2] % CopyRun.keys, step[3] % CopyRun.keys)
    let node = "\(store).node(\(id))"
    switch step.code {
    case 0:
      return "\(store).create(FuzzNode.self, value: [\"id\": \(id), \"text\": \"\(step[4] % 8)\"], update: .modified)"
    case 1: return "\(node).link = \(store).node(\(other))"
    case 2: return "\(node).links.append(\(store).node(\(other)))"
    case 3: return "\(node).part = FuzzPart(size: \(step[4]), node: \(store).node(\(other)))"
    case 4: return "\(node).named[\"k\(step[4] % 3)\"] = \(store).node(\(other))"
    case 5: return "\(node).any = value(\(step[4] % 4), \(store).node(\(other)))"
    case 6: return "\(node).friends.insert(\(store).node(\(other)))"
    case 7: return "\(store).delete(\(node))"
    case 8:
      return "other.copy(\(node), cycles: .\(CopyRun.cycles(step)), keys: .\(CopyRun.keys(step)), "
        + "depth: \(CopyRun.depth(step).map(String.init) ?? "nil"))"
    case 9:
      return "other.create(FuzzNode.self, validating: \(node), update: .\(["error", "modified", "all"][step[4] % 3]))"
    case 10: return "other.add(try ObjectDocument(\(node)).object(as: FuzzNode.self), update: .modified)"
    case 11:
      return "// a ring of \(2 + step[4] % 6) nodes from \(id) in \(store), linked by properties from \(step[3] % 6) on"
    case 12: return "try \(node).detached(cycles: .\(CopyRun.cycles(step)), keys: .keep)"
    default: return nil
    }
  }
}
