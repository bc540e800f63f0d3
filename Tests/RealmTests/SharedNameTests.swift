import OtherNames
import Realm
import RealmSwift
import Testing

private class Hound: RealmSwiftObject {
  @Persisted var names: RealmSwift.List<String>
}

private class Kennel: RealmSwiftEmbeddedObject {
  @Persisted var city = ""
}

/// Modules of other people that declare names which this library declares, too.
@Suite struct SharedNameTests {
  @Test func namesOfOtherModulesAreNotHidden() {
    #expect(Logger(label: "walk").label == "walk")
    #expect(LogLevel(number: 1).number == 1)
    #expect(StoreInfo(street: "Elm Street").street == "Elm Street")
    #expect(RecoveryReport(day: 2).day == 2)
    #expect(CopyFilter(pages: 3).pages == 3)
    #expect(RLMNotificationToken(number: 4).number == 4)
  }

  @Test func bothAreNamedWithTheirModules() {
    let other: OtherNames.Logger = .init(label: "walk")
    let logger: RealmSwift.Logger = RealmSwift.Logger(level: .off) { _, _ in }
    let level: RealmSwift.LogLevel = logger.level
    #expect(other.label == "walk" && level == .off)
  }

  @Test func namesOfTheObjectiveCLibraryAreThere() {
    let hound: RLMObjectBase = Hound()
    let names = (hound as? Hound)?.value(forKey: "names")
    #expect(names is ListBase && names is RLMSwiftCollectionBase && (Kennel() as Any) is EmbeddedObject)
    func make<Value: _DefaultConstructible>(_ type: Value.Type) -> Value { Value() }
    #expect(make(String.self) == "" && make(Int.self) == 0)
  }
}
