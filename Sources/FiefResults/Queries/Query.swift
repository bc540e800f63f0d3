public import FiefGraph
import FiefObjects
public import FiefQueries

/// A condition under construction, or a value in one: the argument and the result of the closure of `where`.
///
///     realm.objects(Person.self).where { person in
///       person.age > 30 && person.dogs.name.starts(with: "R") && person.home.city.in(["Oslo", "Bergen"])
///     }
///
/// `Query<Person>` has the properties of the class, as `Query<Int>`, `Query<String?>` and so on; comparing them returns
/// `Query<Bool>`. Behind a property that holds several values (a list, a set, a map, linking objects) a comparison
/// holds if at least one of them satisfies it. Behind a null link all properties are null.
///
/// The operators by families:
///
///     persons.where { $0.age == 3 || $0.name != "Rex" }           // equality; null equals only null
///     persons.where { $0.age > 3 && !($0.age > 9) }               // order of numbers, dates, strings and data; logic
///     persons.where { $0.age.contains(3..<9) || $0.age.in([1, 2]) }
///     persons.where { $0.name.contains("x", options: [.caseInsensitive]) }   // starts, ends, equals, like, fullText
///     persons.where { $0.dogs.count > 2 && $0.dogs.age.max > 9 }  // aggregates: count, min, max, avg, sum
///     persons.where { ($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0 } // several conditions on one element
///     persons.where { $0.scores["chess"] > 7 || $0.scores.keys == "go" }     // maps
///     shops.where { $0.spot.geoWithin(area) }                     // points on the earth, in a box, circle or polygon
///
/// Strings are compared byte by byte. An object of another realm in a condition traps when the query is made; an
/// unmanaged or deleted object equals no stored one. A condition that a store cannot evaluate, such as a comparison of
/// two collections, traps too.
@dynamicMemberLookup
public struct Query<T> {
  @usableFromInline let form: QueryForm

  /// The tested element.
  @inlinable
  init() { self.init(.element) }

  @inlinable
  init(_ form: QueryForm) { self.form = form }

  /// Makes the tested element, as the closure of `where` receives it; for tests.
  public static func _constructForTesting() -> Query<T> { Query<T>() }

  /// The condition as a format and its arguments; they are written into the format, and the array is empty. Traps for a
  /// count of a subquery that is not compared.
  public func _constructPredicate() -> (String, [Any]) { (predicate.description, []) }

  /// The condition; a value of type `Bool` is compared with true.
  var predicate: QueryPredicate { form.predicate }

  /// The path to the value.
  var path: PropertyPath { form.path }

  /// The path to the first property that holds several values; for a condition, all such paths.
  var collections: [PropertyPath] { form.collections }

  // MARK: Extending a path

  /// The value at the end of a longer path.
  func step<V>(_ component: PropertyPath.Component) -> Query<V> {
    Query<V>(.path(path.appending(component), over: form.passed))
  }

  /// The value at a property of a class.
  @inlinable
  func property<Root: ObjectBase, V>(_ keyPath: KeyPath<Root, V>) -> Query<V> {
    guard case .element = form else { return propertyFurther(keyPath) }
    if let resolved = ResolvedKeyPaths.recent(keyPath) { return Query<V>(.property(resolved)) }
    return Query<V>(.value(at: keyPath))
  }

  /// The value at a property behind a path.
  @usableFromInline
  func propertyFurther<Root: ObjectBase, V>(_ keyPath: KeyPath<Root, V>) -> Query<V> {
    let (resolved, _) = ResolvedKeyPaths.resolve(keyPath)
    let path = path
    let next = PropertyPath(path.components + resolved.path.components, variable: path.variable)
    return Query<V>(.path(next, over: resolved.holdsSeveral ? form.passed + [next] : form.passed))
  }

  /// The same value, with another static type.
  func retyped<V>() -> Query<V> { Query<V>(form) }

  // MARK: Comparing

  /// A comparison with a value of the application.
  @inlinable
  func compare<V>(_ relation: Comparison.Operator, to value: V) -> Query<Bool> {
    if case .property(let resolved) = form, let value = Self.plain(value) {
      return Query<Bool>(.comparison(resolved, relation, value))
    }
    return compareFurther(relation, value)
  }

  /// A comparison with a value, where the property is not plain or the value has an uncommon type.
  @usableFromInline
  func compareFurther<V>(_ relation: Comparison.Operator, _ value: V) -> Query<Bool> {
    compare(relation, Self.constant(value))
  }

  /// A comparison with a constant.
  func compare(_ relation: Comparison.Operator, _ operand: QueryOperand, options: TextOptions = []) -> Query<Bool> {
    let constant = operand.constant
    switch form {
    case .element, .property, .path:
      if case .members(let constants) = constant { return compare(relation, constants) }
      if case .property(let resolved) = form, case .value(let value) = constant, options.isEmpty,
        operand.origins.isEmpty
      {
        return Query<Bool>(.comparison(resolved, relation, value))
      }
      return Query<Bool>(
        .condition(
          QueryPredicate(
            Comparison(
              .path(path), relation, .constant(constant), options: options, origins: operand.origins)),
          over: collections))
    case .subquery(let collection, let condition):
      guard case .value(.int(let number)) = constant else {
        fatalError("The count of a subquery can be compared with a number alone.")
      }
      let counted = QueryPredicate.Subquery(collection, variable: Self.variable, count: relation, number)
      return Query<Bool>(.condition(QueryPredicate(counted, where: condition)))
    case .condition, .comparison, .joined:
      // A condition compared with true or false.
      if case .value(.bool(let wanted)) = constant, relation == .equal || relation == .notEqual {
        return Query<Bool>(wanted == (relation == .equal) ? form : form.negated)
      }
      fatalError("A condition can be compared with true and false alone.")
    }
  }

  /// A comparison with values of custom types that are mapped to embedded classes, member by member.
  private func compare(_ relation: Comparison.Operator, _ constants: [MemberConstant]) -> Query<Bool> {
    guard [.equal, .notEqual, .in].contains(relation) else {
      fatalError("A value that is mapped to an embedded class can only be compared for equality.")
    }
    func holds(_ path: PropertyPath) -> QueryPredicate { MemberConstant.condition(constants, relation, at: path) }
    let path = path
    guard var collection = collections.first, path.components.starts(with: collection.components) else {
      return Query<Bool>(.condition(holds(path), over: collections))
    }
    // All members must be equal in one element, so a subquery tests each element.
    var rest = Array(path.components.dropFirst(collection.components.count))
    if rest.first == .allValues { collection = collection.appending(rest.removeFirst()) }
    let element = QueryPredicate.Subquery(collection, variable: Self.variable, count: .greater, 0)
    return Query<Bool>(
      .condition(QueryPredicate(element, where: holds(PropertyPath(rest, variable: Self.variable)))))
  }

  /// A comparison with another property.
  func compare<U>(_ relation: Comparison.Operator, with other: Query<U>, options: TextOptions = []) -> Query<Bool> {
    if !collections.isEmpty && !other.collections.isEmpty {
      fatalError("Comparing two collection columns is not supported: compare one with a constant.")
    }
    let comparison = Comparison(.path(path), relation, .path(other.path), options: options)
    return Query<Bool>(.condition(QueryPredicate(comparison), over: collections + other.collections))
  }

  /// The variable for an element in the condition of a subquery.
  static var variable: String { "element" }

  /// The constant for a value of the application.
  static func constant<V>(_ value: V) -> QueryOperand {
    plain(value).map { QueryOperand(.value($0)) } ?? operand(value, of: V.self)
  }

  /// The constant for a value of one of the most common types, without dynamic casts. Each branch compares the type
  /// first, so the bits are reinterpreted as the type that they have. Nil for other types.
  @inlinable
  static func plain<V>(_ value: V) -> _StoredValue? {
    if V.self == Int.self { return unsafe .int(Int64(unsafeBitCast(value, to: Int.self))) }
    if V.self == String.self { return unsafe .string(unsafeBitCast(value, to: String.self)) }
    if V.self == String?.self { return unsafe unsafeBitCast(value, to: String?.self).map { .string($0) } ?? .null }
    if V.self == Int?.self { return unsafe unsafeBitCast(value, to: Int?.self).map { .int(Int64($0)) } ?? .null }
    if V.self == Bool.self { return unsafe .bool(unsafeBitCast(value, to: Bool.self)) }
    if V.self == Double.self { return unsafe .double(unsafeBitCast(value, to: Double.self)) }
    return nil
  }

  static func constants<S: Sequence>(_ values: S) -> QueryOperand { operand(Array(values), of: S.Element.self) }

  /// The constant for a value, or for several, of a static type.
  private static func operand<V>(_ argument: Any, of type: V.Type) -> QueryOperand {
    let operand = QueryError.trapping { try QueryArguments.operand(argument) }
    // Only a type that is not optional reads null as the default.
    guard case .members(let members) = operand.constant, !(type is any _CustomPersistable.Type) else { return operand }
    return QueryOperand(.members(members.map { $0.readOfNull(false) }), operand.origins)
  }
}

// MARK: - Properties

/// The objects whose properties a query names: those of all model classes. Applications do not conform to it.
///
/// The members of `Query` are bound by this protocol and not by the class `ObjectBase`: the compiler does not check
/// superclass bounds of members in a chain, and would take `name.utf8` for a property of a class.
public protocol _QueriedObject: ObjectBase {}

extension ObjectBase: _QueriedObject {}

extension Query where T: _QueriedObject {
  /// The value of a property: `$0.name`.
  ///
  ///     dogs.where { $0.name == "Rex" }
  @inlinable
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> { property(member) }
}

extension Query {
  /// The value of a property of the object behind a link, null behind a null link: `$0.dog.name`.
  ///
  ///     dogs.where { $0.toy.color == "red" }
  public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V>
  where T: OptionalProtocol, T.Wrapped: _QueriedObject { property(member) }

  /// The values of a property of all elements; a comparison holds if at least one of them satisfies it: `$0.dogs.name`.
  ///
  ///     persons.where { $0.dogs.name == "Rex" }
  public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V>
  where T: RealmCollection, T.Element: _QueriedObject { property(member) }
}

// MARK: - Conditions joined

extension Query where T == Bool {
  /// Whether both conditions hold.
  ///
  ///     dogs.where { $0.age > 2 && $0.isGood }
  public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query(.joined(QueryJoint(.and, of: a.form, b.form)))
  }

  /// Whether at least one of the two conditions holds.
  ///
  ///     dogs.where { $0.age > 9 || $0.name == "Rex" }
  public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query(.joined(QueryJoint(.or, of: a.form, b.form)))
  }

  /// Whether the condition does not hold, or the property is false.
  ///
  ///     dogs.where { !($0.age > 2 && $0.isGood) }
  ///     persons.where { !$0.dog.isGood }                  // those whose dog is not good
  ///
  /// A property alone is compared with true, and behind `!` with false. So a null link satisfies neither
  /// `$0.dog.isGood` nor `!$0.dog.isGood`, and a missing key of a map neither form; `!($0.dog.isGood == true)` holds.
  /// Behind a property that holds several values, `!` means that none of the values is true; in the condition of a
  /// subquery, an element of its collection has one value.
  public static prefix func ! (query: Query<Bool>) -> Query<Bool> { Query(query.form.negated) }

  /// How many elements of a collection satisfy a condition.
  ///
  ///     persons.where { ($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 1 }
  ///
  /// Other properties in the condition are those of the object that has the collection, and a subquery in it stays
  /// independent. Traps unless the condition uses exactly one collection. The count must be compared with a number.
  public var count: Query<Int> {
    let paths = Set(collections)
    guard paths.count == 1, let collection = paths.first else {
      fatalError("A subquery speaks of one collection of objects; this one of \(paths.count).")
    }
    let condition = form.predicate(ofElementsOf: collection)
    return Query<Int>(.subquery(collection, condition.referring(of: collection, as: Self.variable)))
  }
}

extension QueryPredicate {
  /// The condition on one element of a collection. Other paths stay unchanged: a path without a variable begins at the
  /// tested object, also in a subquery. Paths of subqueries in the condition already have the variables of these.
  func referring(of collection: PropertyPath, as variable: String) -> QueryPredicate {
    func element(_ operand: Comparison.Operand) -> Comparison.Operand {
      guard case .path(let path) = operand, path.variable == nil, path.components.starts(with: collection.components)
      else { return operand }
      return .path(PropertyPath(Array(path.components.dropFirst(collection.components.count)), variable: variable))
    }
    return mappingComparisons { comparison in
      var comparison = comparison
      comparison.left = element(comparison.left)
      comparison.right = element(comparison.right)
      return comparison
    }
  }
}
