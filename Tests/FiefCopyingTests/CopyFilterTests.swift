import FiefCopying
import FiefGraph
import Testing

@Suite struct CopyFilterTests {
  private let dog = Self.rowClass("Dog", ["name", "age", "owner"])
  private let cat = Self.rowClass("Cat", ["name", "age", "owner"])
  private let puppy = Self.rowClass("Puppy", ["name", "age", "owner", "toy"], above: ["Dog", "Animal"])

  private static func rowClass(_ name: String, _ properties: [String], above: [String] = []) -> RowClass {
    let properties = properties.enumerated().map { number, name in
      RowProperty(
        number: number, name: name, type: ColumnType(.int), isPrimaryKey: false, embedsTarget: false,
        startsEmpty: false, targetName: nil, targetTypeName: "Int")
    }
    return RowClass(name: name, superclasses: above, kind: .ordinary, table: nil, all: ContiguousArray(properties))
  }

  private func allowed(_ filter: CopyFilter, _ rowClass: RowClass? = nil) -> [String] {
    let rowClass = rowClass ?? dog
    return rowClass.all.map(\.name).filter { filter.allows(rowClass, $0) }
  }

  @Test func rulesOfOneClassCombine() {
    let only = CopyFilter.all.adding(dog, ["name", "age"], isOnly: true)
    let except = CopyFilter.all.adding(dog, ["age"], isOnly: false)
    #expect(allowed(only) == ["name", "age"] && allowed(except) == ["name", "owner"])
    #expect(allowed(only.adding(dog, ["age", "owner"], isOnly: true)) == ["age"])
    #expect(allowed(only.adding(dog, ["age"], isOnly: false)) == ["name"])
    #expect(allowed(except.adding(dog, ["owner"], isOnly: false)) == ["name"])
    #expect(allowed(except.adding(dog, ["age", "owner"], isOnly: true)) == ["owner"])
  }

  @Test func otherClassesAreCopiedWhole() {
    let filter = CopyFilter.all.adding(dog, [], isOnly: true)
    #expect(allowed(filter).isEmpty && allowed(filter, cat).count == 3)
    #expect(CopyFilter.all.isAll && !filter.isAll)
  }

  @Test func aRuleHoldsForWhatSubclassesInherit() {
    let only = CopyFilter.all.adding(dog, ["name", "age"], isOnly: true)
    #expect(allowed(only, puppy) == ["name", "age", "toy"] && allowed(only, cat).count == 3)
    #expect(allowed(CopyFilter.all.adding(dog, ["age"], isOnly: false), puppy) == ["name", "owner", "toy"])
    #expect(allowed(only.adding(puppy, ["age", "owner"], isOnly: true), puppy) == ["age"])
    #expect(allowed(only.adding(puppy, [], isOnly: true)) == ["name", "age"])
  }

  @Test func aConditionSeesClassAndProperty() {
    let filter = CopyFilter.matching { className, property in className == "Dog" && property != "age" }
    #expect(allowed(filter) == ["name", "owner"] && allowed(filter, cat).isEmpty)
  }

  @Test func aCopyIsWholeWithoutALimitOrAFilter() {
    #expect(CopyOptions().isWhole && CopyOptions(cycles: .refuse, keys: .merge).isWhole)
    #expect(!CopyOptions(depth: 3).isWhole && !CopyOptions(properties: .matching { _, _ in true }).isWhole)
  }
}
