#if DEBUG
  import Foundation
  import Testing

  @testable import FiefTool

  private func outcome(_ source: String) -> (text: String, notes: [String]) {
    let (text, notes) = Modernizing.rewrite([source])[0]
    return (text, notes.map { "\($0.line): \($0.words)" })
  }

  /// What Realm stores before and after the rewriting is the same, or a line says what is not.
  @Suite struct ModernizingSchemaTests {
    // MARK: Properties of Objective-C by inference

    @Test func aPropertyThatAnObjCProtocolRequiresIsPersisted() {
      let (text, notes) = outcome(
        """
        @objc protocol Titled { var title: String { get } }
        @objc protocol Named: Titled { var name: String? { get set } }
        protocol Plain: Named { var plain: Int { get } }
        class C: Object, Named {
          @objc dynamic var id = 0
          var name: String?
          public var title = ""
          let code = 3
          var other = 4
        }
        class D: Object { @objc dynamic var id = 0; var name: String?; var plain = 0 }
        extension D: Codable, Plain {}
        class E: C { @objc dynamic var more = 0; var size = 1 }
        @objc protocol Sized { @objc optional var size: Int { get } }
        extension RealmModule.C: @retroactive Sized {}

        """)
      #expect(
        text == """
          @objc protocol Titled { var title: String { get } }
          @objc protocol Named: Titled { var name: String? { get set } }
          protocol Plain: Named { var plain: Int { get } }
          class C: Object, Named {
            @Persisted var id = 0
            @Persisted var name: String?
            @Persisted public var title = ""
            let code = 3
            var other = 4
          }
          class D: Object { @Persisted var id = 0; @Persisted var name: String?; var plain = 0 }
          extension D: Codable, Plain {}
          class E: C { @Persisted var more = 0; @Persisted var size = 1 }
          @objc protocol Sized { @objc optional var size: Int { get } }
          extension RealmModule.C: @retroactive Sized {}

          """)
      #expect(notes == [], "\(notes)")
    }

    @Test func aRequiredPropertyOfAnotherTypeKeepsItsClass() {
      let source = """
        @objc protocol Shown { var colour: UIColor { get } }
        class C: Object, Shown {
          @objc dynamic var id = 0
          var colour: UIColor = .red
        }
        """
      #expect(outcome(source).text == source)
      #expect(outcome(source).notes.count == 1 && outcome(source).notes[0].hasPrefix("4: class 'C' stays as it is"))
    }

    @Test func aPropertyThatAnUnknownProtocolMayRequireIsListed() {
      let (text, notes) = outcome(
        """
        class Pin: Object, Codable, MKAnnotation, Elsewhere {
          @objc dynamic var id = 0
          var title: String?
          var other = 3
          private var hidden = 4
          lazy var late = 5
          var computed: Int { 6 }
        }
        """)
      #expect(text.contains("  @Persisted var title: String?\n  var other = 3\n"))
      #expect(notes.count == 1 && notes[0].hasPrefix("4: 'other' is stored by Realm if") == true, "\(notes)")
      #expect(notes[0].contains("which may be Elsewhere:"))
    }

    @Test func membersOfASubclassOfObjCMembersAreOfObjectiveC() {
      let source = """
        @objcMembers class Base: Object { dynamic var a = 0 }
        class Derived: Base { dynamic var b = 0 }
        class Mixed: Base { dynamic var b = 0; var c = 0 }
        """
      let (text, notes) = outcome(source)
      #expect(
        text == """
          class Base: Object { @Persisted var a = 0 }
          class Derived: Base { @Persisted var b = 0 }
          class Mixed: Base { dynamic var b = 0; var c = 0 }
          """)
      // What keeps 'Mixed' is listed, and so is what it loses with the attribute of its base.
      #expect(notes.contains { $0.contains("'c' is not declared as '@objc dynamic'") }, "\(notes)")
      #expect(notes.contains("3: the schema of 'Mixed' changes: 'b' is not stored any more"), "\(notes)")
      #expect(notes.contains("3: the schema of 'Mixed' changes: 'c' is not stored any more"), "\(notes)")
    }

    @Test func aPrivateMemberIsNoneOfObjectiveC() {
      let source =
        "@objcMembers class A: Object { dynamic var a = 0; private var b = 0; private(set) dynamic var c = 0 }"
      #expect(
        outcome(source).text
          == "class A: Object { @Persisted var a = 0; private var b = 0; @Persisted private(set) var c = 0 }")
      #expect(outcome(source).notes == [])
    }

    @Test func anAttributeOfInterfaceBuilderIsOneOfObjectiveC() {
      let source = "class A: Object { @objc dynamic var a = 0; @IBInspectable var b = 0 }"
      #expect(outcome(source).text == source && outcome(source).notes.count == 1)
    }

    // MARK: Older declarations beside @Persisted

    @Test func anOlderPropertyBesidePersistedOnesIsNotStoredAndListed() {
      let (text, notes) = outcome(
        """
        class A: Object {
          @Persisted var a = 0
          @objc dynamic var b = 0
          let c = List<Int>()
          var d = 0
          @objc dynamic var e = 0, f = 1
        }
        """)
      #expect(
        text == """
          class A: Object {
            @Persisted var a = 0
            var b = 0
            let c = List<Int>()
            var d = 0
            @objc dynamic var e = 0, f = 1
          }
          """)
      #expect(
        notes.count == 3 && notes[0].hasPrefix("3: 'b' is not stored")
          && notes[1].hasPrefix("4: 'c' is not stored by Realm"), "\(notes)")
      #expect(notes.last?.hasPrefix("6: ") == true)
    }

    @Test func anIgnoredCollectionBesidePersistedPropertiesKeepsItsClass() {
      let source =
        "class A: Object { @Persisted var a = 0; let b = List<Int>()\n"
        + "  override class func ignoredProperties() -> [String] { [\"b\"] } }"
      #expect(outcome(source).text == source && outcome(source).notes.count == 1)
    }

    // MARK: Forms of declarations

    @Test func aCollectionWithItsModuleIsPersistedWithIt() {
      let (text, notes) = outcome(
        """
        class A: Object {
          let l = RealmSwift.List<Int>()
          let m: RealmSwift.Map<String, Int> = RealmSwift.Map()
          let o = RealmSwift.RealmOptional<Int>()
          let k = RealmSwift.LinkingObjects(fromType: B.self, property: "a")
          let n = SwiftUI.List<Int>()
        }
        """)
      #expect(
        text == """
          class A: Object {
            @Persisted var l: RealmSwift.List<Int>
            @Persisted var m: RealmSwift.Map<String, Int>
            @Persisted var o: Int?
            @Persisted(originProperty: "a") var k: RealmSwift.LinkingObjects<B>
            let n = SwiftUI.List<Int>()
          }
          """)
      #expect(notes == [], "\(notes)")
    }

    @Test func anAliasOfACollectionKeepsItsClass() {
      let source = "typealias Numbers = List<Int>\nclass A: Object { let a = Numbers(); let b = List<Int>() }"
      #expect(outcome(source).text == source)
      #expect(outcome(source).notes == ["2: class 'A' stays as it is: the declaration of 'a' has an unknown form"])
    }

    @Test func aCaseOfAnEnumerationOfTheFilesShowsItsType() {
      let (text, notes) = outcome(
        """
        @objc enum E: Int, RealmEnum { case a, b = 4; case c }
        class A: Object {
          @objc dynamic var e = E.a
          @objc dynamic var f = Module.E.c
          @objc dynamic var g: Module.E = .b
        }
        """)
      #expect(
        text == """
          enum E: Int, PersistableEnum { case a, b = 4; case c }
          class A: Object {
            @Persisted var e = E.a
            @Persisted var f = Module.E.c
            @Persisted var g: Module.E = .b
          }
          """)
      #expect(notes == [], "\(notes)")
      let unknown = "enum E: Int, RealmEnum { case a }\nclass A: Object { @objc dynamic var e = E.other }"
      #expect(outcome(unknown).notes.count == 1)
    }

    @Test func onlyAnObjCNameOfAClassIsListed() {
      let (text, notes) = outcome(
        "@objc\nclass A: Object { @objc dynamic var a = 0 }\n@objc(Other) class B: Object { @objc dynamic var b = 0 }\n"
      )
      #expect(
        text == "class A: Object { @Persisted var a = 0 }\n@objc(Other) class B: Object { @Persisted var b = 0 }\n")
      #expect(notes.count == 1 && notes[0].hasPrefix("3: class 'B' still has an @objc name"), "\(notes)")
    }

    // MARK: Functions

    @Test(arguments: [
      "type(of: object).primaryKey()", "A.primaryKey()", "B.primaryKey()", "T.primaryKey().map { $0 }",
      "[A.self].map { $0.primaryKey() }",
    ])
    func primaryKeyStaysWhereItIsCalled(_ call: String) {
      let (text, notes) = outcome(
        """
        class A: Object {
          @objc dynamic var id = 0
          override class func primaryKey() -> String? { "id" }
        }
        class B: A { @objc dynamic var b = 0 }
        func f() { print(\(call) as Any) }
        """)
      #expect(text.contains("@Persisted(primaryKey: true) var id = 0"))
      #expect(text.contains("  override class func primaryKey() -> String? { \"id\" }\n"))
      #expect(notes == ["3: primaryKey() stays, because it is called"])
      #expect(outcome(text).text == text && outcome(text).notes == [])
    }

    @Test func primaryKeyOfAnotherClassGoes() {
      let (text, notes) = outcome(
        """
        class A: Object { @objc dynamic var id = 0; override class func primaryKey() -> String? { "id" } }
        class B: Object { @objc dynamic var id = 0; override class func primaryKey() -> String? { "id" } }
        func f() { print(B.primaryKey(), "type(of: a).primaryKey()") }
        """)
      #expect(text.components(separatedBy: "func primaryKey").count == 2 && notes.count == 1, "\(text)")
      #expect(notes[0].hasPrefix("2: "))
    }

    // MARK: Uses of a RealmProperty

    @Test func aBareUseOfARealmPropertyIsListed() {
      let source = """
        class A: Object {
          let d = RealmProperty<Int?>()
          func mapping(map: Map) {
            d <- map["d"]
            take(d)
            take(self.d, d: 3, x ? d : nil)
            d.value = [d: 1, 2: d]
            print("\\(d.value)", "d")
          }
          func f(d: Int) {}
        }
        extension A { func g() { take(d) } }
        class B: A { func h() { take(d) } }
        func other(_ a: A, d: Int) {
          print(a.d, d, \\A.d, .d, a.d(), [.d])
        }
        """
      let (text, notes) = outcome(source)
      #expect(text.contains("    take(d)\n"))
      let lines = notes.compactMap { $0.split(separator: ":").first.flatMap { Int($0) } }
      #expect(Set(lines) == [4, 5, 6, 7, 8, 12, 13, 15], "\(notes)")
    }

    @Test func usesOfANameThatOthersHaveAreOneLineOfAFile() {
      let outcomes = Modernizing.rewrite([
        "class A: Object { let d = RealmOptional<Int>(); func f() { take(d) } }", "struct B { var d = 0 }",
        "func f(_ a: A, _ b: B) {\n  take(a.d)\n  take(b.d)\n  take(\\A.d)\n  take(a.d.value)\n  take(b.d)\n}",
      ])
      let notes = outcomes[2].notes.map { "\($0.line): \($0.words)" }
      #expect(outcomes[0].notes.count == 1)
      #expect(notes.count == 3, "\(notes)")
      #expect(notes[0].hasPrefix("2: ") && notes[0].hasSuffix("and so on 2 more lines of this file"), "\(notes)")
      #expect(notes[1].hasPrefix("4: 'A.d' is a plain value now:"), "\(notes)")
      #expect(notes[2].hasPrefix("5: 'A.d' has no 'value'"), "\(notes)")
    }

    // MARK: Changes that remain

    @Test func anIndexThatRealmIgnoredIsListed() {
      let (text, notes) = outcome(
        """
        class A: Object {
          @Persisted var a = 0
          override class func indexedProperties() -> [String] { ["a"] }
        }
        """)
      #expect(text.contains("  @Persisted(indexed: true) var a = 0\n}"))
      #expect(notes == ["1: the schema of 'A' changes: 'a' is indexed now"])
    }

    @Test func aPropertyThatABaseIgnoredIsListed() {
      let (_, notes) = outcome(
        """
        class Base: Object {
          @objc dynamic var cache = 0
          @objc dynamic var id = 0
          override class func ignoredProperties() -> [String] { ["cache"] }
        }
        class Derived: Base { @objc dynamic var name = "" }
        class Other: Base { @objc dynamic var cache = ""; let list = List<Int>() }
        """)
      #expect(notes == ["7: the schema of 'Other' changes: 'cache' is stored now"])
    }

    @Test func aKeyThatABaseDeclaresStays() {
      let (text, notes) = outcome(
        """
        class Base: Object { override class func primaryKey() -> String? { "id" } }
        class Derived: Base { @objc dynamic var id = 0 }
        """)
      #expect(text.contains("primaryKey()") && text.contains("@Persisted var id"))
      #expect(notes.allSatisfy { !$0.contains("changes") }, "\(notes)")
    }

    @Test func differencesOfSchemasAreFoundInBothDirections() throws {
      func schema(_ body: String) throws -> SourceSchema {
        SourceSchema([try SwiftSource(Array("class A: Object { \(body) }".utf8))])
      }
      func differences(_ old: String, _ new: String) throws -> [String] {
        try schema(old).differences(to: try schema(new), ofSource: 0).map(\.words)
      }
      let stored = "@Persisted(primaryKey: true) var a: Int"
      #expect(try differences(stored, stored) == [])
      #expect(try differences("let a = RealmOptional<Int>()", "@Persisted var a: Int?") == [])
      let older = "@objc dynamic var a: Int = 0; override class func primaryKey() -> String? { \"a\" }"
      #expect(try differences(older, stored) == [])
      for (old, new) in [
        (stored, "@Persisted var a: Int"), (stored, "@Persisted(primaryKey: true) var a: String"),
        (stored, "var a: Int"),
        ("@Persisted(indexed: true) var a: Int", "@Persisted var a: Int"),
        ("@Persisted(originProperty: \"b\") var a: X", "@Persisted(originProperty: \"c\") var a: X"),
        ("@objc dynamic var a = 0", "var a = 0"), ("let a = List<Int>()", "@Persisted var a: List<Int?>"),
      ] {
        #expect(try differences(old, new).count >= 1, "\(old) \(new)")
        #expect(try differences(new, old).count >= 1, "\(new) \(old)")
      }
    }
  }
#endif
