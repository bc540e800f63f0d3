import FiefTestSupport
import Foundation

/// Schemas that change from version to version, with objects, written and migrated through the public interface.
///
/// Each step has a code, and the bytes from which the generator of the tests draws what a version changes or what is
/// written. The contents of the file are compared with dictionaries, the report of each rehearsal with what happened,
/// and a migration of all versions at once with the steps. The last byte of the header says whether the file is
/// encrypted.
struct MigrationTarget: FuzzTarget {
  let name = "migrations"
  let purpose = "migrations between schemas of a generator, rehearsed, in memory and in files, against dictionaries"

  func layout(of input: [UInt8]) -> InputLayout {
    InputLayout(header: 200, step: 128, kinds: [(0, 3), (1, 2), (2, 4)], limit: 10)
  }

  func decode(_ input: [UInt8]) -> [[UInt8]] {
    let layout = layout(of: input)
    return [Array(input.prefix(layout.header))] + layout.steps(input).prefix(12).map(\.all)
  }

  func run(_ program: [[UInt8]]) throws {
    do {
      try TemporaryFolder.with { folder in
        var choices = ByteChoices(program.first ?? [])
        let isEncrypted = (program.first?.last ?? 0) & 1 == 1
        var run = try EvolvedRun(
          folder.appendingPathComponent("evolving.realm"), &choices,
          cipher: isEncrypted ? InsecureStandInCipher() : nil)
        for step in program.dropFirst() {
          var choices = ByteChoices(step.dropFirst())
          switch step.first {
          case 0: try run.migrate(&choices)
          case 1: try run.write(&choices)
          case 2: try run.migrate(&choices, hasRareKinds: true)
          default: break
          }
        }
        _ = try run.migrateAtOnce()
      }
    } catch let fault as EvolvedFault {
      throw Finding(fault.description)
    }
  }

  func steps(_ program: [[UInt8]]) -> [String] {
    program.dropFirst().enumerated().compactMap { number, step in
      switch step.first {
      case 0: "run.migrate(&choices)  // from \(step.dropFirst().prefix(16)), step \(number)"
      case 1: "run.write(&choices)  // from \(step.dropFirst().prefix(16)), step \(number)"
      case 2: "run.migrate(&choices, hasRareKinds: true)  // from \(step.dropFirst().prefix(16)), step \(number)"
      default: nil
      }
    }
  }
}

/// Choices that are read from bytes, one each. Behind the end every choice is the first one.
struct ByteChoices: Choices {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) { self.bytes = ArraySlice(Array(bytes)) }

  mutating func below(_ bound: Int) -> Int { Int(bytes.popFirst() ?? 0) % max(1, bound) }
}
