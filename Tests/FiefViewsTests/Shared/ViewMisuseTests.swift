import Foundation
import RealmSwift
import Testing

@Suite("Misuse of wrappers and bindings")
struct ViewMisuseTests {
  @Test func `writing to the frozen value traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      struct Row { @ObservedRealmObject var pond: Pond }
      let realm = try Realm.ponds(Pond(1, "Mere"))
      Row(pond: realm.objects(Pond.self)[0]).pond.name = "Tarn"
    }
    #expect(words(of: result).contains("frozen"))
  }

  @Test func `binding an object that was deleted traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let realm = try Realm.ponds(Pond(1, "Mere"))
      let frozen = realm.objects(Pond.self)[0].freeze()
      try realm.write { realm.deleteAll() }
      _ = frozen.bind(\.name)
    }
    #expect(words(of: result).contains("was deleted cannot be bound"))
  }

  @Test func `removing an unmanaged object from results traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      struct Ponds {
        @ObservedResults(Pond.self, configuration: .inMemory(objectTypes: [Pond.self, Fish.self, Shore.self])) var ponds
      }
      Ponds().$ponds.remove(Pond(1, "Mere"))
    }
    #expect(words(of: result).contains("An unmanaged object cannot be removed from results"))
  }

  @Test func `sections by a block without an order trap`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      struct Ponds {
        @ObservedSectionedResults(
          Pond.self, sectionBlock: { $0.name }, sortDescriptors: [],
          configuration: .inMemory(objectTypes: [Pond.self, Fish.self, Shore.self])) var ponds
      }
      _ = Ponds().ponds
    }
    #expect(words(of: result).contains("at least one sort descriptor"))
  }

  @Test func `a realm that cannot be opened traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      struct Ponds {
        @ObservedResults(Pond.self, configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: "/dev/null/x")))
        var ponds
      }
      _ = Ponds().ponds
    }
    #expect(words(of: result).contains("The realm of a view could not be opened"))
  }

  private func words(of result: ExitTest.Result?) -> String {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
  }
}
