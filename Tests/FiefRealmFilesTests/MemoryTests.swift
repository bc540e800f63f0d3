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

    /// The limit of what is made of a file.
    private static func limit(_ size: Int) -> Int { 16 << 20 + 16 * size }

    @Test(arguments: Amplifier.allCases) func whatIsMadeIsCountedAndLimited(_ amplifier: Amplifier) async {
      let name = amplifier.rawValue
      await #expect(processExitsWith: .success) { [name = name as String] in
        let bytes = (Amplifier(rawValue: name) ?? .zeros).file(of: Effort.of(debug: 1 << 17, release: 1 << 20))
        let size = bytes.count
        var charged: Int?
        let growth = Peak.growth { charged = (try? RealmFile(bytes))?.report.charged }
        guard growth <= (charged ?? Self.limit(size)) + size + Self.slack else {
          fatalError("\(name): \(growth) bytes for a file of \(size), of which \(charged ?? -1) were counted.")
        }
      }
    }

    @Test(arguments: ["dogs", "shared", "cycle", "outside", "count"])
    func forgedFilesTakeLessThanFourTimesTheirSize(_ forgery: String) async {
      await #expect(processExitsWith: .success) { [forgery = forgery as String] in
        let bytes = Self.dogs(Effort.of(debug: 200_000, release: 1_000_000), forgery)
        let size = bytes.count
        var isRefused = false
        let growth = Peak.growth { isRefused = (try? RealmFile(bytes)) == nil }
        guard isRefused == (forgery != "dogs"), growth <= 3 * size + Self.slack else {
          fatalError("\(forgery): \(growth) bytes for a file of \(size) bytes.")
        }
      }
    }

    /// An ordinary file with a fault in its last cluster.
    private static func dogs(_ count: Int, _ forgery: String) -> ContiguousArray<UInt8> {
      var writer = RealmFileWriter()
      var first: Int64 = 0
      let rows = writer.clusters(of: count) { writer, range in
        var names = writer.shortStrings(range.map { "dog \($0)" })
        let ages = writer.integers(range.map { Int64($0 % 20) })
        if range.lowerBound == 0 { first = names }
        if range.upperBound == count {
          switch forgery {
          case "shared": names = first
          case "cycle": names = Int64(writer.size)
          case "outside": names = 1 << 40
          case "count": names = writer.raw([], count: (1 << 24) - 1, width: 0, scheme: .multiple)
          default: break
          }
        }
        return [names, ages]
      }
      let table = writer.table(key: 1, [.init("name", 2), .init("age", 0)], rows: rows)
      return writer.finish(top: writer.group([("class_Dog", table)]))
    }
  }

  /// The peak of this process's memory.
  private enum Peak {
    /// How much the peak is above the memory before `body`.
    static func growth(of body: () -> Void) -> Int {
      try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
      let before = status("VmRSS")
      body()
      return status("VmHWM") - before
    }

    private static func status(_ name: String) -> Int {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
      return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    }
  }
#endif
