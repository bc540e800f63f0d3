import RealmSwift
import Testing

@available(*, deprecated)
private enum Lamp: Int, RealmEnum {
  case off, on
}

/// Something that uses older names: asked for through a protocol it gives no warning.
private protocol Older {
  func cases() -> [Int]
}

private struct OlderLamp: Older {
  @available(*, deprecated)
  func cases() -> [Int] {
    func rawValues<E: PersistableEnum>(_: E.Type) -> [E.RawValue] { E.allCases.map(\.rawValue) }
    return rawValues(Lamp.self)
  }
}

@Suite struct OlderEnumNameTests {
  @Test func anEnumUnderTheOlderNameIsOneThatCanBeAProperty() {
    let lamp: any Older = OlderLamp()
    #expect(lamp.cases() == [0, 1])
  }
}
