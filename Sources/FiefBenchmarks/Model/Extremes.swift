import Fief

// Much of one thing: open realms, classes, columns, observers.

extension Workload {
  static let modelExtremes = [
    Workload(
      "open_realms_held",
      "N/10 in-memory realms of one class, each with an object, all open at once; closing them is included. One op is "
        + "a realm."
    ) { run in
      try run.time {
        var realms: [Realm] = []
        for number in 0..<run.tenth {
          let realm = try Realm(configuration: .inMemory(objectTypes: [DogToy.self]))
          try realm.write { _ = realm.create(DogToy.self, value: ["name": "toy\(number)"]) }
          realms.append(realm)
        }
        try expect(Realm.openRealms.count, run.tenth, as: "open realms")
        try expect(realms.last?.objects(DogToy.self).first?.name, "toy\(run.tenth - 1)", as: "the last toy")
        realms.removeAll()
        try expect(Realm.openRealms.count, 0, as: "open realms at the end")
        return run.tenth
      }
    },
    Workload(
      "schema_1000_classes",
      "A realm of N/1,000 classes made at run time is opened, and each class gets an object. One op is a class."
    ) { run in
      let count = run.n / 1_000
      let schema = DynamicSchema((0..<count).map { .init("Class\($0)", [.init("number", .int)]) })
      try run.time {
        var configuration = Realm.Configuration.inMemory()
        configuration.dynamicSchema = schema
        let realm = try Realm(configuration: configuration)
        try realm.write {
          for number in 0..<count { realm.dynamicCreate("Class\(number)", value: ["number": number]) }
        }
        let last = realm.dynamicObjects("Class\(count - 1)").first
        try expect(last?["number"] as? Int, count - 1, as: "the number in the last class")
        return count
      }
    },
    Workload(
      "table_4096_columns",
      "An object of 4,096 properties made at run time is created, and each property is set and read. One op is a "
        + "property."
    ) { run in
      let count = 4_096
      let names = (0..<count).map { "p\($0)" }
      let value = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
      try run.time {
        var configuration = Realm.Configuration.inMemory()
        configuration.dynamicSchema = DynamicSchema([.init("Wide", names.map { .init($0, .int) })])
        let realm = try Realm(configuration: configuration)
        var sum = 0
        try realm.write {
          let object = realm.dynamicCreate("Wide", value: value)
          for (number, name) in names.enumerated() { object[name] = number }
          for name in names { sum += object[name] as? Int ?? 0 }
        }
        try expect(sum, count * (count - 1) / 2, as: "the sum of the properties")
        return count
      }
    },
    Workload(
      "observe_objects_held",
      "N dogs are observed, each by a block of its own; a thousand of them change in a write. One op is an observer: "
        + "adding it, the delivery, and releasing it."
    ) { run in
      let realm = try Realm.forBenchmark()
      let dogs = try realm.addDogs(Dogs.names(run.n))
      var base = 0
      try run.time {
        var count = 0
        var tokens: [NotificationToken] = []
        for dog in dogs { tokens.append(dog.observe { _ in count += 1 }) }
        realm.refresh()
        base += 100
        try realm.write {
          for number in 0..<1_000 { dogs[number * (run.n / 1_000)].age = base }
        }
        realm.refresh()
        try expect(count, 1_000, as: "changes that were delivered")
        tokens.removeAll()
        return run.n
      }
    },
  ]
}
