public import Fief
import FiefRuntime
public import Foundation
#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import SwiftUI
#endif

/// Shows the objects of a class in sections, and evaluates the view again when they change.
///
///     struct SongsView: View {
///       @ObservedSectionedResults(Song.self, sectionKeyPath: \.genre) var genres
///       var body: some View {
///         List {
///           ForEach(genres) { genre in
///             Section(header: Text(genre.key)) {
///               ForEach(genre) { song in Text(song.title) }
///                 .onDelete { $genres.remove(atOffsets: $0, section: genre) }
///             }
///           }
///         }
///       }
///     }
///
/// The sections are frozen. `$genres` deletes objects, and has the condition and the order to assign.
///
/// The realm is that of the configuration, or of `realmConfiguration` in the environment, or the default realm. Traps
/// when it cannot be opened.
@propertyWrapper
public struct ObservedSectionedResults<
  Key: Hashable, ResultType: RealmFetchable & KeypathSortable & ThreadConfined
>: DynamicProperty {
  @Environment(\.realmConfiguration) private var environment
  @ObservedObject private var storage: QueriedStorage<ResultType, SectionedResults<Key, ResultType>>

  /// - Parameter keyOrder: returns the order for a request without one.
  init(
    request: QueryRequest<ResultType>, orderedBy keyOrder: @escaping () -> [Fief.SortDescriptor] = { [] },
    _ block: @escaping (ResultType) -> Key
  ) {
    _storage = ObservedObject(
      wrappedValue: QueriedStorage(request) {
        $0.sectioned(by: block, sortDescriptors: $1.isEmpty ? keyOrder() : $1)
      })
  }

  /// The sections, frozen.
  ///
  ///     Text(genres.allKeys.joined(separator: ", "))
  @MainActor public var wrappedValue: SectionedResults<Key, ResultType> {
    #if !(canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS))
      storage.takeOver(environment)
    #endif
    return storage.shown
  }

  /// Deletes objects; holds the condition and the order.
  @MainActor public var projectedValue: Self { self }

  #if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
    /// Takes over the configuration of the environment.
    public mutating func update() {
      let wrapper = UncheckedBox(self)
      MainActor.assumeIsolated { wrapper.value.storage.environment = wrapper.value.environment }
    }
  #endif

  /// The order. Assigning evaluates the view again; empty stands for the order of the keys where a property makes them,
  /// and traps at the next read where a block does.
  ///
  ///     $genres.sortDescriptors = ["genre", "year"]
  @MainActor public var sortDescriptors: [Fief.SortDescriptor] {
    get { storage.request.sortDescriptors }
    nonmutating set { storage.request.sortDescriptors = newValue }
  }
}

extension ObservedSectionedResults where ResultType: Object {
  /// Shows the objects that meet a condition, in sections by a property.
  ///
  ///     @ObservedSectionedResults(Song.self, sectionKeyPath: \.genre, where: { $0.year > 1990 }) var genres
  ///
  /// Otherwise as the initialiser with a filter.
  ///
  /// - Parameter where: the condition; nil for none.
  public init(
    _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>, sortDescriptors: [Fief.SortDescriptor] = [],
    where: ((Query<ResultType>) -> Query<Bool>)?, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
  ) {
    var request = QueryRequest<ResultType>(
      configuration, keyPaths: keyPaths, sortDescriptors: Self.order(sortDescriptors, sectionKeyPath))
    request.setQuery(`where`)
    self.init(request: request, orderedBy: { Self.order([], sectionKeyPath) }) { $0[keyPath: sectionKeyPath] }
  }

  /// Shows the objects that meet a condition, in sections by keys that a block returns.
  ///
  ///     @ObservedSectionedResults(
  ///       Song.self, sectionBlock: { String($0.title.prefix(1)) }, sortDescriptors: ["title"],
  ///       where: { $0.year > 1990 }) var letters
  ///
  /// Otherwise as the initialiser with a filter.
  ///
  /// - Parameter where: the condition; nil for none.
  public init(
    _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key, sortDescriptors: [Fief.SortDescriptor],
    where: ((Query<ResultType>) -> Query<Bool>)?, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
  ) {
    var request = QueryRequest<ResultType>(configuration, keyPaths: keyPaths, sortDescriptors: sortDescriptors)
    request.setQuery(`where`)
    self.init(request: request, sectionBlock)
  }
}

extension ObservedSectionedResults: _QueryingWrapper {
  /// The state of the wrapper.
  public var _queried: QueriedStorage<ResultType, SectionedResults<Key, ResultType>> { storage }
}

extension ObservedSectionedResults where ResultType: _ObjectRepresentable {
  /// Deletes the objects, or the root objects of the projections, at the given positions of a section.
  ///
  ///     ForEach(genre) { song in Text(song.title) }
  ///       .onDelete { $genres.remove(atOffsets: $0, section: genre) }
  ///
  /// - Parameters:
  ///   - offsets: positions in the section. Objects that no longer exist are skipped.
  ///   - section: a section as the view shows it.
  @MainActor public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>) {
    delete(at: offsets, of: section, in: storage.realm)
  }

  /// Shows the objects that meet a condition, or all objects of a class, in sections by a property.
  ///
  ///     @ObservedSectionedResults(
  ///       Song.self, sectionKeyPath: \.genre, filter: NSPredicate(format: "year > 1990")) var genres
  ///
  /// - Parameters:
  ///   - type: the class, or a projection of it.
  ///   - sectionKeyPath: the property whose values are the keys of the sections.
  ///   - sortDescriptors: the order; empty for that of the keys.
  ///   - filter: the condition; nil for none.
  ///   - keyPaths: names of the properties whose changes evaluate the view again; nil for all.
  ///   - configuration: the realm; nil for that of the environment.
  public init(
    _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>, sortDescriptors: [Fief.SortDescriptor] = [],
    filter: NSPredicate? = nil, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
  ) {
    var request = QueryRequest<ResultType>(
      configuration, keyPaths: keyPaths, sortDescriptors: Self.order(sortDescriptors, sectionKeyPath))
    request.setPredicate(filter)
    self.init(request: request, orderedBy: { Self.order([], sectionKeyPath) }) { $0[keyPath: sectionKeyPath] }
  }

  /// Shows the objects that meet a condition, or all objects of a class, in sections by keys that a block returns.
  ///
  ///     @ObservedSectionedResults(
  ///       Song.self, sectionBlock: { $0.year / 10 }, sortDescriptors: ["year"],
  ///       filter: NSPredicate(format: "year > 1990")) var decades
  ///
  /// - Parameters:
  ///   - type: the class, or a projection of it.
  ///   - sectionBlock: returns the key of an object; it must depend on the object alone.
  ///   - sortDescriptors: the order; the first read of the sections traps when it is empty.
  ///   - filter: the condition; nil for none.
  ///   - keyPaths: names of the properties whose changes evaluate the view again; nil for all.
  ///   - configuration: the realm; nil for that of the environment.
  public init(
    _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key, sortDescriptors: [Fief.SortDescriptor],
    filter: NSPredicate? = nil, keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
  ) {
    var request = QueryRequest<ResultType>(configuration, keyPaths: keyPaths, sortDescriptors: sortDescriptors)
    request.setPredicate(filter)
    self.init(request: request, sectionBlock)
  }

  /// The given order, or that of the keys when none is given.
  private static func order(
    _ given: [Fief.SortDescriptor], _ sectionKeyPath: KeyPath<ResultType, Key>
  ) -> [Fief.SortDescriptor] {
    given.isEmpty ? [Fief.SortDescriptor(keyPath: _name(for: sectionKeyPath))] : given
  }
}
