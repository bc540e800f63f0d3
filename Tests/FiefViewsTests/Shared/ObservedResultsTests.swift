import Foundation
import RealmSwift
import Testing

@Suite("@ObservedResults")
@MainActor
struct ObservedResultsTests {
  struct Ponds {
    @ObservedResults var ponds: Results<Pond>

    init(_ realm: Realm, `where`: ((Query<Pond>) -> Query<Bool>)? = nil, sortedBy order: String? = nil) {
      _ponds = ObservedResults(
        Pond.self, configuration: realm.configuration, where: `where`,
        sortDescriptor: order.map { RealmSwift.SortDescriptor(keyPath: $0) })
    }

    @MainActor var names: [String] { ponds.map(\.name) }
  }

  @Test func `shows frozen results of the present version`() throws {
    let realm = try Realm.ponds(Pond(2, "Mere"), Pond(1, "Tarn"))
    let view = Ponds(realm)
    #expect(view.ponds.isFrozen && view.names == ["Mere", "Tarn"])
    try realm.write { realm.add(Pond(3, "Lake")) }
    #expect(view.names == ["Mere", "Tarn", "Lake"])
  }

  @Test func `selects and orders, and takes another condition and order`() throws {
    let realm = try Realm.ponds(Pond(2, "Mere"), Pond(1, "Tarn"), Pond(3, "Lake"))
    let view = Ponds(realm, where: { $0.key > 1 }, sortedBy: "name")
    #expect(view.names == ["Lake", "Mere"])
    view.$ponds.where = { $0.key < 3 }
    #expect(view.names == ["Mere", "Tarn"])
    view.$ponds.sortDescriptor = RealmSwift.SortDescriptor(keyPath: "name", ascending: false)
    #expect(view.names == ["Tarn", "Mere"] && view.$ponds.sortDescriptor?.ascending == false)
    view.$ponds.filter = NSPredicate(format: "key = %d", 3)
    #expect(view.names == ["Lake"] && view.$ponds.where == nil && view.$ponds.filter != nil)
    view.$ponds.where = nil
    view.$ponds.sortDescriptor = nil
    #expect(view.names == ["Mere", "Tarn", "Lake"] && view.$ponds.filter == nil)
  }

  @Test func `narrows by the text of a search field, beside the condition`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"), Pond(2, "Tarn"), Pond(3, "Mersey"))
    let view = Ponds(realm, where: { $0.key < 3 })
    view.$ponds.search("er", in: \.name)
    #expect(view.names == ["Mere"])
    view.$ponds.where = nil
    #expect(view.names == ["Mere", "Mersey"])
    view.$ponds.search("", in: \.name)
    #expect(view.names == ["Mere", "Tarn", "Mersey"])
  }

  @Test func `adds objects, and deletes those that are shown at the given positions`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"), Pond(2, "Tarn"), Pond(3, "Lake"))
    let view = Ponds(realm, sortedBy: "key")
    #expect(view.names.count == 3)
    try realm.write {
      realm.add(Pond(0, "Bog"))
      realm.delete(realm.object(ofType: Pond.self, forPrimaryKey: 2)!)
    }
    view.$ponds.remove(atOffsets: IndexSet([0, 1]))
    #expect(realm.objects(Pond.self).sorted(by: \.key).map(\.key) == [0, 3])
    view.$ponds.append(Pond(7, "Pool"))
    view.$ponds.append(view.ponds[0])
    #expect(view.names == ["Bog", "Lake", "Pool"])
    view.$ponds.remove(view.ponds[1])
    #expect(view.names == ["Bog", "Pool"])
  }

  @Test func `positions are those of the evaluation, also after an object was added`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"), Pond(2, "Tarn"))
    let view = Ponds(realm, sortedBy: "key")
    #expect(view.names == ["Mere", "Tarn"])
    try realm.write { realm.add(Pond(0, "Bog")) }
    view.$ponds.append(Pond(7, "Pool"))
    view.$ponds.remove(atOffsets: IndexSet(integer: 0))
    #expect(view.names == ["Bog", "Tarn", "Pool"])
  }

  @Test func `deletes an object only if it is one of the results`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"), Pond(2, "Tarn"))
    let view = Ponds(realm, where: { $0.key == 1 })
    view.$ponds.remove(realm.objects(Pond.self)[1])
    #expect(realm.objects(Pond.self).count == 2)
    view.$ponds.remove(realm.objects(Pond.self)[0])
    #expect(realm.objects(Pond.self).map(\.key) == [2])
  }

  @Test func `passes on the error of a duplicate key`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let view = Ponds(realm)
    let earlier = ImplicitWrite.onFailure
    defer { ImplicitWrite.onFailure = earlier }
    var errors: [any Error] = []
    ImplicitWrite.onFailure = { errors.append($0) }
    view.$ponds.append(Pond(1, "Tarn"))
    #expect((errors.first as? Realm.Error)?.code == .duplicatePrimaryKey && view.names == ["Mere"])
  }

  @Test func `shows projections`() throws {
    struct Views {
      @ObservedResults var views: Results<PondView>
    }
    let realm = try Realm.ponds(Pond(1, "Mere"), Pond(2, "Tarn"))
    let view = Views(
      views: ObservedResults(
        PondView.self, configuration: realm.configuration, filter: NSPredicate(format: "key > 0"),
        sortDescriptor: RealmSwift.SortDescriptor(keyPath: "key", ascending: false)))
    #expect(view.views.map(\.title) == ["Tarn", "Mere"])
    view.$views.append(PondView(projecting: Pond(3, "Lake")))
    #expect(view.views.map(\.title) == ["Lake", "Tarn", "Mere"])
    view.$views.remove(view.views[1])
    view.$views.remove(atOffsets: IndexSet(integer: 0))
    #expect(realm.objects(Pond.self).map(\.name) == ["Mere"], "Lake is shown first.")
  }

  @Test func `queries anew after its realm was invalidated`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let view = Ponds(realm)
    #expect(view.names == ["Mere"])
    realm.invalidate()
    #expect(view.names == ["Mere"])
  }
}

@Suite("@ObservedSectionedResults")
@MainActor
struct ObservedSectionedResultsTests {
  struct ByName {
    @ObservedSectionedResults var sections: SectionedResults<String, Pond>
  }

  @Test func `sections by a property, in the order of the keys`() throws {
    let realm = try Realm.ponds(Pond(1, "b"), Pond(2, "a"), Pond(3, "b"))
    let view = ByName(
      sections: ObservedSectionedResults(Pond.self, sectionKeyPath: \.name, configuration: realm.configuration))
    #expect(view.sections.isFrozen && view.sections.allKeys == ["a", "b"])
    #expect(view.sections[1].map(\.key) == [1, 3])
    view.$sections.where = { $0.key > 1 }
    view.$sections.sortDescriptors = [RealmSwift.SortDescriptor(keyPath: "name", ascending: false)]
    #expect(view.sections.allKeys == ["b", "a"])
    view.$sections.sortDescriptors = []
    #expect(view.sections.allKeys == ["a", "b"], "The order of the keys is that without another one.")
    view.$sections.search("a", in: \.name)
    #expect(view.sections.allKeys == ["a"])
  }

  @Test func `sections by a block, and deletes at positions of a section`() throws {
    let realm = try Realm.ponds(Pond(1, "bog"), Pond(2, "arm"), Pond(3, "bay"))
    let view = ByName(
      sections: ObservedSectionedResults(
        Pond.self, sectionBlock: { String($0.name.prefix(1)) },
        sortDescriptors: [RealmSwift.SortDescriptor(keyPath: "name")], configuration: realm.configuration))
    #expect(view.sections.map { $0.map(\.name) } == [["arm"], ["bay", "bog"]])
    let section = view.sections[1]
    try realm.write { realm.add(Pond(4, "back")) }
    view.$sections.remove(atOffsets: IndexSet(integer: 1), section: section)
    #expect(view.sections.map { $0.map(\.name) } == [["arm"], ["back", "bay"]])
  }

  @Test func `sections projections`() throws {
    struct Views {
      @ObservedSectionedResults var sections: SectionedResults<String, PondView>
    }
    let realm = try Realm.ponds(Pond(1, "b"), Pond(2, "a"))
    let view = Views(
      sections: ObservedSectionedResults(PondView.self, sectionKeyPath: \.title, configuration: realm.configuration))
    #expect(view.sections.allKeys == ["a", "b"])
    view.$sections.remove(atOffsets: IndexSet(integer: 0), section: view.sections[0])
    #expect(realm.objects(Pond.self).map(\.name) == ["b"])
  }
}
