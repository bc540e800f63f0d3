import Fief

// The classes of the tour.

class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var toy: Toy?
  @Persisted var tricks: MutableSet<String>
  @Persisted var parks: Map<String, String>
  @Persisted var friend: AnyRealmValue
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Toy: Object {
  @Persisted var name = ""
}

class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<Dog>
  @Persisted var home: Address?
}

class Address: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city = ""
}

// The descriptions of objects in the tour.

extension Dog {
  var words: String { "\(name), \(age)" }
}

extension Sequence where Element == Dog {
  var names: String { "[\(map(\.name).joined(separator: ", "))]" }
}

extension Sequence where Element == Person {
  var names: String { "[\(map(\.name).joined(separator: ", "))]" }
}

extension Optional where Wrapped == Address {
  var words: String { map { "\($0.street), \($0.city)" } ?? "nowhere" }
}

extension AnyRealmValue {
  var words: String {
    switch self {
    case .none: "none"
    case .string(let text): "the string '\(text)'"
    case .int(let number): "the number \(number)"
    case .object(let object): "the object \((object as? Dog)?.name ?? "of another class")"
    case .list(let list): "a list of \(list.count)"
    default: "\(self)"
    }
  }
}

extension Property {
  /// The property as it was declared, in words: `dogs: list of Dog`.
  var words: String {
    let element = objectClassName ?? "\(type)"
    let shape =
      type == .linkingObjects
      ? "who has it as (\(element))"
      : isArray ? "list of \(element)" : isSet ? "set of \(element)" : isMap ? "map to \(element)" : element
    return "\(name): \(shape)\(isOptional && !isArray && !isSet && !isMap ? "?" : "")"
  }
}
