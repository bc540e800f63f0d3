/// A stored or computed property of a class, taken apart.
struct PropertyDeclaration {
  enum Accessors {
    case none, observers, computed
  }

  let member: ClassMember
  let name: String
  let nameToken: Int
  /// The tokens of the type behind the colon; empty without one.
  let type: Range<Int>
  /// The tokens of the value behind the equals sign; empty without one.
  let value: Range<Int>
  let accessors: Accessors
  /// The token behind the property, its accessors and a semicolon left out.
  let end: Int

  /// Returns nil for a declaration of several properties, or of a pattern.
  init?(_ member: ClassMember, _ source: SwiftSource) {
    let name = member.keyword + 1
    guard name < member.tokens.upperBound, source.tokens[name].kind == .word else { return nil }
    self.member = member
    self.name = source.text(name).trimmingBackticks
    nameToken = name
    var next = name + 1
    let last = member.tokens.upperBound
    func isAccessors(_ index: Int) -> Bool {
      source.isSign(index, "{") && ["didSet", "willSet", "get", "set", "_read"].contains(source.text(index + 1))
    }
    func skip(_ stops: (Int) -> Bool) -> Range<Int>? {
      let start = next
      while next < last, !stops(next), !source.isSign(next, ";") {
        if source.isSign(next, ",") { return nil }
        let mayBeGeneric = source.tokens[next - 1].kind == .word && source.isAttached(next)
        let behindGenerics = mayBeGeneric ? source.skippingGenerics(next) : next
        next = behindGenerics > next ? behindGenerics : source.end(of: next) + 1
      }
      return start..<next
    }
    var type = next..<next
    var value = next..<next
    if source.isSign(next, ":") {
      next += 1
      guard let range = skip({ source.isSign($0, "=") || source.isSign($0, "{") }) else { return nil }
      type = range
    }
    if source.isSign(next, "="), next < last {
      next += 1
      guard let range = skip({ isAccessors($0) && $0 > next - 1 }) else { return nil }
      value = range
    }
    end = next
    if next < last, source.isSign(next, "{") {
      accessors = ["didSet", "willSet"].contains(source.text(next + 1)) ? .observers : .computed
    } else {
      accessors = .none
      // More tokens than a property has.
      guard next == last || source.isSign(next, ";") else { return nil }
    }
    self.type = type
    self.value = value
  }
}

extension String {
  /// The name without backticks.
  var trimmingBackticks: String { hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self }
}
