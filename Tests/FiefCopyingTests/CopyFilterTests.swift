import FiefCopying
import Testing

@Suite struct CopyFilterTests {
  private func allowed(_ filter: CopyFilter, _ className: String = "Dog") -> [String] {
    ["name", "age", "owner"].filter { filter.allows(className, $0) }
  }

  @Test func rulesOfOneClassCombine() {
    let only = CopyFilter.all.adding("Dog", ["name", "age"], isOnly: true)
    let except = CopyFilter.all.adding("Dog", ["age"], isOnly: false)
    #expect(allowed(only) == ["name", "age"] && allowed(except) == ["name", "owner"])
    #expect(allowed(only.adding("Dog", ["age", "owner"], isOnly: true)) == ["age"])
    #expect(allowed(only.adding("Dog", ["age"], isOnly: false)) == ["name"])
    #expect(allowed(except.adding("Dog", ["owner"], isOnly: false)) == ["name"])
    #expect(allowed(except.adding("Dog", ["age", "owner"], isOnly: true)) == ["owner"])
  }

  @Test func otherClassesAreCopiedWhole() {
    let filter = CopyFilter.all.adding("Dog", [], isOnly: true)
    #expect(allowed(filter).isEmpty && allowed(filter, "Cat").count == 3)
    #expect(CopyFilter.all.isAll && !filter.isAll)
  }

  @Test func aConditionSeesClassAndProperty() {
    let filter = CopyFilter.matching { className, property in className == "Dog" && property != "age" }
    #expect(allowed(filter) == ["name", "owner"] && allowed(filter, "Cat").isEmpty)
  }

  @Test func aCopyIsWholeWithoutALimitOrAFilter() {
    #expect(CopyOptions().isWhole && CopyOptions(cycles: .refuse, keys: .merge).isWhole)
    #expect(!CopyOptions(depth: 3).isWhole && !CopyOptions(properties: .matching { _, _ in true }).isWhole)
  }
}
