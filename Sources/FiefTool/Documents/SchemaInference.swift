import Fief
import FiefCopying
import FiefGraph

/// Finds a schema for documents of objects by class.
///
/// | a property | becomes |
/// | --- | --- |
/// | whole numbers; numbers; numbers with more digits than a double has | `int`; `double`; `decimal` |
/// | strings; strings that all are points in time, as `2024-02-29T12:00:00Z` | `string`; `date` |
/// | objects | a link to objects of the class with that name, or else embedded objects of a new class |
/// | arrays | a list of what its elements are |
/// | anything else, and several of these | `any` |
///
/// A property that is null or missing somewhere is optional. The class of objects below `home` is `Home`, and that of
/// elements of `dogs` is `Dog`; equal names are one class. A class is linked to if it stands at the top or has a key,
/// and is embedded otherwise.
struct SchemaInference {
  /// A property of a class.
  struct Place: Hashable {
    let className: String
    let property: String

    /// Reads `Class.property`.
    init?(_ text: String) {
      guard let dot = text.firstIndex(of: "."), dot > text.startIndex, text.index(after: dot) < text.endIndex else {
        return nil
      }
      self.init(String(text[..<dot]), String(text[text.index(after: dot)...]))
    }

    init(_ className: String, _ property: String) {
      self.className = className
      self.property = property
    }
  }

  private enum Kind: Hashable {
    case bool, int, double, decimal, date, string, object, array, other
    /// A whole number with more digits than a double has.
    case long
  }

  /// The kinds of values that were seen of a property, or of the elements of a list.
  private struct Seen {
    var kinds: Set<Kind> = []
    var elements: Set<Kind> = []
    var hasNull = false
    var hasNullElement = false
    /// How many objects have it.
    var count = 0
  }

  private struct Guess {
    var objects = 0
    var properties: [String: Seen] = [:]
  }

  private let tree: DocumentTree
  private let top: [(name: String, objects: DocumentTree.Span)]
  private let topNames: Set<String>
  /// The names at the top, by these in small letters: the first of equal ones.
  private let topNamesIgnoringCase: [String: String]
  /// The property that is the primary key, by class.
  private let keys: [String: String]
  private let dates: Set<Place>
  /// The properties that hold values of several types.
  private var anys: Set<Place> = []
  private var guesses: [String: Guess] = [:]

  /// - Parameters:
  ///   - tree: an object with an array of objects for each class.
  ///   - keys: the primary keys.
  ///   - dates: the properties that hold points in time.
  ///   - progress: counts the objects that stand at the top.
  static func schema(
    of tree: DocumentTree, keys: [Place], dates: [Place], _ progress: Progress
  ) throws(Failure) -> DynamicSchema {
    var inference = SchemaInference(tree, keys, dates)
    return try inference.run(progress)
  }

  private init(_ tree: DocumentTree, _ keys: [Place], _ dates: [Place]) {
    self.tree = tree
    var top: [(name: String, objects: DocumentTree.Span)] = []
    if case .object(let span) = tree.root {
      for (name, value) in tree.members(span) {
        if case .array(let objects) = value, name != "$schema" { top.append((name, objects)) }
      }
    }
    self.top = top
    topNames = Set(top.map(\.name))
    topNamesIgnoringCase = Dictionary(top.map { ($0.name.lowercased(), $0.name) }) { first, _ in first }
    self.keys = Dictionary(keys.map { ($0.className, $0.property) }) { first, _ in first }
    self.dates = Set(dates)
  }

  private mutating func run(_ progress: Progress) throws(Failure) -> DynamicSchema {
    // Objects in a property of several types are no objects of a class. Each turn may find more such properties.
    repeat { look(progress) } while noteAnys()
    for place in dates.map({ $0 }) + keys.map({ Place($0.key, $0.value) })
    where guesses[place.className]?.properties[place.property] == nil {
      throw Failure(
        "There is no property '\(place.property.printable)' in objects of a class '\(place.className.printable)': the "
          + "document has the classes \(guesses.keys.sorted().map { "'\($0.printable)'" }.joined(separator: ", ")).",
        .usage)
    }
    let schema = DynamicSchema(guesses.keys.sorted().map(described))
    if let problem = schema.problems.first {
      throw Failure("The document makes no schema: \(problem.printable)", .badData)
    }
    return schema
  }

  // MARK: Looking

  /// Looks at all objects, without recursion.
  private mutating func look(_ progress: Progress) {
    guesses = [:]
    var waiting: [(DocumentTree.Span, className: String)] = []
    for (name, objects) in top {
      guesses[name] = Guess()
      for case .object(let span) in tree.elements(objects) { waiting.append((span, name)) }
    }
    var left = waiting.count
    progress.begin("finding types", of: left)
    while let (span, className) = waiting.popLast() {
      // Nested objects wait behind their owner, and so do those that stand at the top behind each other.
      if waiting.count < left {
        progress.advance(by: left - waiting.count)
        left = waiting.count
      }
      // An object with nothing but its key stands for one that is elsewhere.
      let isReference = span.count == 1 && keys[className] == tree.name(0, of: span)
      if !isReference { guesses[className, default: Guess()].objects += 1 }
      for (name, value) in tree.members(span) where name != "$id" && name != "$class" {
        let place = Place(className, name)
        var seen = guesses[className]?.properties[name] ?? Seen()
        if !isReference { seen.count += 1 }
        note(value, place, &seen, &waiting)
        guesses[className, default: Guess()].properties[name] = seen
      }
    }
  }

  private mutating func note(
    _ value: DocumentTree.Value, _ place: Place, _ seen: inout Seen,
    _ waiting: inout [(DocumentTree.Span, className: String)]
  ) {
    guard case .array(let elements) = value else {
      if case .null = value { seen.hasNull = true } else { seen.kinds.insert(kind(of: value, place)) }
      if case .object(let span) = value { wait(for: span, place, isElement: false, &waiting) }
      return
    }
    seen.kinds.insert(.array)
    for element in tree.elements(elements) {
      if case .null = element { seen.hasNullElement = true } else { seen.elements.insert(kind(of: element, place)) }
      if case .object(let span) = element { wait(for: span, place, isElement: true, &waiting) }
    }
  }

  private mutating func wait(
    for span: DocumentTree.Span, _ place: Place, isElement: Bool,
    _ waiting: inout [(DocumentTree.Span, className: String)]
  ) {
    if anys.contains(place) { return }
    let name = className(of: place.property, isElement: isElement)
    if tree.member("$ref", of: span) != nil {
      guesses[name] = guesses[name] ?? Guess()
    } else {
      waiting.append((span, name))
    }
  }

  private func kind(of value: DocumentTree.Value, _ place: Place) -> Kind {
    let isDate = dates.contains(place)
    switch value {
    case .bool: return .bool
    case .int(let number): return isDate ? .date : Double(exactly: number) == nil ? .long : .int
    case .double: return isDate ? .date : .double
    case .decimal: return isDate ? .date : .decimal
    case .string(let text): return isDate || text.utf8.count >= 20 && Timestamp(text) != nil ? .date : .string
    case .array: return .other
    case .object(let span):
      // A value with a marker, or an object with its class: only an any-value holds them.
      let isMarked = span.count == 1 && DocumentScalar.marked(span, in: tree) != nil
      return isMarked || tree.member("$class", of: span) != nil ? .other : .object
    case .null: return .other
    }
  }

  /// The class of the objects of a property: `home` holds a `Home`, and `dogs` several of a `Dog`.
  private func className(of property: String, isElement: Bool) -> String {
    var name = property
    if isElement {
      if name.hasSuffix("ies"), name.count > 4 {
        name = name.dropLast(3) + "y"
      } else if name.hasSuffix("sses") || name.hasSuffix("xes") || name.hasSuffix("ches") || name.hasSuffix("shes") {
        name = String(name.dropLast(2))
      } else if name.hasSuffix("s"), !name.hasSuffix("ss"), name.count > 2 {
        name = String(name.dropLast())
      }
    }
    name = name.prefix(1).uppercased() + name.dropFirst()
    return topNamesIgnoringCase[name.lowercased()] ?? name
  }

  // MARK: Deciding

  /// Notes the properties that turn out to hold several types.
  ///
  /// - Returns: whether there are new ones.
  private mutating func noteAnys() -> Bool {
    let before = anys.count
    for (className, guess) in guesses {
      for (name, seen) in guess.properties {
        let (hasObjects, type) = (seen.kinds.contains(.object) || seen.elements.contains(.object), type(of: seen))
        if hasObjects, type.type != .object { anys.insert(Place(className, name)) }
      }
    }
    return anys.count > before
  }

  private func type(of seen: Seen) -> (type: PropertyType, isList: Bool) {
    if seen.kinds == [.array] {
      let type = Self.type(of: seen.elements)
      // Lists hold no null links.
      return (type == .object && seen.hasNullElement ? .any : type, true)
    }
    return (Self.type(of: seen.kinds), false)
  }

  private static func type(of kinds: Set<Kind>) -> PropertyType {
    var kinds = kinds
    // Beside fractions it would lose digits in a double.
    if kinds.remove(.long) != nil { kinds.insert(kinds.isSubset(of: [.int]) ? .int : .decimal) }
    return switch kinds {
    case [.bool]: .bool
    case [.int]: .int
    case [.double], [.int, .double]: .double
    case [.decimal], [.decimal, .int], [.decimal, .double], [.decimal, .int, .double]: .decimal128
    case [.date]: .date
    case [.string], [.string, .date]: .string
    case [.object]: .object
    default: .any
    }
  }

  private func described(_ className: String) -> DynamicSchema.Class {
    let guess = guesses[className] ?? Guess()
    let key = keys[className]
    let isEmbedded = key == nil && !topNames.contains(className)
    let properties = guess.properties.keys.sorted().map { name -> DynamicSchema.Property in
      let seen = guess.properties[name] ?? Seen()
      let (type, isList) = type(of: seen)
      let isMissing = seen.hasNull || seen.count < guess.objects
      let isOptional = type != .any && type != .object && (isList ? seen.hasNullElement : isMissing && name != key)
      return .init(
        name, type, isList ? .list : .single, isOptional: isOptional,
        linkingTo: type == .object ? self.className(of: name, isElement: isList) : nil)
    }
    return .init(className, primaryKey: key, isEmbedded: isEmbedded, properties)
  }
}
