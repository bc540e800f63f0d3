import Foundation
import Observation
import RealmSwift
import Testing

@Suite("Wrappers under an interface library of another kind", .serialized)
@MainActor
struct ViewHostTests {
  /// Counts what wrappers report.
  final class Recorder: ViewHost {
    var read: Set<ViewSource> = []
    var changes = 0
    private var isRecording = false

    /// Records what a body reads. Other tests run between those of this suite.
    func recording(_ body: () -> Void) {
      isRecording = true
      defer { isRecording = false }
      body()
    }

    func read(_ source: ViewSource) { if isRecording { read.insert(source) } }
    func willChange(_ source: ViewSource) { if read.contains(source) { changes += 1 } }
  }

  struct Row {
    @ObservedRealmObject var pond: Pond
  }

  struct Ponds {
    @ObservedResults(Pond.self) var ponds
    @Environment(\.realm) var realm
  }

  struct PondsByName {
    @ObservedSectionedResults(Pond.self, sectionKeyPath: \.name) var ponds
  }

  private func turn() async {
    for _ in 0..<3 {
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
  }

  @Test func `a host hears of each wrapper that was read, and of its changes`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let recorder = Recorder()
    ViewSource.host = recorder
    defer { ViewSource.host = nil }
    let row = Row(pond: realm.objects(Pond.self)[0])
    #expect(recorder.read.isEmpty)
    recorder.recording { #expect(row.pond.name == "Mere") }
    #expect(recorder.read.count == 1 && recorder.changes == 0)
    try realm.write { realm.objects(Pond.self)[0].name = "Tarn" }
    #expect(recorder.changes == 0, "Not inside a write.")
    await turn()
    #expect(recorder.changes == 1 && row.pond.name == "Tarn")
    row.$pond.name.wrappedValue = "Mere"
    await turn()
    #expect(recorder.changes == 2)
  }

  @Test func `a host hears of a commit between the first evaluation and the next turn`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let recorder = Recorder()
    ViewSource.host = recorder
    defer { ViewSource.host = nil }
    var values = EnvironmentValues()
    values.realm = realm
    let view = Ponds()
    recorder.recording { #expect(values.during { view.ponds.count } == 1) }
    try addPondElsewhere(realm.configuration)
    #expect(recorder.changes == 0)
    await turn()
    #expect(recorder.changes == 1 && view.ponds.count == 2)
  }

  @Test(arguments: ["committed", "cancelled", "invalidated"])
  func `a host hears of a value that was read in a write once, after the write`(end: String) async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let recorder = Recorder()
    ViewSource.host = recorder
    defer { ViewSource.host = nil }
    let row = Row(pond: realm.objects(Pond.self)[0].freeze())
    realm.beginWrite()
    realm.objects(Pond.self)[0].name = "Tarn"
    recorder.recording { #expect(row.pond.name == "Mere") }
    await turn()
    #expect(recorder.changes == 0, "The write goes on.")
    switch end {
    case "committed": try realm.commitWrite()
    case "cancelled": realm.cancelWrite()
    default: realm.invalidate()
    }
    await turn()
    #expect(recorder.changes == 1)
  }

  @Test func `a host hears of changes again when the deletion of an object was undone`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"), history: .versions(10))
    let pond = realm.objects(Pond.self)[0]
    let recorder = Recorder()
    ViewSource.host = recorder
    defer { ViewSource.host = nil }
    let row = Row(pond: pond)
    recorder.recording { #expect(row.pond.name == "Mere") }
    try realm.write { realm.delete(pond) }
    await turn()
    #expect(recorder.changes == 1 && row.pond.name == "")
    try realm.undo()
    recorder.recording { #expect(row.pond.name == "Mere") }
    let heard = recorder.changes
    try realm.write { realm.objects(Pond.self)[0].name = "Tarn" }
    await turn()
    #expect(recorder.changes == heard + 1 && row.pond.name == "Tarn")
  }

  @Test func `a host hears of changes of unmanaged objects through bindings`() {
    let recorder = Recorder()
    ViewSource.host = recorder
    defer { ViewSource.host = nil }
    let row = Row(pond: Pond(1, "Mere"))
    recorder.recording { _ = row.pond }
    row.$pond.name.wrappedValue = "Tarn"
    row.$pond.fish.append(Fish())
    row.$pond.levels.set(object: 1, for: "may")
    #expect(recorder.changes == 3)
  }

  @Test func `a library that observes needs no host`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let row = Row(pond: realm.objects(Pond.self)[0])
    let changed = Flag()
    withObservationTracking {
      _ = row.pond.name
    } onChange: {
      changed.isSet = true
    }
    try realm.write { realm.objects(Pond.self)[0].name = "Tarn" }
    await turn()
    #expect(changed.isSet)
  }

  @Test func `the environment of an evaluation has the realm of its wrappers`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let other = try Realm.ponds(Pond(1, "Tarn"), Pond(2, "Bog"))
    var values = EnvironmentValues()
    values.realm = realm
    let view = Ponds()
    #expect(values.during { view.ponds.map(\.name) } == ["Mere"])
    #expect(values.during { view.realm.objects(Pond.self).count } == 1)
    values.realmConfiguration = other.configuration
    #expect(values.during { view.ponds.map(\.name) } == ["Tarn", "Bog"])
  }

  @Test func `a handler outside of evaluations changes the realm of its view`() throws {
    let other = try Realm.ponds()
    let earlier = Realm.Configuration.defaultConfiguration
    defer { Realm.Configuration.defaultConfiguration = earlier }
    Realm.Configuration.defaultConfiguration = other.configuration
    let realm = try Realm.ponds(Pond(1, "Mere"))
    var values = EnvironmentValues()
    values.realm = realm
    let view = Ponds()
    #expect(values.during { view.ponds.count } == 1)
    view.$ponds.append(Pond(2, "Tarn"))
    #expect(realm.objects(Pond.self).map(\.name) == ["Mere", "Tarn"])
    view.$ponds.remove(atOffsets: IndexSet(integer: 0))
    #expect(realm.objects(Pond.self).map(\.name) == ["Tarn"])
    #expect(view.ponds.map(\.name) == ["Tarn"])
    let sections = PondsByName()
    #expect(values.during { sections.ponds.allKeys } == ["Tarn"])
    #expect(sections.ponds.allKeys == ["Tarn"])
    #expect(other.isEmpty)
  }

  @Test func `a view without an environment follows the default configuration`() throws {
    let earlier = Realm.Configuration.defaultConfiguration
    defer { Realm.Configuration.defaultConfiguration = earlier }
    let (first, second) = (try Realm.ponds(Pond(1, "Mere")), try Realm.ponds(Pond(1, "Tarn")))
    let view = Ponds()
    Realm.Configuration.defaultConfiguration = first.configuration
    #expect(view.ponds.map(\.name) == ["Mere"])
    Realm.Configuration.defaultConfiguration = second.configuration
    #expect(view.ponds.map(\.name) == ["Tarn"])
  }

  @Test func `bindings derive from others`() {
    let box = Box()
    let value = Binding(get: { box.number }, set: { box.number = $0 })
    let optional = Binding<Int?>(value)
    optional.wrappedValue = 4
    optional.wrappedValue = nil
    #expect(box.number == 4 && optional.wrappedValue == 4)
    #expect(Binding(optional)?.wrappedValue == 4)
    #expect(Binding<Int>(Binding<Int?>.constant(nil)) == nil)
    let constant = Binding.constant(3)
    constant.wrappedValue = 5
    #expect(constant.wrappedValue == 3)
  }

  @Test func `a binding to an object in an optional gives one that is gone as it was`() throws {
    let earlier = ImplicitWrite.onFailure
    defer { ImplicitWrite.onFailure = earlier }
    ImplicitWrite.onFailure = { Issue.record($0) }
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let pond = realm.objects(Pond.self)[0]
    try realm.write { pond.shore = Shore(value: ["length": 7]) }
    let shore = try #require(Binding(pond.bind(\.shore)))
    try realm.write { pond.shore = nil }
    #expect(shore.wrappedValue.length == 7 && shore.length.wrappedValue == 7)
    shore.length.wrappedValue = 8
    #expect(shore.length.wrappedValue == 7 && pond.shore == nil)
  }

  private final class Box { var number = 0 }
  private final class Flag: @unchecked Sendable { var isSet = false }
}

private func addPondElsewhere(_ configuration: Realm.Configuration) throws {
  let queue = DispatchQueue(label: "elsewhere")
  try queue.sync {
    let realm = try Realm(configuration: configuration, queue: queue)
    try realm.write { realm.add(Pond(2, "Tarn")) }
  }
}
