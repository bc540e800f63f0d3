#if DEBUG
  @testable import FiefFuzzing
  import FiefTestSupport
  import Testing

  /// Inputs are made by their layout.
  @Suite struct InputTests {
    @Test func randomInputsHaveWholeStepsOfKnownCodes() {
      let layout = InputLayout(header: 3, step: 5, kinds: [(2, 1), (7, 3)], limit: 10)
      Seeds.run(count: 50) { _, random in
        let input = layout.sample(&random)
        #expect((input.count - 3) % 5 == 0 && input.count <= 3 + 5 * 10)
        #expect(layout.steps(input).allSatisfy { [2, 7].contains($0.code) })
      }
    }

    @Test func missingOperandsAreZero() {
      let steps = InputLayout(header: 1, step: 4).steps([9, 1, 2])
      #expect(steps.count == 1)
      #expect(steps[0].code == 1 && steps[0][1] == 2 && steps[0][3] == 0 && steps[0].wide(1) == 2)
    }

    @Test func equalSeedsMakeEqualInputs() {
      func inputs(_ seed: UInt64) -> [[UInt8]] {
        var maker = InputMaker(ProgramTarget(), corpus: [[1, 0, 0, 1, 2, 3, 4, 5]], seed: seed)
        return (0..<50).map { _ in maker.next() }
      }
      #expect(inputs(4) == inputs(4))
      #expect(inputs(4) != inputs(5))
    }

    @Test func aChangedOperandChangesOneStep() {
      let target = ProgramTarget()
      let input: [UInt8] = [0, 0] + (0..<6).flatMap { [0, $0, 1, 0, 0, 0] as [UInt8] }
      var other = input
      other[2 + 6 * 3 + 2] = 2
      let (before, after) = (target.lines(input), target.lines(other))
      #expect(zip(before, after).count { $0 != $1 } == 1)
      #expect(before.count == after.count)
    }

    @Test func aListOfInputsIsReadAsItWasWritten() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("inputs").path
        let inputs: [[UInt8]] = [[], [1], Array(repeating: 7, count: 300)]
        try InputList.write(inputs, to: path)
        #expect(try InputList.read(path) == inputs)
        let note = try FuzzNote(path)
        note.write([1, 2, 3, 4], number: 3)
        note.write([9], number: 70_000)
        #expect(FuzzNote.read(path)?.bytes == [9])
        #expect(FuzzNote.read(path)?.number == 70_000)
      }
    }

    @Test(arguments: [["--seconds"], ["--seconds", "soon"], ["nothing"], ["texts", "texts"], ["--unknown"]])
    func mistakesInTheCommandLineAreNamed(_ arguments: [String]) {
      #expect(throws: Finding.self) { try FuzzOptions(arguments) }
    }
  }

  /// The oracles of the targets are themselves tested at known values.
  @Suite struct OracleTests {
    @Test(arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2024-02-29T12:34:56Z", 1_709_210_096), ("1969-12-31T23:59:59Z", -1),
      ("0000-03-01T00:00:00Z", -62_162_035_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func datesAreCounted(_ text: String, _ seconds: Int64) throws {
      #expect(try #require(TextTarget.moment(text)).moment?.seconds == seconds)
    }

    @Test func aDayThatDoesNotExistIsNoMoment() throws {
      #expect(try #require(TextTarget.moment("2023-02-29T00:00:00Z")).moment == nil)
      #expect(TextTarget.moment("2023-02-28 00:00:00Z") == nil)
    }

    @Test(arguments: [
      ("1.50", true), ("-.5e3", true), ("1e", false), (".", false), ("+", false), ("Infinity", true), ("1_0", false),
    ])
    func decimalsHaveAGrammar(_ text: String, _ isOne: Bool) { #expect(TextTarget.grammar(text).isOne == isOne) }

    @Test func aModelClearsWhatRefersToADeletedNode() {
      var model = ProgramModel()
      model.create(1)
      model.create(2)
      model.nodes[1]?.link = 2
      model.nodes[1]?.links = [2, 1, 2]
      model.nodes[1]?.named["k"] = .some(2)
      model.delete(2)
      #expect(model.nodes[1]?.link == nil && model.nodes[1]?.links == [1])
      #expect(model.nodes[1]?.named["k"] == .some(nil))
    }
  }
#endif
