#if DEBUG
  @testable import FiefFuzzing
  import FiefTestSupport
  import Testing

  /// A finding is made smaller by step and by value.
  @Suite struct MinimizerTests {
    /// Steps of four bytes behind a header of two.
    private static let layout = InputLayout(header: 2, step: 4, kinds: [(1, 1), (2, 1)])

    private func minimized(_ input: [UInt8], _ fails: @escaping ([UInt8]) -> Bool) -> [UInt8] {
      Minimizer(layout: Self.layout) { $0.firstIndex(where: fails) }.minimized(input)
    }

    @Test func stepsThatDoNotMatterAreRemoved() {
      let input: [UInt8] = [9, 9] + (0..<20).flatMap { [1, $0, $0, $0] as [UInt8] }
      // It needs the steps 3 and 17, in this order.
      let smallest = minimized(input) { input in
        let steps = Self.layout.steps(input)
        guard let first = steps.firstIndex(where: { $0[1] == 3 }) else { return false }
        return steps[first...].contains { $0[1] == 17 }
      }
      #expect(smallest == [0, 0, 1, 3, 0, 0, 1, 17, 0, 0])
    }

    @Test func operandsAreLoweredToTheLeastThatFails() {
      let smallest = minimized([200, 1, 2, 250, 77, 8]) { input in
        Self.layout.steps(input).contains { $0.code == 2 && $0[1] >= 100 && $0[2] > 5 }
      }
      #expect(smallest == [0, 0, 2, 100, 6, 0])
    }

    @Test func aStepKeepsItsCode() {
      let smallest = minimized([0, 0, 2, 0, 0, 0]) { !Self.layout.steps($0).isEmpty }
      #expect(smallest == [0, 0, 2, 0, 0, 0])
    }

    @Test func anInputThatNeedsAllOfItselfStays() {
      let input: [UInt8] = [1, 2, 1, 5, 6, 7]
      #expect(minimized(input) { $0 == input } == input)
    }
  }
#endif
