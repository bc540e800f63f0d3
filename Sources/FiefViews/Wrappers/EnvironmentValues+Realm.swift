public import Fief
#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import SwiftUI
#endif

private enum ConfigurationKey: EnvironmentKey {
  static var defaultValue: Realm.Configuration { .defaultConfiguration }
}

extension EnvironmentValues {
  /// The configuration whose realm views open; that of `Realm()` by default.
  ///
  ///     DogsListView().environment(\.realmConfiguration, Realm.Configuration(inMemoryIdentifier: "preview"))
  public var realmConfiguration: Realm.Configuration {
    get { self[ConfigurationKey.self] }
    set { self[ConfigurationKey.self] = newValue }
  }

  /// The realm of `realmConfiguration`. Assigning sets that configuration. Traps when the realm cannot be opened.
  ///
  ///     struct AddButton: View {
  ///       @Environment(\.realm) var realm
  ///       var body: some View { Button("Add") { try? realm.write { realm.add(Dog()) } } }
  ///     }
  public var realm: Realm {
    get { .ofView(realmConfiguration) }
    set { realmConfiguration = newValue.configuration }
  }
}
