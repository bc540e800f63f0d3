import Foundation

/// Classes in older declarations, and what they become.
enum OlderModels {
  static let older = #"""
    // swift-format-ignore-file
    import Foundation
    import RealmSwift

    /// What a dog can be.
    @objc enum Mood: Int, RealmEnum {
      case calm, wild
    }

    /* A comment with a { brace and a "quote. */
    final class OldDog: Object {
      /// The number.
      @objc dynamic var id = 0  // unique
      @objc dynamic public var name: String = "a \("}")"
      @objc
      dynamic
      var born: Date? = nil {
        didSet { print("born {", born as Any) }
      }
      @objc dynamic private(set) var token: String = {
        let words = ["x", "y"]
        return words.joined(separator: "}")
      }()
      @objc dynamic var mood: Mood = .calm
      @objc dynamic var owner: OldPerson?
      @objc dynamic var cache = ""
      let age = RealmOptional<Int>()
      let weight = RealmOptional<Double>(1.5)
      let rest = RealmProperty<AnyRealmValue>()
      let owners = LinkingObjects(fromType: OldPerson.self, property: "dogs")

      var isOld: Bool { (age.value ?? 0) > 9 }

      func grow() {
        self.age.value = (self.age.value ?? 0) + 1
      }

      // MARK: Realm

      override static func primaryKey() -> String? {
        return "id"
      }

      override class func indexedProperties() -> [String] { ["name", "born"] }

      override class func ignoredProperties() -> [String] {
        return ["cache"]
      }
    }

    @objcMembers class OldPerson: Object {
      dynamic var name = ""
      dynamic public var code = UUID().uuidString
      public let dogs = List<OldDog>()
      let tags: MutableSet<String> = MutableSet()
      let sizes = Map<String, Int?>()
      var address: OldAddress? { nil }
      #if DEBUG
        dynamic var note: String? = nil
      #endif

      /// An address.
      class OldAddress: EmbeddedObject { @objc dynamic var city = ""; let lines = List<String>() }

      override class func primaryKey() -> String? { #keyPath(OldPerson.code) }
    }

    class OldBox<Element>: RealmSwift.Object where Element: Equatable {
      @objc dynamic var count: Int = [1, 2].map { $0 * 2 }.count
      var element: Element?
    }

    struct Plain { var x = 1 }

    """#

  /// The outcome: the text of `ModernModels.swift`, whose code is part of these tests, and so compiles.
  static func modern() throws -> String {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("ModernModels.swift")
    return try String(contentsOf: file, encoding: .utf8)
  }
}
