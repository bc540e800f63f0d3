/// The names that a class declares by `primaryKey()`, `indexedProperties()` and `ignoredProperties()`.
struct DeclaredNames {
  private(set) var primaryKey: String?
  private(set) var indexed: [String] = []
  private(set) var ignored: [String] = []
  /// The tokens of the functions, which go away unless they are called.
  private(set) var declarations: [(name: String, tokens: Range<Int>)] = []
  private(set) var reasons: [ClassPlan.Remark] = []

  /// The functions that declare names.
  static let functions: Set<String> = ["primaryKey", "indexedProperties", "ignoredProperties"]

  init(_ declaration: TypeDeclaration, _ source: SwiftSource) {
    for member in declaration.members where member.isStatic {
      let name = source.text(member.keyword + 1)
      guard Self.functions.contains(name) else { continue }
      guard !member.isConditional, let (function, names) = Self.names(in: member, source) else {
        reasons.append((member.keyword, "\(name)() has an unknown form"))
        continue
      }
      declarations.append((name, function))
      switch name {
      case "primaryKey" where names.count < 2: primaryKey = names.first
      case "primaryKey": reasons.append((member.keyword, "\(name)() has an unknown form"))
      case "indexedProperties": indexed = names
      default: ignored = names
      }
    }
  }

  /// All names, which must be properties.
  var keyed: [String] { (primaryKey.map { [$0] } ?? []) + indexed + ignored }

  /// The function, and the names that it returns; nil when it does anything else.
  private static func names(in member: ClassMember, _ source: SwiftSource) -> (Range<Int>, [String])? {
    guard source.text(member.keyword) == "func" else { return nil }
    var next = member.keyword + 2
    guard source.isSign(next, "("), source.end(of: next) == next + 1 else { return nil }
    next += 2
    while next < member.tokens.upperBound, !source.isSign(next, "{") { next += 1 }
    guard next < member.tokens.upperBound else { return nil }
    let end = source.end(of: next)
    let function = member.tokens.lowerBound..<end + 1
    if source.hasComment(in: next..<end + 1) { return nil }
    next += 1
    if source.text(next) == "return" { next += 1 }
    if next + 1 == end, source.text(next) == "nil" { return (function, []) }
    if source.isSign(next, "["), source.end(of: next) + 1 == end {
      var names: [String] = []
      let close = source.end(of: next)
      next += 1
      while next < close {
        guard let name = Self.name(&next, source) else { return nil }
        names.append(name)
        if source.isSign(next, ",") { next += 1 } else if next < close { return nil }
      }
      return (function, names)
    }
    guard let name = Self.name(&next, source), next == end else { return nil }
    return (function, [name])
  }

  /// A name as a string, or as `#keyPath(Dog.name)`.
  private static func name(_ next: inout Int, _ source: SwiftSource) -> String? {
    let text = source.text(next)
    if text == "#keyPath", source.isSign(next + 1, "(") {
      let close = source.end(of: next + 1)
      let name = source.text(close - 1)
      next = close + 1
      return name
    }
    guard source.tokens.indices.contains(next), source.tokens[next].kind == .string, text.hasPrefix("\""),
      text.count > 2, text.dropFirst().dropLast().unicodeScalars.allSatisfy(SwiftLexer.isWord)
    else { return nil }
    next += 1
    return String(text.dropFirst().dropLast())
  }
}
