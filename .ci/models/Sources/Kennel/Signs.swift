// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation
public import RealmSwift

/// Classes whose values are structures, and whose keys the realm hands out.
public class Sign: Object {
  @Persisted(primaryKey: .increasing) public var number: Int
  @Persisted public var text = ""
  @Persisted public var area: Area
  @Persisted public var outline: Outline?
  @Persisted public var link: URL?
  @Persisted public var links: List<URL>
  @Persisted public var home = URL(string: "https://example.org")!
  @Persisted public var earlier: List<Area>
  @Persisted public var labels: MutableSet<String>
  @Persisted public var readers: Map<String, Int>
  @Persisted public var next: Sign?
}

public struct Area: PersistableCodable, Equatable, Sendable {
  public var width = 1.0
  public var height = 1.0

  public init() {}
  public init(_ width: Double, _ height: Double) { (self.width, self.height) = (width, height) }
}

public enum Outline: PersistableCodable, Equatable, Sendable {
  case none
  case round(radius: Double)

  public init() { self = .none }
}

// A mapping of the application's own, which takes the place of the library's.
extension URL: @retroactive FailableCustomPersistable {
  public typealias PersistedType = String

  public init?(persistedValue: String) {
    guard persistedValue.hasPrefix("<") else { return nil }
    self.init(string: String(persistedValue.dropFirst().dropLast()))
  }

  public var persistableValue: PersistedType { "<\(absoluteString)>" }
}

/// The signs of a store, for asynchronous code.
public final class SignBoard: Sendable {
  public let store: RealmStore

  public init(_ configuration: Realm.Configuration) async throws {
    store = try await RealmStore(configuration: configuration)
  }

  public func add(_ text: String, _ area: Area) async throws -> Frozen<Sign> {
    try await store.write { realm in
      let sign = realm.create(Sign.self, value: ["text": text])
      sign.area = area
      return sign
    }
  }

  public func wide(than width: Double) async throws -> Frozen<Results<Sign>> {
    try await store.read { realm in
      realm.objects(Sign.self).where { $0.area["width"] > .double(width) }.sorted(by: [\.text, \.number])
    }
  }

  public var count: RealmStore.Values<Int, Never> { store.values { realm in realm.objects(Sign.self).count } }
}
