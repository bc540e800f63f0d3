import RealmSwift

extension Migrations {
  /// The way from the files of older versions to the present one.
  ///
  /// | version | an issue has |
  /// | --- | --- |
  /// | 1 | `number`, `subject`, `isClosed`, `assignee` as a text |
  /// | 2 | `title` instead of `subject`, `state` instead of `isClosed` |
  /// | 3 | `assignee` as a link to a person; labels, comments, details, and the date |
  ///
  /// New properties need no code.
  static var ofTracker: Migrations {
    Migrations {
      Step(2) { migration in
        migration.renameProperty(onType: "Issue", from: "subject", to: "title")
        migration.enumerateObjects(ofType: "Issue") { old, new in
          new?["state"] = old?["isClosed"] as? Bool == true ? State.closed : State.open
        }
      }
      Step(3) { migration in
        var persons: [String: MigrationObject] = [:]
        migration.enumerateObjects(ofType: "Issue") { old, new in
          guard let name = old?["assignee"] as? String, !name.isEmpty else { return }
          let person = persons[name] ?? migration.create("Person", value: ["name": name])
          persons[name] = person
          new?["assignee"] = person
        }
      }
    }
  }
}
