#if DEBUG
  import Fief
  import FiefGraph
  import FiefRuntime
  import RealmSwift

  /// Everything that an application can observe of an operation.
  enum Outcome: Equatable {
    case done(String)
    case refused(Realm.Error.Code, String)
  }

  /// A realm that carries out steps, with some short cuts switched off.
  struct Side {
    let realm: Realm
    let source: Realm
    let watch: ShortCut.Watch
    let calls = CallCount()
    /// The objects that steps name by number.
    private(set) var held: [Object] = []
    private let foreign: [Keeper]

    init(_ watch: ShortCut.Watch) throws {
      self.watch = watch
      let types: [ObjectBase.Type] = [Token.self, NarrowToken.self, Keeper.self, Ledger.self, Plot.self]
      let realm = try Realm(configuration: .inMemory(objectTypes: types))
      let source = try Realm(configuration: .inMemory(objectTypes: types))
      (self.realm, self.source) = (realm, source)
      foreign = try source.write {
        let keepers = (0..<12).map { source.create(Keeper.self, value: ["id": 10 + $0, "name": "far \($0)"]) }
        for (index, keeper) in keepers.enumerated() {
          if index % 3 != 0 { keeper.next = keepers[(index * 5 + 1) % 12] }
          if index % 2 == 0 { keeper.home = Plot(value: ["street": "Far", "number": index]) }
          if index % 4 == 1 { keeper.friends.append(objectsIn: [keepers[0], keepers[(index * 7) % 12]]) }
          keeper.numbers.append(objectsIn: 0..<index)
          if index == 7 { keeper.any = .object(keepers[2]) }
        }
        return keepers
      }
    }

    /// Carries out a write of some steps.
    ///
    /// - Returns: the outcome of each step that told one, and that of the write.
    mutating func write(_ steps: [Step]) -> [Outcome] {
      var outcomes: [Outcome] = []
      let outcome = watch.run {
        CallCount.$current.withValue(calls) {
          Self.outcome {
            try realm.write { for step in steps { outcomes.append(carryOut(step)) } }
            return "written"
          }
        }
      }
      return outcomes + [outcome]
    }

    /// Answers a question. Initialisers are not counted: walks may give an object out again, and the first use of a key
    /// path in a process makes instances.
    func answer(_ question: Question) -> String { watch.run { text(of: question) } }

    private static func outcome(_ body: () throws -> String) -> Outcome {
      do {
        return .done(try body())
      } catch let error as Realm.Error {
        return .refused(error.code, error.localizedDescription)
      } catch {
        return .refused(.fail, "\(error)")
      }
    }

    // MARK: Steps

    private mutating func carryOut(_ step: Step) -> Outcome {
      var made: Object?
      let outcome = Self.outcome { () -> String in
        switch step {
        case .create(let kind, let given, let policy):
          made = realm.create(kind.type, value: value(given), update: policy)
        case .createAtOnce(let kind, let given, let policy):
          made = try realm.create(kind.type, validating: value(given), update: policy)
        case .make(let kind, let given):
          let object = kind.type.init()
          if case .entries(let entries) = given {
            for (name, given) in entries where Self.isAssigned(name) { object[name] = value(given) }
          }
          made = object
        case .add(let number, let policy):
          if let object = object(number), !object.isInvalidated { realm.add(object, update: policy) }
        case .copy(let number, let keys): made = realm.copy(foreign[number % foreign.count], keys: keys)
        case .createFrom(let number): made = realm.create(Keeper.self, value: foreign[number % foreign.count])
        case .link(let number, let target):
          if let keeper = keeper(number), !keeper.isInvalidated { keeper.next = target.flatMap { self.keeper($0) } }
        case .append(let number, let element):
          if let keeper = keeper(number), !keeper.isInvalidated, let element = self.keeper(element) {
            keeper.friends.append(element)
          }
        case .appendNumber(let number, let element):
          if let keeper = keeper(number), !keeper.isInvalidated { keeper.numbers.append(element) }
        case .delete(let number):
          if let object = object(number), object.realm == realm, !object.isInvalidated { realm.delete(object) }
        case .undone(let steps):
          var outcomes: [Outcome] = []
          struct Cancelled: Error {}
          do {
            try realm.savepoint {
              for step in steps { outcomes.append(carryOut(step)) }
              throw Cancelled()
            }
          } catch is Cancelled {}
          return "\(outcomes)"
        }
        return made.map { "\($0.realm != nil) \(Self.text(of: $0))" } ?? ""
      }
      if let made { held.append(made) }
      return outcome
    }

    /// Whether a property is set in unmanaged objects: those that take every value by name.
    private static func isAssigned(_ name: String) -> Bool {
      ["id", "n", "name", "text", "city", "age"].contains(name)
    }

    private func object(_ number: Int) -> Object? { held.isEmpty ? nil : held[number % held.count] }

    private func keeper(_ number: Int) -> Keeper? {
      let keepers = held.compactMap { $0 as? Keeper }
      return keepers.isEmpty ? nil : keepers[number % keepers.count]
    }

    private func value(_ given: Given) -> Any {
      switch given {
      case .plain(let value): value
      case .held(let number): keeper(number) as Any
      case .foreign(let number): foreign[number % foreign.count]
      case .entries(let entries):
        Dictionary(entries.map { ($0, value($1)) }) { first, _ in first } as [String: Any]
      case .items(let items): items.map(value) as [Any]
      case .optional(let given): Any?.some(value(given)) as Any
      }
    }

    private static func text(of object: Object) -> String {
      if object.isInvalidated { return "invalid" }
      return (try? ObjectDocument(object).json()).map { String(decoding: $0, as: UTF8.self) } ?? "\(object)"
    }

    // MARK: Questions

    private func text(of question: Question) -> String {
      let (keepers, tokens) = (realm.objects(Keeper.self), realm.objects(Token.self))
      switch question {
      case .key(let key): return realm.object(ofType: Keeper.self, forPrimaryKey: key).map(Self.text) ?? "none"
      case .name(let name): return Self.text(of: keepers.where { $0.name == name })
      case .city(let city): return Self.text(of: keepers.where { $0.city == city })
      case .text(let text):
        return "\(tokens.where { $0.text == text }.count) \(tokens.where { $0.text != text }.count)"
      case .ages(let range):
        let found = keepers.where { $0.age >= Int8(clamping: range.lowerBound) && $0.age <= 100 }
        return "\(keepers.where { $0.age < Int8(clamping: range.lowerBound) }.count) \(Self.text(of: found))"
      case .beginning(let text): return Self.text(of: keepers.where { $0.name.starts(with: text) })
      case .containing(let text, let foldsCase):
        return Self.text(of: keepers.where { $0.name.contains(text, options: foldsCase ? .caseInsensitive : []) })
      case .linked(let age): return Self.text(of: keepers.where { $0.next.age > Int8(age) })
      case .sorted(let byName, let first):
        let sorted = byName ? keepers.sorted(byKeyPath: "name") : keepers.sorted(byKeyPath: "age", ascending: false)
        return "\(sorted.first.map(Self.text) ?? "none") \(sorted.isEmpty) "
          + sorted.prefix(first).map { "\($0.id)" }.joined(separator: " ") + " " + Self.text(of: sorted)
      case .totals:
        return "\(keepers.sum(of: \.age) as Int) \(keepers.max(of: \.age) as Any) \(keepers.min(of: \.age) as Any) "
          + "\(tokens.average(of: \.n) as Any) \(keepers.where { $0.id > 3 }.sum(of: \.age) as Int)"
      case .ends:
        return "\(keepers.count) \(keepers.first?.id ?? -1) \(keepers.last?.id ?? -1) \(tokens.isEmpty) "
          + "\(keepers.count > 2 ? keepers[1].id : -1)"
      case .walk:
        var text = ""
        for token in tokens { text += "\(token.n) " }
        for keeper in keepers { text += keeper.friends.map { "\($0.id)" }.joined(separator: ",") + " " }
        return text
      case .backlinks(let key):
        guard let keeper = realm.object(ofType: Keeper.self, forPrimaryKey: key) else { return "none" }
        return "\(keeper.previous.count)"
      }
    }

    private static func text(of results: Results<Keeper>) -> String {
      "\(results.count): \(results.isEmpty) " + results.map { "\($0.id)" }.joined(separator: " ")
    }
  }
#endif
