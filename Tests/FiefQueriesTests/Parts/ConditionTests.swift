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

    private func condition(_ steps: BoundCondition.Step...) -> BoundCondition { BoundCondition(steps) }

    private func words(_ condition: BoundCondition, _ node: Int? = nil) -> String {
      switch condition.node(node ?? condition.root) {
      case .constant(let value): "\(value)"
      case .test(let test): "\(test)"
      case .not(let inner): "!\(words(condition, inner))"
      case .and(let members): "(" + members.map { words(condition, $0) }.joined(separator: "&") + ")"
      case .or(let members): "(" + members.map { words(condition, $0) }.joined(separator: "|") + ")"
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
      var steps: [BoundCondition.Step] = [.test(0)]
      for number in 0..<50_000 {
        steps += [.constant(number % 2 == 0), number % 2 == 0 ? .and : .or, .not, .not]
      }
      #expect(words(BoundCondition(steps)) == "0")
    }

    @Test func aProgramTestsCheapConditionsFirst() {
      let cheap = test(0)
      let dear = RowTest.integerSet(leaf: 1, [1], ofNull: false)
      let program = Program(condition(.test(0), .test(1), .and), tests: [dear, cheap])
      guard case .test(1) = program.instructions[1] else {
        Issue.record("The cheap test is not the first one.")
        return
      }
    }

    @Test func rangesOfOneColumnAreMerged() {
      let tests: [RowTest] = [
        .integers(leaf: 0, 3...9, isInverted: false, ofNull: false), test(1),
        .integers(leaf: 0, 5...20, isInverted: false, ofNull: false),
      ]
      let program = Program(condition(.test(0), .test(1), .and, .test(2), .and), tests: tests)
      guard case .integers(0, 5...9, false, false) = program.tests[0] else {
        Issue.record("The ranges were not merged.")
        return
      }
      let tested = program.instructions.count { if case .test = $0 { true } else { false } }
      #expect(tested == 2)
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
        let program = Program(condition(.test(0), .test(1), .and), tests: tests)
        #expect(program.instructions.count { if case .test = $0 { true } else { false } } == 2)
      }
    }

    @Test func oneTestIsAProgramOfOneInstruction() {
      #expect(Program(test(0)).onlyTest != nil && Program(condition(.test(0)), tests: [test(0)]).onlyTest != nil)
      #expect(Program(condition(.constant(true)), tests: []).isAlwaysTrue)
      #expect(!Program(condition(.constant(false)), tests: []).isAlwaysTrue)
    }

    private func constraint(_ column: Int) -> Constraint {
      Constraint(column: ColumnKey(rawValue: UInt32(column)), wanted: .values([.int(1)]))
    }

    @Test func conjunctsGiveConstraints() {
      let whole = condition(.test(0), .test(1), .and, .test(2), .and)
      let constraints = whole.constraints([0: constraint(0), 2: constraint(2)])
      #expect(constraints.single.map(\.column.rawValue) == [0, 2] && constraints.conjuncts == 3)
      #expect(constraints.alternatives.isEmpty)
    }

    @Test func disjunctionsGiveAlternativesIfEveryBranchHasAConstraint() {
      let whole = condition(.test(0), .test(1), .test(2), .and, .or)
      #expect(whole.constraints([0: constraint(0), 2: constraint(2)]).alternatives.count == 1)
      #expect(whole.constraints([0: constraint(0)]).alternatives.isEmpty)
      #expect(condition(.test(0), .not).constraints([0: constraint(0)]).isEmpty)
    }

    @Test func aConjunctionOfConditionsHasTheTestsOfBoth() {
      let one = CompiledCondition(test(0), constraint(0))
      let other = CompiledCondition([.test(0), .test(1), .or], tests: [test(1), test(2)], [1: constraint(2)])
      let both = one.and(other)
      #expect(both.program.tests.count == 3 && both.constraints.conjuncts == 2)
      #expect(both.constraints.single.map(\.column.rawValue) == [0])
      let always = CompiledCondition([.constant(true)], tests: [], [:])
      #expect(always.and(one) === one && one.and(always) === one)
      #expect(one.and(one).constraints.single.count == 2)
    }

    @Test(arguments: Seeds.all) func randomConditionsMeanTheSameCompiled(seed: Seed) throws {
      var random = seed.random
      for _ in 0..<40 {
        var steps: [BoundCondition.Step] = []
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
          #expect(meaning(steps, row) == meaning(BoundCondition(steps), row))
        }
      }
    }

    /// The meaning of steps for a row whose bits are the results of four tests.
    private func meaning(_ steps: [BoundCondition.Step], _ row: Int) -> Bool {
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
      switch condition.node(node ?? condition.root) {
      case .constant(let value): value
      case .test(let test): row >> test & 1 == 1
      case .not(let inner): !meaning(condition, row, inner)
      case .and(let members): members.allSatisfy { meaning(condition, row, $0) }
      case .or(let members): members.contains { meaning(condition, row, $0) }
      }
    }
  }
#endif
