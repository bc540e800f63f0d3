import FiefCopying
import FiefObjects
import FiefSessions

extension Realm {
  /// The contents of the realm as text, for tests that compare it with an expected text, and for the eye.
  ///
  ///     #expect(realm.dump() == """
  ///       Dog#1
  ///         age: 3
  ///         marks: {
  ///           1
  ///           5
  ///         }
  ///         photo: 4 bytes 89504e47
  ///
  ///       Person["ann"]
  ///         name: "ann"
  ///         address: Address
  ///           city: "Rome"
  ///         born: 1999-12-31T00:00:00Z
  ///         dogs: [
  ///           Dog#1
  ///         ]
  ///
  ///       """)
  ///
  /// **Order.** Classes are ordered by name, objects by primary key, objects without one by their values and links.
  /// Properties are ordered by name, the primary key first. So equal contents have equal text, in whatever order the
  /// objects and properties were made. The exception are objects without a primary key that differ only by
  /// the shape of a regular graph, such as the members of two rings of three and of a ring of six: they may be ordered
  /// by age.
  ///
  /// **Objects** are named by class and key, or by class and a number that the order gives them. A link is that name.
  /// Embedded objects, and lists and maps in any-values, stand where they are linked. What is nested deeper than twelve
  /// levels stands below the properties of its object, under a number: `(1)`.
  ///
  /// **Values** are literals: `nil`, `true`, `1`, `1.0`, `"a\n"`. Dates are in UTC. Data is hexadecimal. Strings
  /// go on in another line, after `+`, behind each line break, and data after 32 bytes. Strings escape control
  /// characters, invisible characters, and what has several equivalent spellings. An any-value names the type of what
  /// it holds, unless the literal shows it: `float 1.5`, `decimal 1.50`, `uuid …`, `objectId …`. A list is in `[]`, a
  /// set in `{}`, a map in `[]` with keys. `Int` and `Int8`, or `Float` and `Double`, look alike in properties.
  ///
  /// Names are the stored ones. Classes without objects do not appear, so an empty realm is an empty text. All classes
  /// of the file appear, also those that `objectTypes` leaves out. Linking objects, indexes and waiting documents are
  /// left out. Inside a write the text shows the write's state.
  ///
  /// - Complexity: O(n log n) in the objects, links and values; objects with equal values are compared property by
  ///   property.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func dump() -> String {
    session.checkConfinement()
    session.noteReadOfAll()
    return session.snapshot.dump()
  }

  /// The difference between the contents of two realms, as text; nil if they are equal.
  ///
  ///     if let difference = Realm.difference(expected, realm) { Issue.record("\(difference)") }
  ///
  ///       Person["ann"]
  ///     -   age: 3
  ///     +   age: 4
  ///         dogs: [
  ///     -     Dog#1
  ///         ]
  ///     - Dog#1 of a
  ///     -   name: "Rex"
  ///     + Person["bob"]
  ///     +   age: 7
  ///     +   dogs: []
  ///
  /// Lines are those of `dump()`: `-` stands before those of `a` alone, `+` before those of `b` alone. Of an object
  /// that both have, only the properties that differ appear. Two realms without a difference have the same dump.
  ///
  /// Objects with a primary key are compared with the object of the same key. Other objects are compared with one that
  /// has equal values and links, or else with the most similar one. When more than about 140 objects of a
  /// class without a key changed, they appear as removed and added. Numbers are those of `a.dump()`; `of a` and `of b`
  /// mark objects that the other realm does not have.
  ///
  /// - Parameters:
  ///   - a: a realm.
  ///   - b: another realm, or the same one at another time (`freeze()`).
  ///   - limit: the maximum number of objects to describe. The others are counted. Of one object at most 40 lines
  ///     appear.
  /// - Complexity: O(n log n) in the objects, links and values of both.
  ///
  /// Traps outside the realms' threads, queues or actors, and for a negative limit.
  public static func difference(_ a: Realm, _ b: Realm, limit: Int = 100) -> String? {
    if limit < 0 {
      fatalError("Realms were compared with a limit of \(limit): give the number of objects to describe, 0 or more.")
    }
    for realm in [a, b] {
      realm.session.checkConfinement()
      realm.session.noteReadOfAll()
    }
    return a.session.snapshot.difference(from: b.session.snapshot, limit: limit)
  }
}
