// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import RealmSwift

// What libraries export around their models: parameters with defaults, generic functions, inlined code.

@MainActor
public func open(_ models: [ObjectBase.Type]? = nil, level: LogLevel = .error) async throws -> Realm {
  Logger.shared.level = level
  return try await Realm.open(configuration: .init(inMemoryIdentifier: "kennel", objectTypes: models))
}

public func copy(
  _ dog: Dog, to realm: Realm, cycles: CopyCycles = .refuse, keys: CopyKeys = .keep
) -> Dog {
  realm.copy(dog, cycles: cycles, keys: keys)
}

public func soundness(of url: URL) throws -> StoreReport { try Realm.verify(fileURL: url) }

public func dogs(_ sex: Sex, in realm: Realm, from least: Size = .small) -> Results<Dog> {
  realm.objects(Dog.self).where { $0.sex == sex && $0.sex.rawValue != "x" }
}

public func counts<T: Object>(_ type: T.Type, in realm: Realm, where condition: (Query<T>) -> Query<Bool>) -> Int {
  realm.objects(type).where(condition).count
}

public func first<Element: RealmCollectionValue>(_ collection: AnyRealmCollection<Element>) -> Element? {
  collection.first
}

public func raw<T: PersistableEnum>(_ value: T) -> T.RawValue { value.rawValue }

@inlinable
public func older(_ dogs: Results<Dog>, than age: Int = 3) -> Int {
  dogs.where { $0.age > age && $0.sex.in([.female, .male]) && $0.home.city != "" }.sorted(by: \.name).count
}

@inlinable
public func rename(_ dog: Dog, to name: String) throws {
  guard let realm = dog.realm else { return }
  try realm.write { dog.name = name }
}

@inlinable
public func names(_ person: Person) -> [String] { person.dogs.map(\.name) }

@inlinable
public func observe(_ dog: Dog, _ block: @escaping (ObjectChange<Dog>) -> Void) -> NotificationToken {
  dog.observe(block)
}

@inlinable
public func store(_ sex: Sex, in dog: Dog) { dog.sex = sex }
