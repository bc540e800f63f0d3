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
  private let box: ProjectionBox<Element>

  fileprivate init(_ box: ProjectionBox<Element>) { self.box = box }

  init<Root: ObjectBase>(_ base: AnyRealmCollection<Root>, _ keyPath: KeyPath<Root, Element>) {
    box = PropertyProjection(base, keyPath)
  }

  /// The realm that the objects belong to; nil when they are unmanaged.
  public var realm: Realm? { box.realm }

  /// Whether the collection of objects can no longer be used.
  public var isInvalidated: Bool { box.isInvalidated }

  /// Whether the objects are frozen.
  public var isFrozen: Bool { box.isFrozen }

  /// Returns a frozen counterpart at the current version, readable from any thread. Traps when the objects are
  /// unmanaged.
  ///
  ///     let before = person.dogs.projectTo.name.freeze()
  public func freeze() -> ProjectedCollection { ProjectedCollection(box.freeze()) }

  /// Returns the live counterpart in the realm of the current thread; nil when it does not exist there. Traps when the
  /// objects are unmanaged.
  ///
  ///     let frozen = person.dogs.projectTo.name.freeze()
  ///     if let names = frozen.thaw() { print(names.count) }
  public func thaw() -> ProjectedCollection? { box.thaw().map { ProjectedCollection($0) } }

  /// Returns the counterpart in another realm of its store; nil when it does not exist there.
  public func _resolved(in realm: Realm) -> ProjectedCollection? { box.seen(in: realm).map { ProjectedCollection($0) } }

  /// The collection of objects.
  var core: ResultsStorage { box.core }

  /// The name of the property.
  var name: String { box.name }

  /// The position of the first element, always 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: the number of elements.
  public var endIndex: Int { box.count }

  /// The property's value in the object at a position, 0..<count. Traps when the position is out of range.
  ///
  /// Assigning sets the property of that object, in a write transaction; traps when the property is read-only.
  ///
  ///     var names = person.dogs.projectTo.name
  ///     try realm.write { names[0] = "Rex" }
  ///
  /// - Complexity: that of reading an element of the projected collection.
  public subscript(position: Int) -> Element {
    get { box.element(at: position) }
    set { box.set(newValue, at: position) }
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
  let collection: AnyRealmCollection<Element>
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

extension List where Element: ObjectBase {
  /// A mapper to one property of all elements.
  ///
  ///     let ages = person.dogs.projectTo.age        // ProjectedCollection<Int>
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(collection: AnyRealmCollection(self), isTracing: isTraced)
  }
}

extension MutableSet where Element: ObjectBase {
  /// A mapper to one property of all elements.
  ///
  ///     let ages = person.dogs.projectTo.age        // ProjectedCollection<Int>
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(collection: AnyRealmCollection(self), isTracing: isTraced)
  }
}

/// A type-erased projection.
private class ProjectionBox<Element: RealmCollectionValue> {
  var realm: Realm? { abstract() }
  var isInvalidated: Bool { abstract() }
  var isFrozen: Bool { abstract() }
  var count: Int { abstract() }
  func freeze() -> ProjectionBox { abstract() }
  func thaw() -> ProjectionBox? { abstract() }
  func element(at position: Int) -> Element { abstract() }
  func set(_ value: Element, at position: Int) { abstract() }
  func seen(in realm: Realm) -> ProjectionBox? { abstract() }
  var core: ResultsStorage { abstract() }
  var name: String { abstract() }

  private func abstract() -> Never { fatalError("A box without a collection was used.") }
}

private final class PropertyProjection<Root: ObjectBase, Value: RealmCollectionValue>: ProjectionBox<Value> {
  let base: AnyRealmCollection<Root>
  let keyPath: KeyPath<Root, Value>

  init(_ base: AnyRealmCollection<Root>, _ keyPath: KeyPath<Root, Value>) {
    self.base = base
    self.keyPath = keyPath
  }

  override var realm: Realm? { base.realm }
  override var isInvalidated: Bool { base.isInvalidated }
  override var isFrozen: Bool { base.isFrozen }
  override var count: Int { base.count }
  override func freeze() -> ProjectionBox<Value> { PropertyProjection(base.freeze(), keyPath) }
  override func thaw() -> ProjectionBox<Value>? { base.thaw().map { PropertyProjection($0, keyPath) } }
  override func element(at position: Int) -> Value { base[position][keyPath: keyPath] }
  override func set(_ value: Value, at position: Int) {
    guard let keyPath = keyPath as? ReferenceWritableKeyPath<Root, Value> else {
      fatalError("The property '\(name)' of a projected collection can only be read: change it on the objects.")
    }
    base[position][keyPath: keyPath] = value
  }
  override func seen(in realm: Realm) -> ProjectionBox<Value>? {
    base._resolved(in: realm).map { PropertyProjection($0, keyPath) }
  }
  override var core: ResultsStorage { base._asResults().core }
  override var name: String { _name(for: keyPath as PartialKeyPath<Root>) }
}
