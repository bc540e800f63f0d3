import Foundation
import RealmSwift
import Testing

@Suite("@ObservedRealmObject")
@MainActor
struct ObservedRealmObjectTests {
  struct Row {
    @ObservedRealmObject var pond: Pond
  }

  @Test func `shows a frozen copy of a managed object at the present version`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let row = Row(pond: realm.objects(Pond.self)[0])
    #expect(row.pond.isFrozen && row.pond.name == "Mere")
    let first = row.pond
    #expect(row.pond === first, "Reading twice at one version gives one copy.")
    try realm.write { realm.objects(Pond.self)[0].name = "Tarn" }
    #expect(row.pond.name == "Tarn" && first.name == "Mere")
  }

  @Test func `shows an unmanaged object itself, and a copy after it was added`() throws {
    let realm = try Realm.ponds()
    let pond = Pond(1, "Mere")
    let row = Row(pond: pond)
    #expect(row.pond === pond)
    try realm.write { realm.add(pond) }
    #expect(row.pond.isFrozen && row.pond.name == "Mere")
  }

  @Test func `follows a frozen object to later versions`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let pond = realm.objects(Pond.self)[0]
    let row = Row(pond: pond.freeze())
    try realm.write { pond.name = "Tarn" }
    #expect(row.pond.name == "Tarn")
  }

  @Test func `shows a frozen object that was deleted as it was`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let frozen = realm.objects(Pond.self)[0].freeze()
    try realm.write { realm.deleteAll() }
    let row = Row(pond: frozen)
    #expect(row.pond.name == "Mere")
    row.$pond.name.wrappedValue = "Tarn"
    row.$pond.delete()
    #expect(row.pond.name == "Mere")
  }

  @Test func `shows defaults once its object was deleted, and ignores writes`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let pond = realm.objects(Pond.self)[0]
    let row = Row(pond: pond)
    let name = row.$pond.name
    #expect(name.wrappedValue == "Mere")
    try realm.write { realm.delete(pond) }
    #expect(row.pond.name == "" && !row.pond.isInvalidated)
    #expect(name.wrappedValue == "Mere", "A binding keeps the last value.")
    #expect(row.$pond.name.wrappedValue == "")
    name.wrappedValue = "Tarn"
    row.$pond.fish.append(Fish())
    row.$pond.levels.set(object: 1, for: "may")
    row.$pond.delete()
    #expect(realm.objects(Pond.self).isEmpty && realm.objects(Fish.self).isEmpty)
  }

  @Test func `a binding to a linked or an embedded object gives a deleted one as it was`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let pond = realm.objects(Pond.self)[0]
    try realm.write {
      pond.king = Fish(value: ["name": "Pike"])
      pond.shore = Shore(value: ["length": 7])
    }
    let row = Row(pond: pond)
    let (king, shore, bound) = (row.$pond.king, row.$pond.shore, pond.bind(\.king))
    #expect(king.wrappedValue?.isFrozen == false, "An object that exists is given live.")
    try realm.write { realm.deleteAll() }
    #expect(king.wrappedValue?.name == "Pike" && shore.wrappedValue?.length == 7 && bound.wrappedValue?.name == "Pike")
    king.wrappedValue = Fish()
    bound.wrappedValue = nil
    #expect(realm.isEmpty)
  }

  @Test func `writes each assignment to a binding in a transaction of its own`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let row = Row(pond: realm.objects(Pond.self)[0])
    let version = realm.version
    row.$pond.name.wrappedValue = "Tarn"
    row.$pond.depth.wrappedValue = 3
    row.$pond.mood.wrappedValue = .wild
    #expect(realm.version == version + 3)
    #expect(row.pond.name == "Tarn" && row.pond.depth == 3 && row.pond.mood == .wild)
    row.$pond.name.wrappedValue = "Tarn"
    #expect(realm.version == version + 3, "An equal value is not written.")
  }

  @Test func `begins no write for an equal value`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let row = Row(pond: realm.objects(Pond.self)[0])
    var commits = 0
    let token = realm.observe { _, _ in commits += 1 }
    row.$pond.name.wrappedValue = "Mere"
    row.$pond.king.wrappedValue = nil
    #expect(commits == 0)
    row.$pond.name.wrappedValue = "Tarn"
    #expect(commits == 1)
    token.invalidate()
  }

  @Test func `ignores writes when others have deleted the object, before the view knows it`() throws {
    let realm = try Realm.ponds()
    let earlier = ImplicitWrite.onFailure
    defer { ImplicitWrite.onFailure = earlier }
    var errors: [any Error] = []
    ImplicitWrite.onFailure = { errors.append($0) }
    let changes: [(Row) -> Void] = [
      { $0.$pond.name.wrappedValue = "Tarn" }, { $0.$pond.fish.append(Fish()) }, { $0.$pond.fish.remove(at: 0) },
      { $0.$pond.plants.insert("reed") }, { $0.$pond.levels.set(object: 1, for: "may") }, { $0.$pond.delete() },
    ]
    for change in changes {
      try realm.write { realm.add(Pond(1, "Mere", fish: ["Pike"])) }
      let pond = realm.objects(Pond.self)[0]
      let row = Row(pond: pond)
      _ = row.pond
      try changeElsewhere(realm.configuration) { $0.deleteAll() }
      #expect(!pond.isInvalidated, "The realm has not advanced.")
      change(row)
      #expect(pond.isInvalidated && realm.isEmpty && errors.isEmpty)
    }
  }

  @Test func `joins the write that is under way, and is rolled back with it`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let row = Row(pond: realm.objects(Pond.self)[0])
    realm.beginWrite()
    row.$pond.name.wrappedValue = "Tarn"
    #expect(row.$pond.name.wrappedValue == "Tarn")
    #expect(row.pond.name == "Mere", "A view shows the state before the write.")
    realm.cancelWrite()
    #expect(row.$pond.name.wrappedValue == "Mere")
  }

  @Test func `shows an object that the present write has added as it is`() throws {
    let realm = try Realm.ponds()
    try realm.write {
      let row = Row(pond: realm.create(Pond.self, value: ["key": 1, "name": "Mere"]))
      #expect(row.pond.name == "Mere" && !row.pond.isFrozen)
      row.$pond.name.wrappedValue = "Tarn"
      #expect(row.pond.name == "Tarn")
    }
  }

  @Test func `stores a frozen object as the live one`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere", fish: ["Pike"]))
    let row = Row(pond: realm.objects(Pond.self)[0])
    row.$pond.king.wrappedValue = row.pond.fish[0]
    row.$pond.guests.insert(row.pond.fish[0])
    row.$pond.fish.append(row.pond.fish[0])
    #expect(row.pond.king?.name == "Pike" && row.pond.guests.count == 1 && row.pond.fish.count == 2)
    #expect(realm.objects(Fish.self).count == 1)
    row.$pond.king.wrappedValue = nil
    #expect(row.pond.king == nil)
  }

  @Test func `what an any-value holds is stored live, and kept as it was`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere", fish: ["Pike"]))
    let pond = realm.objects(Pond.self)[0]
    let row = Row(pond: pond)
    let sight = row.$pond.sight
    sight.wrappedValue = .object(row.pond.fish[0])
    #expect(pond.sight.object(Fish.self)?.name == "Pike" && realm.objects(Fish.self).count == 1)
    #expect(sight.wrappedValue.object(Fish.self)?.isFrozen == false, "An object that exists is given live.")
    try realm.write { realm.deleteAll() }
    #expect(sight.wrappedValue.object(Fish.self)?.name == "Pike")
  }

  @Test func `adds an unmanaged object that is assigned`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let row = Row(pond: realm.objects(Pond.self)[0])
    row.$pond.king.wrappedValue = Fish(value: ["name": "Pike"])
    #expect(realm.objects(Fish.self).first?.name == "Pike")
  }

  @Test func `passes on the error of a write, and shows the stored value`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let row = Row(pond: realm.objects(Pond.self)[0])
    let earlier = ImplicitWrite.onFailure
    defer { ImplicitWrite.onFailure = earlier }
    var errors: [any Error] = []
    ImplicitWrite.onFailure = { errors.append($0) }
    row.$pond.key.wrappedValue = 2
    #expect(errors.count == 1 && "\(errors[0])".contains("key"))
    #expect(row.pond.key == 1 && !realm.isInWriteTransaction)
  }

  @Test func `binds an embedded object, a list and a projection`() throws {
    struct Parts {
      @ObservedRealmObject var shore: Shore
      @ObservedRealmObject var fish: RealmSwift.List<Fish>
      @ObservedRealmObject var view: PondView
    }
    let realm = try Realm.ponds(Pond(1, "Mere", fish: ["Pike"]))
    let pond = realm.objects(Pond.self)[0]
    try realm.write { pond.shore = Shore(value: ["length": 7]) }
    let parts = Parts(shore: try #require(pond.shore), fish: pond.fish, view: PondView(projecting: pond))
    parts.$shore.length.wrappedValue += 1
    #expect(pond.shore?.length == 8 && parts.shore.length == 8 && parts.shore.isFrozen)
    parts.$fish.append(Fish(value: ["name": "Roach"]))
    #expect(parts.fish.map(\.name) == ["Pike", "Roach"] && parts.fish.isFrozen)
    parts.$view.title.wrappedValue = "Tarn"
    parts.$view.fish.remove(at: 0)
    #expect(parts.view.title == "Tarn" && parts.view.fish.map(\.name) == ["Roach"] && parts.view.isFrozen)
    parts.$view.delete()
    #expect(realm.objects(Pond.self).isEmpty)
    #expect(parts.view.title == "" && parts.fish.isEmpty)
  }

  @Test func `changes an unmanaged object directly`() {
    let pond = Pond(1, "Mere")
    let row = Row(pond: pond)
    row.$pond.name.wrappedValue = "Tarn"
    row.$pond.fish.append(Fish(value: ["name": "Pike"]))
    row.$pond.levels.set(object: 3, for: "may")
    row.$pond.plants.insert("reed")
    #expect(pond.name == "Tarn" && pond.fish[0].name == "Pike" && pond.levels["may"] == 3)
    #expect(pond.plants.contains("reed"))
  }

  @Test func `deletes nothing of an unmanaged object`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let pond = Pond(1, "Tarn")
    Row(pond: pond).$pond.delete()
    struct Shown { @ObservedRealmObject var view: PondView }
    Shown(view: PondView(projecting: pond)).$view.delete()
    #expect(pond.name == "Tarn" && !pond.isInvalidated && realm.objects(Pond.self).count == 1)
  }
}

@Suite("@StateRealmObject")
@MainActor
struct StateRealmObjectTests {
  struct NewPond {
    @StateRealmObject var pond = Pond(1, "Mere")
    @StateRealmObject var list = RealmSwift.List<Int>()
    @StateRealmObject var set = MutableSet<String>()
    @StateRealmObject var map = Map<String, Int>()
  }

  @Test func `owns unmanaged values until they are added`() throws {
    let view = NewPond()
    #expect(view.pond === view.pond)
    view.$pond.name.wrappedValue = "Tarn"
    view.$list.append(3)
    view.$set.insert("reed")
    view.$map.set(object: 1, for: "may")
    #expect(view.pond.name == "Tarn" && Array(view.list) == [3] && view.set.contains("reed") && view.map["may"] == 1)
    let realm = try Realm.ponds()
    try realm.write { realm.add(view.pond) }
    #expect(view.pond.isFrozen && !view.$pond.wrappedValue.isFrozen)
    view.$pond.name.wrappedValue = "Mere"
    #expect(realm.objects(Pond.self)[0].name == "Mere")
    view.$pond.delete()
    #expect(realm.objects(Pond.self).isEmpty && view.pond.name == "")
  }

  @Test func `shows the value that is assigned`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"), Pond(2, "Tarn"))
    let view = NewPond()
    view.pond = realm.objects(Pond.self)[1]
    #expect(view.pond.name == "Tarn" && view.pond.isFrozen)
    view.$pond.wrappedValue = realm.objects(Pond.self)[0]
    #expect(view.pond.name == "Mere")
  }

  @Test func `its binding gives a deleted object as it was shown, and writes nothing`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let view = NewPond()
    view.pond = realm.objects(Pond.self)[0]
    #expect(view.pond.name == "Mere")
    let pond = view.$pond
    try realm.write { realm.deleteAll() }
    #expect(pond.wrappedValue.name == "Mere" && !pond.wrappedValue.isInvalidated)
    pond.name.wrappedValue = "Tarn"
    pond.fish.append(Fish())
    pond.delete()
    #expect(realm.objects(Pond.self).isEmpty && realm.objects(Fish.self).isEmpty)
    #expect(view.pond.name == "" && pond.wrappedValue.name == "Mere")
  }
}
