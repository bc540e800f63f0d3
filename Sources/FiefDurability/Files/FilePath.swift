/// Paths of the system, taken apart and put together.
enum FilePath {
  /// The folder that a file stands in, and its name there.
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

  /// Whether it stands between the parts of a path. A backslash is a letter as any other where the system says so.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    #if os(Windows)
      return byte == 0x2F || byte == 0x5C
    #else
      return byte == 0x2F
    #endif
  }
}
