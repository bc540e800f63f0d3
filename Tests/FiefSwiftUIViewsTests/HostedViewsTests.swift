import RealmSwift
import SwiftUI
import Testing

@Suite("Views in a host, as a user sees them")
@MainActor
struct HostedViewsTests {
  struct Row: View {
    @ObservedRealmObject var pond: Pond
    var body: some View {
      Text(pond.name)
      TextField("Name", text: $pond.name)
    }
  }

  struct Shoal: View {
    @ObservedRealmObject var pond: Pond
    var body: some View {
      List {
        ForEach(pond.fish) { fish in Text(fish.name) }
          .onDelete(perform: $pond.fish.remove)
          .onMove(perform: $pond.fish.move)
      }
      Button("Add") { $pond.fish.append(Fish(value: ["name": "new"])) }
    }
  }

  struct Ponds: View {
    @ObservedResults(Pond.self, sortDescriptor: RealmSwift.SortDescriptor(keyPath: "name")) var ponds
    @State var text = ""
    var body: some View {
      List {
        ForEach(ponds) { pond in Row(pond: pond) }.onDelete(perform: $ponds.remove)
      }
      .searchable(text: $text, collection: $ponds, keyPath: \.name, prompt: "Find")
    }
  }

  struct ByMood: View {
    @ObservedSectionedResults(Pond.self, sectionKeyPath: \.mood) var moods
    @State var text = ""
    var body: some View {
      List {
        ForEach(moods) { mood in
          Section(header: Text(mood.key.rawValue)) {
            ForEach(mood) { pond in Text(pond.name) }
              .onDelete { $moods.remove(atOffsets: $0, section: mood) }
          }
        }
      }
      .searchable(text: $text, collection: $moods, keyPath: \.name)
    }
  }

  /// A search field with suggestions, by the kind of its prompt.
  struct Suggesting: View {
    @ObservedResults(Pond.self) var ponds
    @State var text = ""
    let prompt: Int
    var body: some View {
      let list = List { ForEach(ponds) { pond in Text(pond.name) } }
      switch prompt {
      case 0:
        list.searchable(text: $text, collection: $ponds, keyPath: \.name) { offers }
      case 1:
        list.searchable(text: $text, collection: $ponds, keyPath: \.name, prompt: Text("Text")) { offers }
      case 2:
        list.searchable(
          text: $text, collection: $ponds, keyPath: \.name, placement: .automatic, prompt: "Key",
          suggestions: { offers })
      default:
        list.searchable(text: $text, collection: $ponds, keyPath: \.name, prompt: String("String")) { offers }
      }
    }
    @ViewBuilder var offers: some View { ForEach(ponds) { Text($0.name).searchCompletion($0.name) } }
  }

  /// The same above sections.
  struct SuggestingByMood: View {
    @ObservedSectionedResults(Pond.self, sectionKeyPath: \.mood) var moods
    @State var text = ""
    let prompt: Int
    var body: some View {
      let list = List { ForEach(moods) { mood in ForEach(mood) { pond in Text(pond.name) } } }
      switch prompt {
      case 0:
        list.searchable(text: $text, collection: $moods, keyPath: \.name) { offers }
      case 1:
        list.searchable(text: $text, collection: $moods, keyPath: \.name, prompt: Text("Text")) { offers }
      case 2:
        list.searchable(
          text: $text, collection: $moods, keyPath: \.name, placement: .automatic, prompt: "Key",
          suggestions: { offers })
      default:
        list.searchable(text: $text, collection: $moods, keyPath: \.name, prompt: String("String")) { offers }
      }
    }
    @ViewBuilder var offers: some View {
      ForEach(moods) { mood in ForEach(mood) { Text($0.name).searchCompletion($0.name) } }
    }
  }

  struct NewPond: View {
    @StateRealmObject var pond = Pond(9, "")
    @Environment(\.realm) var realm
    var body: some View {
      TextField("Name", text: $pond.name)
      Text(pond.name)
      Button("Save") { try! realm.write { realm.add(pond) } }
    }
  }

  struct Choices: View {
    @ObservedRealmObject var pond: Pond
    @ObservedResults(Fish.self) var fish
    var body: some View {
      Toggle("Open", isOn: $pond.isOpen)
      Picker("Mood", selection: $pond.mood) {
        Text("calm").tag(Mood.calm)
        Text("wild").tag(Mood.wild)
      }
      TextField("Level", value: $pond.depth, format: .number)
    }
  }

  private func host(_ realm: Realm, _ view: @escaping () -> any View) -> Stage {
    var environment = EnvironmentValues()
    environment.realm = realm
    return Stage(environment: environment, view)
  }

  @Test func `several views of one object follow each other`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let pond = realm.objects(Pond.self)[0]
    let hosts: [Stage] = (0..<3).map { _ in host(realm) { Row(pond: pond) } }
    hosts[0].type("Tarn", into: "Name")
    for host in hosts { await host.settle() }
    #expect(hosts.map(\.texts) == [["Tarn"], ["Tarn"], ["Tarn"]])
    #expect(hosts.map { $0.content(of: "Name") } == ["Tarn", "Tarn", "Tarn"] && hosts.map(\.evaluations) == [2, 2, 2])
  }

  @Test func `a view is evaluated again for changes of what it shows, and for no others`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere", fish: ["a"]), Pond(2, "Tarn"))
    let host = host(realm) { Row(pond: realm.objects(Pond.self)[0]) }
    try realm.write { realm.objects(Pond.self)[1].name = "Lake" }
    await host.settle()
    #expect(host.evaluations == 1)
    try realm.write { realm.objects(Fish.self)[0].name = "b" }
    await host.settle()
    #expect(host.evaluations == 1, "The properties of linked objects are not the object's own.")
    try realm.write { realm.objects(Pond.self)[0].depth = 4 }
    await host.settle()
    #expect(host.evaluations == 2)
  }

  @Test func `a write of another thread is shown`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let host = host(realm) { Ponds() }
    #expect(host.texts == ["Mere"])
    let configuration = realm.configuration
    await Task.detached {
      let other = try! Realm(configuration: configuration)
      try! other.write { other.add(Pond(2, "Bog")) }
    }.value
    for _ in 0..<100 where host.texts != ["Bog", "Mere"] {
      try await Task.sleep(for: .milliseconds(10))
      await host.settle()
    }
    #expect(host.texts == ["Bog", "Mere"])
  }

  @Test func `a view whose object is deleted elsewhere shows defaults`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let host = host(realm) { Row(pond: realm.objects(Pond.self).first ?? Pond()) }
    #expect(host.texts == ["Mere"])
    try realm.write { realm.deleteAll() }
    host.type("Tarn", into: "Name")
    await host.settle()
    #expect(host.texts == [""] && realm.objects(Pond.self).isEmpty)
  }

  @Test func `a view that is evaluated in a write shows the state before it, and then the commit`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let pond = realm.objects(Pond.self)[0]
    realm.beginWrite()
    pond.name = "Tarn"
    let hosts = [host(realm) { Row(pond: pond) }, host(realm) { Ponds() }]
    #expect(hosts.allSatisfy { $0.texts == ["Mere"] })
    try realm.commitWrite()
    for host in hosts { await host.settle() }
    #expect(hosts.allSatisfy { $0.texts == ["Tarn"] })
    try realm.write { pond.name = "Bog" }
    for host in hosts { await host.settle() }
    #expect(hosts.allSatisfy { $0.texts == ["Bog"] })
  }

  @Test func `rows that changed since they were shown are deleted and moved as they were shown`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere", fish: ["a", "b", "c"]))
    let pond = realm.objects(Pond.self)[0]
    let host = host(realm) { Shoal(pond: pond) }
    try realm.write { pond.fish.insert(Fish(value: ["name": "z"]), at: 0) }
    host.swipeToDelete(row: 1)
    #expect(pond.fish.map(\.name) == ["z", "a", "c"])
    await host.settle()
    #expect(host.texts.prefix(3) == ["z", "a", "c"])
    host.move(rows: IndexSet([0, 2]), to: 2)
    await host.settle()
    #expect(host.texts.prefix(3) == ["a", "z", "c"])
    host.press("Add")
    await host.settle()
    #expect(host.texts.prefix(4) == ["a", "z", "c", "new"])
  }

  @Test func `a search field narrows results and sections`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"), Pond(2, "Tarn"), Pond(3, "Mersey"))
    for view in [Ponds() as any View, ByMood()] {
      let host = host(realm) { view }
      host.search("er")
      await host.settle()
      #expect(host.texts.filter { $0 != "calm" } == ["Mere", "Mersey"])
      host.search("")
      await host.settle()
      #expect(host.texts.filter { $0 != "calm" }.count == 3)
    }
  }

  @Test(arguments: 0..<4)
  func `suggestions of a search field narrow results and sections`(prompt: Int) async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"), Pond(2, "Tarn"), Pond(3, "Mersey"))
    for view in [Suggesting(prompt: prompt) as any View, SuggestingByMood(prompt: prompt)] {
      let host = host(realm) { view }
      #expect(host.prompt() == [nil, "Text", "Key", "String"][prompt])
      #expect(host.suggestions.sorted() == ["Mere", "Mersey", "Tarn"])
      host.search("er")
      await host.settle()
      #expect(host.suggestions.sorted() == ["Mere", "Mersey"])
      host.chooseSuggestion("Mersey")
      await host.settle()
      #expect(host.nodes("rows")[0].all.filter { $0.kind == "text" }.map(\.text) == ["Mersey"])
      #expect(host.suggestions == ["Mersey"])
    }
  }

  @Test func `rows of a section are deleted`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"), Pond(2, "Tarn"))
    try realm.write { realm.objects(Pond.self)[1].mood = .wild }
    let host = host(realm) { ByMood() }
    #expect(host.texts == ["calm", "Mere", "wild", "Tarn"])
    host.delete(rows: IndexSet(integer: 0), ofList: 2)
    await host.settle()
    #expect(host.texts == ["calm", "Mere"])
  }

  @Test func `a new object is edited, saved and shown frozen`() async throws {
    let realm = try Realm.ponds()
    let host = host(realm) { NewPond() }
    host.type("Mere", into: "Name")
    await host.settle()
    #expect(host.texts == ["Mere", "Save"])
    host.press("Save")
    await host.settle()
    #expect(realm.objects(Pond.self).map(\.name) == ["Mere"])
    host.type("Tarn", into: "Name")
    await host.settle()
    #expect(host.texts == ["Tarn", "Save"] && realm.objects(Pond.self).map(\.name) == ["Tarn"])
  }

  @Test func `toggles, pickers and numbers are bound`() async throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let pond = realm.objects(Pond.self)[0]
    let host = host(realm) { Choices(pond: pond) }
    host.toggle("Open")
    #expect(pond.isOpen)
    host.choose(Mood.calm, in: "Mood")
    #expect(pond.mood == .calm)
    host.choose(Mood.wild, in: "Mood")
    #expect(pond.mood == .wild)
    host.type("12", into: "Level")
    #expect(pond.depth == 12)
    host.type("", into: "Level")
    #expect(pond.depth == nil)
  }

  @Test func `the environment has the realm that views open`() throws {
    let realm = try Realm.ponds(Pond(1, "Mere"))
    let other = try Realm.ponds(Pond(1, "Tarn"))
    struct Both: View {
      let other: Realm
      var body: some View {
        Ponds()
        Ponds().environment(\.realmConfiguration, other.configuration)
      }
    }
    #expect(host(realm) { Both(other: other) }.texts == ["Mere", "Tarn"])
  }
}
