#if os(Linux)
  import FiefRealmFileSamples
  import FiefRealmFiles
  import FiefTestSupport
  import Foundation
  import Testing

  /// How much memory reading takes, as the system counts it: in a process of its own, whose peak was reset before.
  @Suite struct MemoryTests {
    /// What the allocator and the system take beside what was asked for.
    private static let slack = 8 << 20

    @Test(arguments: Amplifier.allCases) func soundFilesThatGrowTakeWhatWasCounted(_ amplifier: Amplifier) async {
      let name = amplifier.rawValue
      await #expect(processExitsWith: .success) { [name = name as String] in
        let bytes = (Amplifier(rawValue: name) ?? .zeros).file(of: Effort.of(debug: 1 << 17, release: 1 << 20))
        let size = bytes.count
        var charged: Int?
        let growth = PeakMemory.growth { charged = (try? RealmFile(bytes))?.report.charged }
        guard growth <= (charged ?? 2 * size) + size + Self.slack else {
          fatalError("\(name): \(growth) bytes for a file of \(size), of which \(charged ?? -1) were counted.")
        }
      }
    }

    @Test(arguments: Amplifier.allCases) func damagedFilesThatGrowTakeLessThanFourTimesTheirSize(
      _ amplifier: Amplifier
    ) async {
      let name = amplifier.rawValue
      await #expect(processExitsWith: .success) { [name = name as String] in
        let size = Effort.of(debug: 1 << 19, release: 1 << 23)
        Self.expectRefusal(name, (Amplifier(rawValue: name) ?? .zeros).file(of: size, isDamaged: true))
      }
    }

    @Test(arguments: LateForgery.allCases) func filesWithAFaultAtTheirEndTakeLessThanFourTimesTheirSize(
      _ forgery: LateForgery
    ) async {
      let name = forgery.rawValue
      await #expect(processExitsWith: .success) { [name = name as String] in
        let count = Effort.of(debug: 100_000, release: 1_000_000)
        Self.expectRefusal(name, (LateForgery(rawValue: name) ?? .cycle).file(of: count))
      }
    }

    @Test func filesThatAreTooBigAreRefusedWithoutMemory() async {
      await #expect(processExitsWith: .success) {
        let bytes = Amplifier.listsOfZeros.file(of: Effort.of(debug: 1 << 20, release: 1 << 22))
        let error = Self.expectRefusal("listsOfZeros", bytes)
        guard error?.code == .unsupported, error?.message.contains("MB of memory") == true else {
          fatalError("\(error as Any)")
        }
      }
    }

    /// Ends the process unless the file is refused, and its peak is less than four times its size, with the file.
    @discardableResult
    private static func expectRefusal(_ name: String, _ bytes: ContiguousArray<UInt8>) -> RealmFileError? {
      let size = bytes.count
      var refusal: RealmFileError?
      var isRead = false
      let growth = PeakMemory.growth {
        do {
          _ = try RealmFile(bytes)
          isRead = true
        } catch {
          refusal = error as? RealmFileError
        }
      }
      guard !isRead, growth <= 3 * size + slack else {
        fatalError("\(name): \(growth) bytes for a file of \(size) bytes, \(refusal?.message ?? "which was read").")
      }
      return refusal
    }
  }
#endif
