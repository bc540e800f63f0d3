import FiefObjects

/// One property of all elements of a collection, as a collection.
///
///     let names = person.dogs.projectTo.name        // ProjectedCollection<String>
///     print(names.joined(separator: ", "))
///
/// Nothing is copied: each read takes the value from its object.
public struct ProjectedCollection<Element: RealmCollectionValue>: RandomAccessCollection, CustomStringConvertible,
  ThreadConfined
{
  private let objects: any RealmCollection
  /// A `KeyPath` from an object to its value.
  private let keyPath: AnyKeyPath

  fileprivate init(_ objects: any RealmCollection, _ keyPath: AnyKeyPath) {
    self.objects = objects
    self.keyPath = keyPath
  }

  /// The realm that the objects belong to; nil when they are unmanaged.
  public var realm: Realm? { objects.realm }

  /// Whether the collection of objects can no longer be used.
  public var isInvalidated: Bool { objects.isInvalidated }

  /// Returns the counterpart in another realm of its store; nil when it does not exist there.
  public func _resolved(in realm: Realm) -> ProjectedCollection? {
    objects._resolved(in: realm).map { ProjectedCollection($0, keyPath) }
  }

  /// The collection of objects.
  var core: ResultsStorage {
    func core<Objects: RealmCollection>(of objects: Objects) -> ResultsStorage { objects._asResults().core }
    return core(of: objects)
  }

  /// The name of the property.
  var name: String {
    func name<Root: _ObjectRepresentable>(at root: Root.Type) -> String? {
      (keyPath as? PartialKeyPath<Root>).map { _name(for: $0) }
    }
    guard let root = type(of: keyPath).rootType as? any _ObjectRepresentable.Type, let name = name(at: root) else {
      fatalError("A key path of something else than an object was projected.")
    }
    return name
  }

  /// The position of the first element, always 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: the number of elements.
  public var endIndex: Int { objects.count }

  /// The property's value in the object at a position, 0..<count. Traps when the position is out of range.
  ///
  /// Assigning sets the property of that object, in a write transaction; traps when the property is read-only.
  ///
  ///     var names = person.dogs.projectTo.name
  ///     try realm.write { names[0] = "Rex" }
  ///
  /// - Complexity: that of reading an element of the projected collection.
  public subscript(position: Int) -> Element {
    get {
      func value<Objects: RealmCollection>(in objects: Objects) -> Element {
        guard let keyPath = keyPath as? KeyPath<Objects.Element, Element> else {
          fatalError("A key path was used for objects of another class.")
        }
        return objects[position][keyPath: keyPath]
      }
      return value(in: objects)
    }
    set {
      func set<Objects: RealmCollection>(in objects: Objects) {
        guard let keyPath = keyPath as? ReferenceWritableKeyPath<Objects.Element, Element> else {
          fatalError("The property '\(name)' of a projected collection can only be read: change it on the objects.")
        }
        objects[position][keyPath: keyPath] = newValue
      }
      set(in: objects)
    }
  }

  /// The position of the first value that equals `object`, or nil.
  ///
  ///     let position = person.dogs.projectTo.name.index(of: "Rex")
  ///
  /// - Complexity: O(n).
  public func index(of object: Element) -> Int? { firstIndex(of: object) }

  /// The type and at most 100 of the values, one a line.
  ///
  ///     ProjectedCollection<String> {
  ///     	[0] Rex
  ///     }
  public var description: String {
    let name = "ProjectedCollection<\(Element.self)>"
    if isInvalidated { return "[invalid \(name)]" }
    var lines = prefix(ObjectDescription.longest).enumerated().map {
      "\t[\($0)] \(ObjectDescription.indented("\($1)"))\n"
    }
    if count > lines.count { lines.append("\t... \(count - lines.count) objects skipped.\n") }
    return "\(name) {\n\(lines.joined())}"
  }
}

/// Makes projected collections of the properties of a collection's elements: `dogs.projectTo.name`.
///
///     let mapper = person.dogs.projectTo
///     print(Array(mapper.name), mapper.age.max() ?? 0)
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase> {
  let collection: any RealmCollection<Element>
  let isTracing: Bool

  /// The values of a property of all elements; a key path over links is one too.
  ///
  ///     let colors = person.dogs.projectTo[dynamicMember: \.toy?.color]          // ProjectedCollection<String?>
  public subscript<Value: RealmCollectionValue>(dynamicMember keyPath: KeyPath<Element, Value>) -> ProjectedCollection<
    Value
  > {
    // For a tracing collection, this read records the property's name.
    if isTracing { _ = collection[0][keyPath: keyPath] }
    return ProjectedCollection(collection, keyPath)
  }
}

extension RealmCollection where Self: CollectionBase, Element: ObjectBase {
  /// A mapper to one property of all elements.
  ///
  ///     let ages = person.dogs.projectTo.age        // ProjectedCollection<Int>
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(collection: self, isTracing: isTraced)
  }
}
