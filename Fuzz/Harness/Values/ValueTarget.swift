import Fief
import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation

/// Nested values of any types for `create(_:value:)`.
///
///     header    the way in, the update policy
///     steps     code and three operands: they push a value on a stack, or wrap what is on it
///
/// The value is the top of the stack. It is refused with a short error and leaves everything as it was, or it makes the
/// same object in every way: validating and in a write, managed and unmanaged.
struct ValueTarget: FuzzTarget {
  struct Program {
    var header: StepBytes
    var steps: [StepBytes]
  }

  enum Code: UInt8, CaseIterable {
    case int, double, text, bool, null, date, data, uuid, decimal, oid, number, node, part, optional, array, dictionary
    case deepArray, deepDictionary, nodes, whole
  }

  static let names = [
    "id", "flag", "text", "small", "float", "double", "data", "date", "uuid", "decimal", "oid", "any", "link", "part",
    "links", "parts", "numbers", "anys", "words", "friends", "map", "named", "size", "label", "inner", "node",
    "origins",
    "stranger", "", "a.b", "$class",
  ]

  let name = "values"
  let purpose = "create(_:value:) from nested values of any types"

  func layout(of input: [UInt8]) -> InputLayout {
    InputLayout(
      header: 2, step: 4,
      kinds: Code.allCases.map { code in
        switch code {
        case .dictionary: (code.rawValue, 12)
        case .array, .int, .text, .node, .nodes, .whole: (code.rawValue, 6)
        case .deepArray, .deepDictionary: (code.rawValue, 1)
        default: (code.rawValue, 3)
        }
      }, limit: 24)
  }

  func decode(_ input: [UInt8]) -> Program {
    Program(header: StepBytes(input.prefix(2)), steps: layout(of: input).steps(input))
  }

  /// The properties that take a value of one kind.
  private static let fitting: [(name: String, codes: [Code])] = [
    ("flag", [.bool]), ("text", [.text]), ("small", [.int]), ("float", [.double]), ("double", [.double, .int]),
    ("data", [.data]), ("date", [.date]), ("uuid", [.uuid]), ("decimal", [.decimal, .int]), ("oid", [.oid]),
    ("any", [.date, .data, .uuid, .decimal, .oid, .text, .double, .int, .bool, .node]), ("link", [.node]),
    ("part", [.part]),
  ]

  /// A random value. Half of them are objects with a value that fits, at the end of a few links.
  func sample(_ random: inout SeededRandom) -> [UInt8] {
    let layout = layout(of: [])
    let rest = layout.sample(&random)
    if random.bool() { return rest }
    let (name, codes) = random.element(of: Self.fitting)
    var steps = Array(rest.prefix(layout.header))
    func add(_ code: Code, _ second: Int? = nil) {
      steps += [code.rawValue, UInt8(random.below(8)), UInt8(second ?? random.below(256)), UInt8(random.below(8))]
    }
    func wrap(_ name: String) { add(.whole, Self.names.firstIndex(of: name) ?? 0) }
    add(random.element(of: codes))
    wrap(name)
    for _ in 0..<random.below(3) { wrap("link") }
    return steps
  }

  func steps(_ program: Program) -> [String] {
    var stack: [String] = []
    for step in program.steps { Self.push(step, &stack, SwiftText()) }
    let policy = ["error", "modified", "all"][program.header[1] % 3]
    return ["let value: Any = \(stack.last ?? "[:]")"]
      + (program.header.code % 2 == 0
        ? ["try realm.write { try realm.create(FuzzNode.self, validating: value, update: .\(policy)) }"]
        : ["try realm.write { realm.add(try FuzzNode(validating: value), update: .\(policy)) }"])
  }

  func run(_ program: Program) throws {
    let (one, other) = (try FuzzRealm.inMemory(), try FuzzRealm.inMemory())
    for realm in [one, other] {
      try realm.write {
        for id in 100..<103 { realm.create(FuzzNode.self, value: ["id": id, "text": "there \(id)"]) }
      }
    }
    func value(_ realm: Realm) -> Any {
      var stack: [Any] = []
      for step in program.steps.prefix(64) { Self.push(step, &stack, Values(realm: realm)) }
      return stack.last ?? [String: Any]()
    }
    let policy: Realm.UpdatePolicy = [.error, .modified, .all][program.header[1] % 3]
    if program.header.code % 2 == 0 {
      try compareManaged(value(one), value(other), one, other, policy)
    } else {
      try addUnmanaged(value(one), one, policy)
    }
  }

  private func compareManaged(
    _ value: Any, _ twin: Any, _ one: Realm, _ other: Realm, _ policy: Realm.UpdatePolicy
  ) throws {
    let before = one.graph
    var (first, second): (String?, String?)
    var made: FuzzNode?
    var (refusal, failure): ((any Swift.Error)?, (any Swift.Error)?)
    try one.write {
      do {
        let node = try one.create(FuzzNode.self, validating: value, update: policy)
        (first, made) = (try FuzzRealm.text(node), node)
      } catch { refusal = error }
    }
    do {
      second = try other.write {
        try FuzzRealm.text(other.create(FuzzNode.self, value: twin, update: policy))
      }
    } catch { failure = error }
    try FuzzRealm.checkInvariants(one, "After create(validating:)")
    try FuzzRealm.checkInvariants(other, "After create(value:)")
    try expect((refusal == nil) == (failure == nil), "One way refuses: \(refusal as Any), \(failure as Any)")
    if let refusal, let failure {
      try FuzzRealm.checkShort(refusal)
      try expect("\(refusal)" == "\(failure)", "Two ways refuse otherwise: \(refusal), \(failure)")
      try expect(before == one.graph, "A refused value has changed something.")
    } else {
      try expect(first == second, "Two ways make other objects: \(first ?? ""), \(second ?? "")")
      if let made { try roundTrip(first ?? "", made) }
    }
  }

  private func addUnmanaged(_ value: Any, _ realm: Realm, _ policy: Realm.UpdatePolicy) throws {
    let node: FuzzNode
    do { node = try FuzzNode(validating: value) } catch { return try FuzzRealm.checkShort(error) }
    let before = realm.graph
    do {
      try realm.write { realm.add(node, update: policy) }
    } catch {
      try FuzzRealm.checkShort(error)
      try expect(before == realm.graph, "A refused object has changed something.")
    }
    try FuzzRealm.checkInvariants(realm, "After add")
  }

  /// An object is what its document says.
  private func roundTrip(_ text: String, _ node: FuzzNode) throws {
    let copy = try ObjectDocument(json: Data(text.utf8)).object(as: FuzzNode.self)
    try FuzzRealm.compareValues(node, copy)
    let fresh = try FuzzRealm.inMemory()
    let again = try fresh.write {
      fresh.add(copy)
      return try FuzzRealm.text(copy)
    }
    // The order of a set is that of its values' rows, so only nodes without such sets are compared.
    if !text.contains("\"friends\":[{") { try expect(again == text, "A document is \(text), and then \(again)") }
    try FuzzRealm.checkInvariants(fresh, "After adding a document")
  }

  // MARK: The stack

  /// Makes the values of a stack.
  private protocol Builder {
    associatedtype Value
    func leaf(_ code: Code, _ step: StepBytes) -> Value
    func optional(_ value: Value) -> Value
    func array(_ values: [Value]) -> Value
    func dictionary(_ entries: [(String, Value)]) -> Value
    func deep(_ value: Value, _ depth: Int, isArray: Bool) -> Value
  }

  private static func push<B: Builder>(_ step: StepBytes, _ stack: inout [B.Value], _ builder: B) {
    guard let code = Code(rawValue: step.code) else { return }
    func taken(_ count: Int) -> [B.Value] {
      let values = Array(stack.suffix(count))
      stack.removeLast(values.count)
      return values
    }
    switch code {
    case .optional: stack.append(contentsOf: taken(1).map(builder.optional))
    case .array: stack.append(builder.array(taken(step[1] % 6)))
    case .dictionary, .whole:
      let values = taken(code == .whole ? 1 : step[1] % 5)
      // A whole node gets its key from an operand, so that most values make objects.
      var entries = values.enumerated().map { index, value in
        (names[(step[2] + index * max(1, step[3])) % names.count], value)
      }
      if code == .whole { entries.append(("id", builder.leaf(.int, step))) }
      stack.append(builder.dictionary(entries))
    case .deepArray, .deepDictionary:
      if let value = taken(1).first {
        stack.append(builder.deep(value, step.wide(2) % 1000, isArray: code == .deepArray))
      }
    default: stack.append(builder.leaf(code, step))
    }
  }

  private struct Values: Builder {
    let realm: Realm

    func leaf(_ code: Code, _ step: StepBytes) -> Any {
      let number = step[2]
      switch code {
      case .int: return [number, -number, number << 24, Int.max - number, Int.min + number][step[1] % 5]
      case .double: return [Double(number) / 8, -0.0, .nan, .infinity, 1e300, Double(number)][step[1] % 6]
      case .text: return ValueTarget.texts[(step[1] * 8 + number) % ValueTarget.texts.count]
      case .bool: return number % 2 == 1
      case .date: return Date(timeIntervalSince1970: [Double(number), 1e18, .nan, -.infinity, 0.1][step[1] % 5])
      case .data: return Data(repeating: UInt8(number), count: step[1])
      case .uuid: return UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
      case .decimal: return (try? Decimal128(string: ["1.50", "NaN", "1E+6000", "-0", "inf"][step[1] % 5])) as Any
      case .oid: return ObjectId(words: UInt32(number), 0, 1)
      case .number:
        return [NSNumber(value: number), NSNumber(value: Double(number) / 2), NSNumber(value: true), NSNull()][
          step[1] % 4]
      case .node:
        if step[1] % 3 == 0 { return realm.object(ofType: FuzzNode.self, forPrimaryKey: 100 + number % 4) as Any }
        return FuzzNode(value: ["id": 90 + number % 15, "text": "new"])
      case .part: return FuzzPart(value: ["size": number])
      case .nodes:
        return [realm.objects(FuzzNode.self), FuzzNode().links, FuzzNode().map, FuzzNode().words][step[1] % 4]
      default: return NSNull()
      }
    }

    func optional(_ value: Any) -> Any { Any?.some(value) as Any }
    func array(_ values: [Any]) -> Any { values }
    func dictionary(_ entries: [(String, Any)]) -> Any {
      Dictionary(entries) { _, last in last } as [String: Any]
    }
    func deep(_ value: Any, _ depth: Int, isArray: Bool) -> Any {
      var value = value
      for _ in 0..<depth { value = isArray ? [value] as [Any] : ["any": value] as [String: Any] }
      return value
    }
  }

  static let texts = [
    "", "a", "text", "12", "-3.5", "true", "507f1f77bcf86cd799439011", "123e4567-e89b-12d3-a456-426614174000",
    "2024-02-29T12:34:56Z", "AAEC", "caf\u{E9}", "cafe\u{301}", "a\u{0}b", "exactly fifteen", "exactly sixteen.",
    String(repeating: "long ", count: 600),
  ]

  /// The same values as lines of Swift.
  private struct SwiftText: Builder {
    func leaf(_ code: Code, _ step: StepBytes) -> String {
      let number = step[2]
      switch code {
      case .int:
        return ["\(number)", "-\(number)", "\(number << 24)", "Int.max - \(number)", "Int.min + \(number)"][step[1] % 5]
      case .double:
        return ["\(Double(number) / 8)", "-0.0", "Double.nan", "Double.infinity", "1e300", "\(number).0"][step[1] % 6]
      case .text: return ValueTarget.texts[(step[1] * 8 + number) % ValueTarget.texts.count].prefix(40).debugDescription
      case .bool: return "\(number % 2 == 1)"
      case .date:
        return "Date(timeIntervalSince1970: \(["\(number)", "1e18", ".nan", "-.infinity", "0.1"][step[1] % 5]))"
      case .data: return "Data(repeating: \(number), count: \(step[1]))"
      case .uuid: return "UUID(uuid: (\(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))"
      case .decimal: return "Decimal128(\"\(["1.50", "NaN", "1E+6000", "-0", "inf"][step[1] % 5])\")"
      case .oid: return "ObjectId(words: \(number), 0, 1)"
      case .number:
        return [
          "NSNumber(value: \(number))", "NSNumber(value: \(Double(number) / 2))", "NSNumber(value: true)", "NSNull()",
        ][
          step[1] % 4]
      case .node:
        return step[1] % 3 == 0
          ? "realm.object(ofType: FuzzNode.self, forPrimaryKey: \(100 + number % 4)) as Any"
          : "FuzzNode(value: [\"id\": \(90 + number % 15), \"text\": \"new\"])"
      case .part: return "FuzzPart(value: [\"size\": \(number)])"
      case .nodes:
        return ["realm.objects(FuzzNode.self)", "FuzzNode().links", "FuzzNode().map", "FuzzNode().words"][step[1] % 4]
      default: return "NSNull()"
      }
    }

    func optional(_ value: String) -> String { "Any?.some(\(value)) as Any" }
    func array(_ values: [String]) -> String { "[\(values.joined(separator: ", "))] as [Any]" }
    func dictionary(_ entries: [(String, String)]) -> String {
      if entries.isEmpty { return "[String: Any]()" }
      var last: [String: String] = [:]
      for (name, value) in entries { last[name] = value }
      return "[\(last.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }.joined(separator: ", "))] as [String: Any]"
    }
    func deep(_ value: String, _ depth: Int, isArray: Bool) -> String {
      "nested(\(value), \(depth), \(isArray ? "[$0]" : "[\"any\": $0]"))"
    }
  }
}
