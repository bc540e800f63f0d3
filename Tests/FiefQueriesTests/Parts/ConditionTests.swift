#if DEBUG
  import FiefGraph
  import FiefTestSupport
  import Testing

  @testable import FiefQueries

  private typealias RowTest = FiefQueries.Test

  /// What bound conditions are without constants, and the programs that are compiled from them.
  @Suite struct ConditionTests {
    /// A test of an integer in a leaf of its own.
    private func test(_ leaf: Int) -> RowTest { .integers(leaf: leaf, 1...1, isInverted: false, ofNull: false) }

    /// An element of a condition in postfix order; tests by the numbers of their leaves.
    private enum Step {
      case test(Int)
      case constant(Bool)
      case not, and, or
    }

    private func condition(
      _ steps: [Step], tests: [RowTest]? = nil, constraints: [Int: Constraint] = [:]
    ) -> BoundCondition {
      var condition = BoundCondition()
      for step in steps {
        switch step {
        case .test(let number): condition.append(.test(tests?[number] ?? test(number), constraints[number]))
        case .constant(let value): condition.append(.constant(value))
        case .not: condition.negate()
        case .and: condition.join(and: true)
        case .or: condition.join(and: false)
        }
      }
      return condition
    }

    private func condition(_ steps: Step...) -> BoundCondition { condition(steps) }

    private func words(_ condition: BoundCondition, _ node: Int? = nil) -> String {
      let node = node ?? condition.root
      func joined(and isAnd: Bool) -> String {
        let members = condition.members(of: node, and: isAnd).map { words(condition, $0) }
        return "(" + members.joined(separator: isAnd ? "&" : "|") + ")"
      }
      switch condition.nodes[node] {
      case .constant(let value): return "\(value)"
      case .test(.integers(let leaf, _, _, _), _): return "\(leaf)"
      case .test: return "?"
      case .not(let inner): return "!\(words(condition, inner))"
      case .and: return joined(and: true)
      case .or: return joined(and: false)
      }
    }

    @Test func chainsOfOneOperatorAreOneNode() {
      #expect(words(condition(.test(0), .test(1), .and, .test(2), .and)) == "(0&1&2)")
      #expect(words(condition(.test(0), .test(1), .test(2), .or, .or)) == "(0|1|2)")
      #expect(words(condition(.test(0), .test(1), .and, .test(2), .or)) == "((0&1)|2)")
    }

    @Test func constantsAreLeftOut() {
      #expect(words(condition(.test(0), .constant(true), .and)) == "0")
      #expect(words(condition(.constant(false), .test(0), .or)) == "0")
      #expect(words(condition(.test(0), .constant(false), .and)) == "false")
      #expect(words(condition(.constant(true), .test(0), .or)) == "true")
      #expect(words(condition(.constant(true), .constant(true), .and, .test(3), .and)) == "3")
      #expect(words(condition(.constant(false), .constant(false), .or)) == "false")
    }

    @Test func negationsOfNegationsAreLeftOut() {
      #expect(words(condition(.test(0), .not)) == "!0")
      #expect(words(condition(.test(0), .not, .not)) == "0")
      #expect(words(condition(.test(0), .not, .not, .not)) == "!0")
      #expect(words(condition(.test(0), .not, .constant(true), .and, .not)) == "0")
      #expect(words(condition(.constant(true), .not)) == "false")
      #expect(words(condition(.test(0), .test(1), .and, .not, .not, .test(2), .and)) == "(0&1&2)")
    }

    @Test func nestsOfAnyDepthAreReadWithoutRecursion() {
      var steps: [Step] = [.test(0)]
      for number in 0..<50_000 {
        steps += [.constant(number % 2 == 0), number % 2 == 0 ? .and : .or, .not, .not]
      }
      #expect(words(condition(steps)) == "0")
    }

    @Test func aProgramTestsCheapConditionsFirst() {
      let cheap = test(0)
      let dear = RowTest.integerSet(leaf: 1, [1], ofNull: false)
      let program = Program(condition([.test(0), .test(1), .and], tests: [dear, cheap]))
      guard case .integers = program.tests[0] else {
        Issue.record("The cheap test is not the first one.")
        return
      }
    }

    @Test func rangesOfOneColumnAreMerged() {
      let tests: [RowTest] = [
        .integers(leaf: 0, 3...9, isInverted: false, ofNull: false), test(1),
        .integers(leaf: 0, 5...20, isInverted: false, ofNull: false),
      ]
      let program = Program(condition([.test(0), .test(1), .and, .test(2), .and], tests: tests))
      guard case .integers(0, 5...9, false, false) = program.tests[0] else {
        Issue.record("The ranges were not merged.")
        return
      }
      #expect(program.tests.count == 2)
    }

    @Test func rangesThatAreInvertedOrDisjointStay() {
      let inverted: [RowTest] = [
        .integers(leaf: 0, 3...9, isInverted: true, ofNull: false),
        .integers(leaf: 0, 5...20, isInverted: false, ofNull: false),
      ]
      let disjoint: [RowTest] = [
        .integers(leaf: 0, 3...4, isInverted: false, ofNull: false),
        .integers(leaf: 0, 5...20, isInverted: false, ofNull: false),
      ]
      for tests in [inverted, disjoint] {
        #expect(Program(condition([.test(0), .test(1), .and], tests: tests)).tests.count == 2)
      }
    }

    @Test func oneTestIsAProgramOfOneInstruction() {
      #expect(Program(condition(.test(0))).onlyTest != nil && Program(condition(.test(0), .not)).onlyTest == nil)
      #expect(Program(condition(.constant(true))).isAlwaysTrue && !Program(condition(.constant(false))).isAlwaysTrue)
    }

    private func constraint(_ column: Int) -> Constraint {
      Constraint(column: ColumnKey(rawValue: UInt32(column)), wanted: .values([.int(1)]))
    }

    private func conjunction(_ steps: Step..., constrained: [Int]) -> Conjunction {
      let constraints = Dictionary(uniqueKeysWithValues: constrained.map { ($0, constraint($0)) })
      return condition(steps, constraints: constraints).conjunction
    }

    @Test func conjunctsGiveConstraints() {
      let found = conjunction(.test(0), .test(1), .and, .test(2), .and, constrained: [0, 2])
      #expect(found.constraints.map(\.column.rawValue) == [0, 2] && found.count == 3 && found.alternatives.isEmpty)
    }

    @Test func disjunctionsGiveAlternativesIfEveryBranchHasAConstraint() {
      let found = conjunction(.test(0), .test(1), .test(2), .and, .or, constrained: [0, 2])
      #expect(found.alternatives.map { $0.map(\.count) } == [[1, 2]])
      #expect(conjunction(.test(0), .test(1), .or, constrained: [0]).alternatives.isEmpty)
      #expect(conjunction(.test(0), .not, constrained: [0]).isEmpty)
    }

    @Test func aConjunctionOfConditionsHasTheTestsOfBoth() {
      let one = CompiledCondition(condition([.test(0)], constraints: [0: constraint(0)]))
      let other = CompiledCondition(condition([.test(1), .test(2), .or], constraints: [2: constraint(2)]))
      let both = one.and(other)
      #expect(both.program.tests.count == 3 && both.conjunction.count == 2)
      #expect(both.conjunction.constraints.map(\.column.rawValue) == [0])
      let always = CompiledCondition(condition(.constant(true)))
      #expect(always.and(one) === one && one.and(always) === one)
      #expect(one.and(one).conjunction.constraints.count == 2)
    }

    @Test(arguments: Seeds.all) func randomConditionsMeanTheSameCompiled(seed: Seed) throws {
      var random = seed.random
      for _ in 0..<40 {
        var steps: [Step] = []
        var depth = 0
        while steps.count < 60 || depth != 1 {
          switch random.below(steps.count > 60 ? 3 : 6) {
          case 0,
            1 where depth > 1:
            if depth > 1 {
              steps.append(random.bool() ? .and : .or)
              depth -= 1
            } else if depth == 0 {
              steps.append(.test(random.below(4)))
              depth += 1
            }
          case 2: if depth > 0 { steps.append(.not) }
          case 3:
            steps.append(.constant(random.bool()))
            depth += 1
          default:
            if steps.count <= 60 {
              steps.append(.test(random.below(4)))
              depth += 1
            }
          }
        }
        for row in 0..<16 {
          #expect(meaning(steps, row) == meaning(condition(steps), row))
        }
      }
    }

    /// The meaning of steps for a row whose bits are the results of four tests.
    private func meaning(_ steps: [Step], _ row: Int) -> Bool {
      var stack: [Bool] = []
      for step in steps {
        switch step {
        case .test(let test): stack.append(row >> test & 1 == 1)
        case .constant(let value): stack.append(value)
        case .not: stack[stack.count - 1].toggle()
        case .and:
          let right = stack.removeLast()
          stack[stack.count - 1] = stack[stack.count - 1] && right
        case .or:
          let right = stack.removeLast()
          stack[stack.count - 1] = stack[stack.count - 1] || right
        }
      }
      return stack[0]
    }

    private func meaning(_ condition: BoundCondition, _ row: Int, _ node: Int? = nil) -> Bool {
      let node = node ?? condition.root
      switch condition.nodes[node] {
      case .constant(let value): return value
      case .test(.integers(let test, _, _, _), _): return row >> test & 1 == 1
      case .test: return false
      case .not(let inner): return !meaning(condition, row, inner)
      case .and: return condition.members(of: node, and: true).allSatisfy { meaning(condition, row, $0) }
      case .or: return condition.members(of: node, and: false).contains { meaning(condition, row, $0) }
      }
    }
  }
#endif
