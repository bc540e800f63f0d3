/// Values separated by commas, as RFC 4180 has them: quoted where necessary, one line for each row. An empty field is
/// null, and an empty string is `""`.
enum CSVOutput {
  /// A line without its end; nil stands for null.
  static func line(_ fields: [String?]) -> String {
    // A line with one empty field would be an empty line.
    fields.count == 1 && fields[0] == nil ? "" : fields.map { $0.map(field) ?? "" }.joined(separator: ",")
  }

  private static func field(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.first != " " && text.last != " "
      && text.utf8.allSatisfy {
        $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
      }
    if isPlain { return text }
    // By scalars: a quote before an accent is no character of its own.
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
