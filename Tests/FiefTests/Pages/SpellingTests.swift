import RealmSwift
import Testing

// Unchanged declarations from the sources of applications and libraries. Mainly, these tests check that they compile.

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted var scores: List<Int?>
}

private enum Size: String, PersistableEnum { case small, large }

// A projection that describes itself.
private class DogView: Projection<Dog> {
  @Projected(\Dog.name) var name
  override var description: String { "DogView(\(name))" }
}

// A class that defines its equality, as it did when it derived from NSObject.
private class Person: Object {
  @Persisted(primaryKey: true) var id = ""

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? Person else { return super.isEqual(object) }
    return id == other.id
  }

  override var hash: Int {
    var hasher = Hasher()
    hasher.combine(id)
    return hasher.finalize()
  }
}

// Names of earlier versions, for the types of sections.
@available(*, deprecated)
private struct OlderNames {
  var change: RealmSectionedResultsChange<SectionedResults<String, Dog>>?
  var sections: RLMSectionedResultsIterator<String, Dog>?
  var elements: RLMSectionIterator<Dog>?
}

// Declarations of libraries that make streams of changes from any collection.
private protocol NotificationEmitter {
  associatedtype ElementType: RealmCollectionValue
  func toArray() -> [ElementType]
  func toAnyCollection() -> AnyRealmCollection<ElementType>
}

extension List: NotificationEmitter {
  fileprivate func toArray() -> [Element] { Array(self) }
  fileprivate func toAnyCollection() -> AnyRealmCollection<Element> { AnyRealmCollection<Element>(self) }
}

extension Results: NotificationEmitter {
  /// Libraries repeat this declaration.
  public typealias ElementType = Element
  fileprivate func toArray() -> [Element] { Array(self) }
  fileprivate func toAnyCollection() -> AnyRealmCollection<Element> { AnyRealmCollection<Element>(self) }
}

extension LinkingObjects: NotificationEmitter {
  /// Libraries repeat this declaration.
  public typealias ElementType = Element
  fileprivate func toArray() -> [Element] { Array(self) }
  fileprivate func toAnyCollection() -> AnyRealmCollection<Element> { AnyRealmCollection<Element>(self) }
}

private func first<C: RealmCollection>(_ collection: C) -> C.ElementType? { collection.first }

private func oldest<C: RealmCollection>(_ dogs: C) -> Int? where C.ElementType == Dog { dogs.max(of: \.age) }

// Collections of optionals.
extension RealmCollection where Element: OptionalProtocol {
  fileprivate func present() -> [Element.Wrapped] {
    compactMap { element in element as? Element.Wrapped }
  }
}

private struct Reader<Value: _RealmCollectionValueInsideOptional> {
  var values = List<Value?>()
  var optional: Value? { values.first ?? nil }
}

// Values without their types.
private func untyped<Value: _ObjcBridgeable>(_ value: Value) -> Any { value._rlmObjcValue }

private func typed<Value: _ObjcBridgeable>(_ value: Any, as type: Value.Type) -> Value? {
  Value._rlmFromObjc(value, insideOptional: false)
}

// A controller with a token that exists from the start.
private final class Controller {
  var token = NotificationToken()
  deinit { token.invalidate() }
}

@Suite struct SpellingTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
  }

  @Test func aProjectionDescribesItself() {
    let dog = Dog(value: ["name": "Rex"])
    #expect("\(DogView(projecting: dog))" == "DogView(Rex)")
  }

  @Test func anOverrideOfEqualityCallsItsSuperclass() {
    let (a, b) = (Person(value: ["id": "x"]), Person(value: ["id": "x"]))
    #expect(a == b && Set([a, b]).count == 1 && !a.isEqual(Dog()) && a.hash == b.hash)
  }

  @Test func elementsAreNamedByTheirType() throws {
    let realm = try realm()
    try realm.write { realm.add(Dog(value: ["age": 3])) }
    let dogs = realm.objects(Dog.self)
    #expect(first(dogs)?.age == 3 && oldest(dogs) == 3)
    #expect(dogs.toArray().count == 1 && dogs.toAnyCollection().count == 1)
    #expect(List<Int>.ElementType.self == Int.self && List<Int>().toArray().isEmpty)
  }

  @Test func optionalsAreNamedByTheirProtocols() {
    let dog = Dog()
    dog.scores.append(objectsIn: [1, nil, 2])
    #expect(dog.scores.present() == [1, 2])
    #expect(Reader<Int>().optional == nil && Reader<Size>().optional == nil && Reader<Dog?.Wrapped>().optional == nil)
  }

  @Test func valuesAreSeenWithoutTheirTypes() {
    #expect(untyped(3) as? Int == 3 && untyped(Size.large) as? String == "large")
    #expect(untyped(AnyRealmValue.string("x")) as? String == "x" && untyped(AnyRealmValue.none) is NSNull)
    #expect(untyped(Int?.none) is NSNull && untyped(Int?.some(4)) as? Int == 4)
    #expect(typed("small", as: Size.self) == .small && typed("huge", as: Size.self) == nil)
    #expect(typed(NSNull(), as: Int?.self) == .some(nil) && typed(3, as: Int?.self) == 3)
  }

  @MainActor @Test func aTokenOfNothingIsInvalidatedWithoutEffect() throws {
    let controller = Controller()
    #expect(controller.token.invalidate() == false)
    let realm = try realm()
    controller.token = realm.observe { _, _ in }
    #expect(controller.token.invalidate() == true)
  }

  @Test func anOpeningTakesABlockForItsProgress() async {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Dog.self])
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      let queue = DispatchQueue(label: "opening")
      let task: Realm.AsyncOpenTask = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        #expect((try? result.get()) != nil)
        done.resume()
      }
      task.addProgressNotification(queue: .main) { progress in
        #expect(progress.fractionTransferred == 1 && progress.transferredBytes == 0 && progress.isTransferComplete)
      }
      task.addProgressNotification { _ in Issue.record("Nothing is downloaded.") }
    }
  }

  @Test func autoreleasePoolsGiveAndThrowWhatTheirBlocksDo() throws {
    struct Failure: Error {}
    let count = try autoreleasepool { () -> Int in
      let realm = try realm()
      return realm.objects(Dog.self).count
    }
    autoreleasepool { _ = Dog() }
    #expect(count == 0 && autoreleasepool { 3 } == 3)
    #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
  }
}
