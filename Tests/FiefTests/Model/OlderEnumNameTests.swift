import RealmSwift
import Testing

private enum Lamp: Int, RealmEnum {
  case off, on
}

@Suite struct OlderEnumNameTests {
  @Test func anEnumUnderTheOlderNameIsOneThatCanBeAProperty() {
    func rawValues<E: PersistableEnum>(_: E.Type) -> [E.RawValue] { E.allCases.map(\.rawValue) }
    #expect(rawValues(Lamp.self) == [0, 1])
  }

  @Test func constraintsByTheOlderNameTakeEnumsOfBoth() {
    enum Colour: String, PersistableEnum { case red, green }
    func first<E: RealmEnum>(_: E.Type) -> E? { E.allCases.first }
    #expect(first(Lamp.self) == .off && first(Colour.self) == .red)
  }
}
