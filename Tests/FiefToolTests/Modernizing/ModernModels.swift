// swift-format-ignore-file
import Foundation
import RealmSwift

/// What a dog can be.
enum Mood: Int, PersistableEnum {
  case calm, wild
}

/* A comment with a { brace and a "quote. */
final class OldDog: Object {
  /// The number.
  @Persisted(primaryKey: true) var id = 0  // unique
  @Persisted(indexed: true) public var name: String = "a \("}")"
  @Persisted(indexed: true)
  var born: Date? = nil {
    didSet { print("born {", born as Any) }
  }
  @Persisted private(set) var token: String = {
    let words = ["x", "y"]
    return words.joined(separator: "}")
  }()
  @Persisted var mood: Mood = .calm
  @Persisted var owner: OldPerson?
  var cache = ""
  @Persisted var age: Int?
  @Persisted var weight: Double? = 1.5
  @Persisted var rest: AnyRealmValue
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<OldPerson>

  var isOld: Bool { (age ?? 0) > 9 }

  func grow() {
    self.age = (self.age ?? 0) + 1
  }

  // MARK: Realm
}

class OldPerson: Object {
  @Persisted var name = ""
  @Persisted(primaryKey: true) public var code = UUID().uuidString
  @Persisted public var dogs: List<OldDog>
  @Persisted var tags: MutableSet<String>
  @Persisted var sizes: Map<String, Int?>
  var address: OldAddress? { nil }
  #if DEBUG
    @Persisted var note: String? = nil
  #endif

  /// An address.
  class OldAddress: EmbeddedObject { @Persisted var city = ""; @Persisted var lines: List<String> }
}

class OldBox<Element>: RealmSwift.Object where Element: Equatable {
  @Persisted var count: Int = [1, 2].map { $0 * 2 }.count
  var element: Element?
}

struct Plain { var x = 1 }
