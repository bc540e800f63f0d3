import FiefTestSupport
import RealmSwift
import Testing

private class Counter: Object {
  @Persisted var number = 1
  @Persisted var text = ""
  @Persisted var values: List<Int>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  convenience init(number: Int) {
    self.init()
    self.number = number
  }

  /// Changes the property that its caller is changing.
  func increment() -> Int {
    number += 1
    return number
  }
}

private class LaterCounter: Counter {
  @Persisted var later = "declared"

  required init() {
    later = "before"
    super.init()
    later += ", after"
  }
}

@Suite struct PersistedAccessTests {
  @Test(arguments: [false, true]) func aValueMayBeComputedByCodeThatChangesTheProperty(isManaged: Bool) throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Counter.self]))
    let counter = Counter(number: 5)
    realm.beginWrite()
    if isManaged { realm.add(counter) }
    counter.number += counter.increment()
    #expect(counter.number == 12)
    swap(&counter.number, &counter.number)
    #expect(counter.number == 12)
    realm.cancelWrite()
  }

  @Test func anInitializerSetsBeforeAndAfterTheObjectIsThere() {
    #expect(LaterCounter().later == "before, after")
  }

  @Test func aPropertyOfAnObjectThatIsHeldByConstantsCanBeSet() {
    let counters = (Counter(), [Counter()])
    counters.0.text = "first"
    counters.1[0].text = "second"
    counters.0.values.append(1)
    #expect(counters.0.text == "first" && counters.1[0].text == "second" && counters.0.values.count == 1)
  }

  @Test func aWrapperOfNoObjectCannotBeSet() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let wrapper = Persisted(wrappedValue: 3)
      print(wrapper.wrappedValue)
      wrapper.wrappedValue = 4
    }
    expectSentence("in a @Persisted wrapper that belongs to no object", of: result)
  }
}
