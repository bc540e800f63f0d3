import FiefCopying
import FiefGraph
import FiefSessions
import Foundation

/// Sets the properties of unmanaged objects from a dictionary, an array or another object; implements `Dog(value:)`.
///
///     ["name": "Ann", "dogs": [["name": "Rex"], rufus]]
///        │                        │               └─ kept by reference
///        ▼                        ▼
///     tasks: Ann ──────────────▶ Rex              nested dictionaries and arrays become objects, in a work list
///
/// It stops at the first error. No realm is read or changed.
struct ObjectBuilder {
  /// An object whose properties are to be set.
  private struct Task {
    let object: ObjectBase
    let source: Source
    /// The index of the parent task, and the part of the path between them.
    let parent: Int
    let part: String
    /// The array or dictionary that is the object's source or contains the source: a node of `containers`; -1 for none.
    let container: Int32
  }

  private enum Source {
    case container(DynamicContainer)
    case object(ObjectBase)
  }

  private var containers = ContainerPaths()

  private var tasks: [Task] = []
  /// Objects that were read by the names of their properties, and the objects that were made from them.
  private var foreignObjects: [ForeignObject: ObjectBase] = [:]

  /// An unmanaged object, or the row of a managed one, and the class as which it is read.
  private struct ForeignObject: Hashable {
    let identity: ObjectIdentifier
    let row: ObjectLink?
    let target: ObjectIdentifier

    init(_ object: ObjectBase, _ target: ObjectBase.Type) {
      identity = object.retainedSession.map { ObjectIdentifier($0) } ?? ObjectIdentifier(object)
      row = object.link
      self.target = ObjectIdentifier(target)
    }
  }

  /// Sets the properties of an object from a value.
  ///
  /// - Throws: the first error. Some of the properties are set by then.
  static func fill(_ object: ObjectBase, _ value: Any) throws {
    var builder = ObjectBuilder()
    guard let source = try source(value, type(of: object)) else {
      throw Realm.Error(
        .invalidValue,
        "Object of class '\(type(of: object).className())' cannot be made of \(DynamicValue.words(value)): expected a "
          + "dictionary with property names as keys, an array with one value for each property, or an object.")
    }
    try builder.add(object, source, -1, type(of: object).className())
    var next = 0
    while next < builder.tasks.count {
      try builder.run(next)
      next += 1
    }
  }

  private mutating func add(_ object: ObjectBase, _ source: Source, _ parent: Int, _ part: String) throws {
    var node = parent < 0 ? -1 : tasks[parent].container
    switch source {
    case .object, .container(.members): break
    case .container(.array(_, let identity)), .container(.dictionary(_, let identity)):
      do throws(ContainerPaths.Refusal) {
        node = try containers.enter(identity, cost: ContainerPaths.costOfObject, below: node)
      } catch {
        throw Realm.Error(error.error(", at \(PlanPath.join(parts(parent) + [part]))"))
      }
    }
    tasks.append(Task(object: object, source: source, parent: parent, part: part, container: node))
  }

  private static func source(_ value: Any, _ type: ObjectBase.Type) throws -> Source? {
    guard let inner = DynamicValue.present(value) else { return nil }
    if let object = object(in: inner) {
      if object.flags.contains(.faulty), let error = FaultyObjects.error(of: object) { throw error }
      object.retainedSession?.checkConfinement()
      if object.isInvalidated {
        throw Realm.Error(
          .invalidValue,
          "Object of class '\(Swift.type(of: object).className())' has been deleted or invalidated and cannot be "
            + "copied."
        )
      }
      return .object(object)
    }
    return DynamicContainer.of(inner).map(Source.container)
  }

  /// The object in a value; for a dynamic object, the typed one for which it stands.
  private static func object(in value: Any) -> ObjectBase? {
    let object = DynamicValue.cast(value, to: ObjectBase.self)
    return (object as? DynamicObject)?.typed ?? object
  }

  private mutating func run(_ number: Int) throws {
    let task = tasks[number]
    let model = ModelClass.of(type(of: task.object))
    let stored = model.properties.lazy.filter(\.isStored)
    switch task.source {
    case .container(.dictionary(let dictionary, _)):
      for property in stored {
        if let value = dictionary[property.name] { try set(property, value, number) }
      }
    case .container(.array(let array, _)):
      if array.count > stored.count {
        throw Realm.Error(
          .invalidValue,
          "Invalid array at \(path(number)): it has \(array.count) values, and class '\(model.name)' has "
            + "\(stored.count) properties (\(stored.map(\.name).joined(separator: ", "))).")
      }
      for (property, value) in zip(stored, array) { try set(property, value, number) }
    case .container(.members): fatalError("Only realms are seeded from documents.")
    case .object(let object):
      // A property that is nil in the source keeps its default.
      let source = object.model
      for property in stored {
        guard let index = source.number(of: property.name) else {
          throw Realm.Error(
            .invalidValue,
            "Object of class '\(source.name)' has no property '\(property.name)', which class '\(model.name)' asks "
              + "for: give a dictionary of what is there.")
        }
        if let value = source.properties[index].value(in: object) { try set(property, value, number) }
      }
    }
  }

  // MARK: One property

  private mutating func set(_ property: ModelProperty, _ value: Any, _ number: Int) throws {
    let object = tasks[number].object
    let given = DynamicValue.present(value)
    guard let given else {
      if property.set(nil, in: object) { return }
      throw wrong(value, property, number, "")
    }
    let isDone: Bool
    switch property.facts.shape {
    case .single:
      let value = try prepared(given, property, number, "")
      isDone = property.set(value, in: object)
    case .list, .set:
      if isCollection(given), property.set(given, in: object) { return }
      guard let elements = DynamicContainer.elements(given) else { throw wrong(given, property, number, "") }
      if case .array(_, let identity)? = DynamicContainer.of(given) { try note(identity, property, number) }
      var values: [Any] = []
      values.reserveCapacity(elements.count)
      for (position, value) in elements.enumerated() {
        values.append(try prepared(element: value, property, number, "[\(position)]"))
      }
      isDone = property.set(values, in: object)
    case .dictionary:
      if isCollection(given), property.set(given, in: object) { return }
      guard let (dictionary, identity) = Self.dictionary(given) else { throw wrong(given, property, number, "") }
      try note(identity, property, number)
      var values: [String: Any] = [:]
      for key in dictionary.keys.sorted() {
        do throws(CopyError) {
          try MapKeys.check(key, path(number) + "." + property.name)
        } catch {
          throw Realm.Error(error)
        }
        if let value = dictionary[key] {
          values[key] = try prepared(element: value, property, number, "['\(PlanPath.shortened(key))']")
        }
      }
      isDone = property.set(values, in: object)
    }
    if !isDone { throw wrong(given, property, number, "") }
  }

  /// Enters the container of a collection's elements into `containers`.
  private mutating func note(_ identity: ContainerIdentity?, _ property: ModelProperty, _ number: Int) throws {
    do throws(ContainerPaths.Refusal) {
      _ = try containers.enter(identity, below: tasks[number].container)
    } catch {
      throw Realm.Error(error.error(", at \(path(number)).\(property.name)"))
    }
  }

  /// The entries of a dictionary or a map.
  private static func dictionary(_ value: Any) -> ([String: Any], ContainerIdentity?)? {
    func entries<M: RealmKeyedCollection>(of map: M) -> [String: Any] {
      Dictionary(zip(map.keys.lazy.map { "\($0)" }, map.values.lazy.map { $0 as Any })) { $1 }
    }
    if let map = value as? any RealmKeyedCollection { return (entries(of: map), nil) }
    guard case .dictionary(let dictionary, let identity)? = DynamicContainer.of(value) else { return nil }
    return (dictionary, identity)
  }

  private func isCollection(_ value: Any) -> Bool { DynamicValue.isObject(value) && value is CollectionBase }

  /// Prepares an element and checks its type, so that an error names the element's position.
  private mutating func prepared(
    element value: Any, _ property: ModelProperty, _ number: Int, _ part: String
  ) throws -> Any {
    let ready = try prepared(value, property, number, part)
    // A property of a mapped type reads null as its default, and so does a map; an element of a list cannot be null.
    let isRefused = property.facts.isMapped && property.facts.shape != .dictionary && DynamicValue.isNull(ready)
    guard !isRefused, property.facts.element?._encodeAny(ready) != nil else {
      throw wrong(value, property, number, part)
    }
    return ready
  }

  /// The object that is made for a nested dictionary or array where an object is expected; else the value itself.
  private mutating func prepared(
    _ value: Any, _ property: ModelProperty, _ number: Int, _ part: String
  ) throws -> Any {
    guard property.facts.kind == .link, let target = property.facts.target else { return value }
    let object = Self.object(in: value)
    // An object of the expected class is used directly. Any other object is read by the names of its properties, once.
    if let object, type(of: object) == target { return object }
    if let object, let made = foreignObjects[ForeignObject(object, target)] { return made }
    if let source = try Self.source(value, target) {
      let made = target.init()
      if let object { foreignObjects[ForeignObject(object, target)] = made }
      try add(made, source, number, "." + property.name + part)
      return made
    }
    return value
  }

  // MARK: Errors

  private func path(_ number: Int) -> String { PlanPath.join(parts(number)) }

  private func parts(_ number: Int) -> [String] {
    var parts: [String] = []
    var number = number
    while number >= 0 {
      parts.append(tasks[number].part)
      number = tasks[number].parent
    }
    return parts.reversed()
  }

  private func wrong(_ value: Any, _ property: ModelProperty, _ number: Int, _ part: String) -> Realm.Error {
    let expected = property.declaredWords(isElement: !part.isEmpty)
    var words = DynamicValue.words(value)
    var location = "\(path(number)).\(property.name)\(part)"
    if property.facts.kind == .any {
      // The invalid part may be deep inside the value.
      do throws(DynamicNest.Refusal) {
        _ = try DynamicNest.reading(value)
      } catch {
        location += error.path
        switch error.reason {
        case .container(let refusal): return Realm.Error(refusal.error(", at \(location)"))
        case .unholdable(let inner): words = inner
        }
      }
    }
    return Realm.Error(.invalidValue, "Invalid value \(words) for property '\(location)': expected \(expected).")
  }
}

extension Object {
  /// Makes an unmanaged object from a value.
  ///
  ///     let dog = Dog(value: ["name": "Rex", "age": 3])
  ///     let other = Dog(value: ["Rufus", 5])
  ///
  /// `value` can be a dictionary with property names as keys. Missing keys mean the declared default, and unknown keys
  /// are ignored. It can be an array with one value for each property, in the order of their declarations. It can be an
  /// object, whose nil properties are skipped. Nested objects are stored by reference; nested dictionaries and arrays
  /// become objects.
  ///
  /// An invalid value does not trap: the object then has its defaults, and adding it to a realm fails with the error.
  /// Use `init(validating:)` to get the error at once.
  ///
  /// - Parameter value: a dictionary, an array or an object.
  /// - Complexity: linear in the values.
  public convenience init(value: Any) {
    self.init()
    fill(value)
  }

  /// Makes an unmanaged object from a value; see `init(value:)`.
  ///
  ///     do {
  ///       let dog = try Dog(validating: ["name": "Rex", "age": "three"])
  ///       print(dog.name)
  ///     } catch {
  ///       print(error)
  ///     }
  ///
  /// - Parameter value: a dictionary, an array or an object.
  /// - Throws: `Realm.Error` with class, path and value when the value is invalid.
  /// - Complexity: linear in the values.
  public convenience init(validating value: Any) throws {
    self.init()
    try ObjectBuilder.fill(self, value)
  }
}

extension EmbeddedObject {
  /// Makes an unmanaged object from a value; see `Object.init(value:)`.
  ///
  ///     let address = Address(value: ["street": "Elm Street", "city": "Rome"])
  public convenience init(value: Any) {
    self.init()
    fill(value)
  }

  /// Makes an unmanaged object from a value; see `Object.init(validating:)`.
  ///
  ///     if let address = try? Address(validating: ["city": "Rome"]) { print(address.city) }
  ///
  /// - Parameter value: a dictionary, an array or an object.
  /// - Throws: `Realm.Error` with class, path and value when the value is invalid.
  public convenience init(validating value: Any) throws {
    self.init()
    try ObjectBuilder.fill(self, value)
  }
}

extension AsymmetricObject {
  /// Makes an unmanaged object from a value; see `Object.init(value:)`.
  ///
  ///     let sighting = Sighting(value: ["place": "Rome"])
  public convenience init(value: Any) {
    self.init()
    fill(value)
  }

  /// Makes an unmanaged object from a value; see `Object.init(validating:)`.
  ///
  ///     if let sighting = try? Sighting(validating: ["place": "Rome"]) { print(sighting.place) }
  ///
  /// - Parameter value: a dictionary, an array or an object.
  /// - Throws: `Realm.Error` with class, path and value when the value is invalid.
  public convenience init(validating value: Any) throws {
    self.init()
    try ObjectBuilder.fill(self, value)
  }
}

extension ObjectBase {
  /// Sets the properties of a new object from a value. If the value is invalid, only the error is recorded.
  final func fill(_ value: Any) {
    do {
      try ObjectBuilder.fill(self, value)
    } catch {
      // Properties that were set before the error get the values of a new object again.
      let fresh = type(of: self).init()
      let model = ModelClass.of(type(of: self))
      for property in model.properties where property.isStored {
        _ = property.set(property.value(in: fresh), in: self)
      }
      note(error)
    }
  }
}
