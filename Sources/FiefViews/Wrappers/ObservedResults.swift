public import Fief
import FiefRuntime
public import Foundation
#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import SwiftUI
#endif

/// Shows the objects of a class in a view, and evaluates the view again when they change.
///
///     struct DogsListView: View {
///       @ObservedResults(Dog.self, sortDescriptor: SortDescriptor(keyPath: "name")) var dogs
///       var body: some View {
///         List {
///           ForEach(dogs) { dog in DogRow(dog: dog) }.onDelete(perform: $dogs.remove)
///         }
///         Button("Add") { $dogs.append(Dog(value: ["name": "Bandido"])) }
///       }
///     }
///
/// The results are frozen. `$dogs` adds and deletes objects, and has the condition and the order to assign.
///
/// The realm is that of the configuration, or of `realmConfiguration` in the environment, or the default realm. Traps
/// when it cannot be opened.
@propertyWrapper
public struct ObservedResults<ResultType: RealmFetchable & KeypathSortable & ThreadConfined>: DynamicProperty {
  @Environment(\.realmConfiguration) private var environment
  @ObservedObject private var storage: QueriedStorage<ResultType, Results<ResultType>>

  init(request: QueryRequest<ResultType>) {
    _storage = ObservedObject(wrappedValue: QueriedStorage(request) { $1.isEmpty ? $0 : $0.sorted(by: $1) })
  }

  /// The objects, frozen.
  ///
  ///     Text("\(dogs.count) dogs, \(dogs.where { $0.age > 9 }.count) old ones")
  @MainActor public var wrappedValue: Results<ResultType> {
    let storage = placed
    return ShownValues.areRead ? storage.asShown : storage.shown
  }

  /// The storage, in the environment of the view.
  @MainActor private var placed: QueriedStorage<ResultType, Results<ResultType>> {
    #if !(canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS))
      storage.takeOver(environment)
    #endif
    return storage
  }

  /// Adds and deletes objects; holds the condition and the order.
  ///
  ///     Button("Add") { $dogs.append(Dog(value: ["name": "Rex"])) }
  @MainActor public var projectedValue: Self { self }

  #if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
    /// Takes over the configuration of the environment.
    public mutating func update() {
      let wrapper = UncheckedBox(self)
      MainActor.assumeIsolated { wrapper.value.storage.environment = wrapper.value.environment }
    }
  #endif

  /// The order; nil for that of the class. Assigning evaluates the view again.
  ///
  ///     $dogs.sortDescriptor = SortDescriptor(keyPath: "age", ascending: false)
  @MainActor public var sortDescriptor: Fief.SortDescriptor? {
    get { storage.request.sortDescriptors.first }
    nonmutating set { storage.request.sortDescriptors = newValue.map { [$0] } ?? [] }
  }
}

extension ObservedResults: _QueryingWrapper {
  /// The state of the wrapper.
  public var _queried: QueriedStorage<ResultType, Results<ResultType>> { storage }
}

extension ObservedResults: BoundCollection {
  /// The type of the elements.
  public typealias Element = ResultType

  /// The live results.
  public var _target: Results<ResultType> { placed.value }

  /// Does nothing: the results are always managed.
  public func _changedDirectly() {}
}

extension ObservedResults where ResultType: Object {
  /// Shows the objects that meet a condition, or all objects of a class.
  ///
  ///     @ObservedResults(Dog.self, where: { $0.age > 9 }, sortDescriptor: SortDescriptor(keyPath: "name")) var oldDogs
  ///
  /// Otherwise as the initialiser with a filter.
  ///
  /// - Parameter where: the condition; nil for none.
  public init(
    _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
    where: ((Query<ResultType>) -> Query<Bool>)?, keyPaths: [String]? = nil, sortDescriptor: Fief.SortDescriptor? = nil
  ) {
    var request = QueryRequest<ResultType>(
      configuration, keyPaths: keyPaths, sortDescriptors: sortDescriptor.map { [$0] } ?? [])
    request.setQuery(`where`)
    self.init(request: request)
  }
}

extension ObservedResults {
  /// Shows the objects that meet a condition, or all objects of a class.
  ///
  ///     @ObservedResults(Dog.self, keyPaths: ["name"], sortDescriptor: SortDescriptor(keyPath: "name")) var dogs
  ///     @ObservedResults(PersonView.self, filter: NSPredicate(format: "age >= 18")) var adults
  ///
  /// - Parameters:
  ///   - type: the class, or a projection of it.
  ///   - configuration: the realm; nil for that of the environment.
  ///   - filter: the condition; nil for none.
  ///   - keyPaths: names of the properties whose changes evaluate the view again; nil for all.
  ///   - sortDescriptor: the order; nil for that of the class.
  public init(
    _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
    keyPaths: [String]? = nil, sortDescriptor: Fief.SortDescriptor? = nil
  ) {
    var request = QueryRequest<ResultType>(
      configuration, keyPaths: keyPaths, sortDescriptors: sortDescriptor.map { [$0] } ?? [])
    request.setPredicate(filter)
    self.init(request: request)
  }

  /// Shows all objects of a class, with the parameters in another order.
  ///
  ///     @ObservedResults(Dog.self, keyPaths: ["name"], configuration: .defaultConfiguration) var dogs
  ///
  /// Otherwise as the initialiser with a filter.
  public init(
    _ type: ResultType.Type, keyPaths: [String]?, configuration: Realm.Configuration?,
    sortDescriptor: Fief.SortDescriptor? = nil
  ) { self.init(type, configuration: configuration, keyPaths: keyPaths, sortDescriptor: sortDescriptor) }
}
