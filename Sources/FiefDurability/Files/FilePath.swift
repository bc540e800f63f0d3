/// Splitting and joining of the system's paths.
enum FilePath {
  /// The folder of a file, and its name in that folder.
  static func parts(of path: String) -> (folder: String, name: String) {
    let bytes = path.utf8
    guard let separator = bytes.lastIndex(where: isSeparator) else { return (".", path) }
    let name = String(path[bytes.index(after: separator)...])
    let folder = path[..<separator]
    return (folder.isEmpty ? String(path[separator...separator]) : String(folder), name)
  }

  /// The path of a name in a folder.
  static func path(_ name: String, in folder: String) -> String {
    folder.utf8.last.map(isSeparator) == true ? folder + name : folder + "/" + name
  }

  /// Whether a byte separates the parts of a path. A backslash is an ordinary character except on Windows.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    #if os(Windows)
      return byte == 0x2F || byte == 0x5C
    #else
      return byte == 0x2F
    #endif
  }
}
