import Foundation

/// The memory of this process as the system reports it.
enum Memory {
  /// The peak of resident memory in bytes; 0 on systems where it is not read.
  static var peak: Int {
    #if os(Linux) || os(Android)
      status("VmHWM:")
    #elseif canImport(Darwin)
      Int(taskInfo?.resident_size_max ?? 0)
    #else
      0
    #endif
  }

  /// The resident memory in bytes; 0 on systems where it is not read.
  static var resident: Int {
    #if os(Linux) || os(Android)
      status("VmRSS:")
    #elseif canImport(Darwin)
      Int(taskInfo?.resident_size ?? 0)
    #else
      0
    #endif
  }

  #if os(Linux) || os(Android)
    // `getrusage` is not used for the peak, because its value starts at the peak of the parent process.
    private static func status(_ field: String) -> Int {
      guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) })
      else { return 0 }
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
    }
  #elseif canImport(Darwin)
    private static var taskInfo: mach_task_basic_info? {
      var info = mach_task_basic_info()
      let words = MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size
      var count = mach_msg_type_number_t(words)
      let result = withUnsafeMutablePointer(to: &info) { info in
        info.withMemoryRebound(to: integer_t.self, capacity: words) {
          task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
        }
      }
      return result == KERN_SUCCESS ? info : nil
    }
  #endif
}
