import Fief
import FiefRuntime
import RealmSwift
import Testing

private class Inheriting: Object {
  @Persisted var number = 0
  func unrelated() {}
  override class func primaryKey() -> String? { nil }
  override var description: String { "Inheriting" }
  override var isInvalidated: Bool { false }
}

private class Comparing: Object {
  @Persisted var number = 0
  override func isEqual(_ object: Any?) -> Bool { super.isEqual(object) }
}

private class Hashed: EmbeddedObject {
  @Persisted var number = 0
  override var hash: Int { super.hash }
}

private class HeirOfComparing: Comparing {}

// Overrides are found in the metadata of classes; these tests fail if a toolchain changes its layout.
@Suite struct EqualityOverridesTests {
  @Test func theTwoMethodsAreFoundWhereMetadataCanBeRead() {
    #expect(EqualityOverrides.methods.offsets?.count == (MethodOverrides.isAvailable ? 2 : nil))
  }

  @Test func onlyOverridesOfTheTwoMethodsCount() {
    guard MethodOverrides.isAvailable else { return }
    #expect(!EqualityOverrides.exist(in: Inheriting.self) && !EqualityOverrides.exist(in: Object.self))
    #expect(EqualityOverrides.exist(in: Comparing.self) && EqualityOverrides.exist(in: HeirOfComparing.self))
    #expect(EqualityOverrides.exist(in: Hashed.self) && !EqualityOverrides.exist(in: EmbeddedObject.self))
  }
}
