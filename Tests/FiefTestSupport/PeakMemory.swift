#if os(Linux)
  import Foundation

  /// The memory of this process, as the system counts it.
  public enum PeakMemory {
    /// Whether freed memory is used again. The address sanitizer keeps it for a while.
    public static var isMeasurable: Bool { unsafe dlsym(nil, "__asan_init") == nil }

    /// How many bytes the process takes.
    public static var now: Int { status("VmRSS") }

    /// How many bytes `body` takes at its peak, above those before it. Only a process that does nothing else can tell.
    public static func growth(of body: () throws -> Void) rethrows -> Int {
      // The system begins a new peak.
      try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
      let before = now
      try body()
      return status("VmHWM") - before
    }

    private static func status(_ name: String) -> Int {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
      return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    }
  }
#endif
