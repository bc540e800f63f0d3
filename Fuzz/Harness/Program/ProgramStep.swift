/// One step of a program on a store.
enum ProgramStep {
  case create(Int, text: Int)
  case createNested(Int, Int, size: Int)
  case text(Int, Int)
  case small(Int, Int)
  case link(Int, Int?)
  case part(Int, size: Int?, node: Int?)
  case partSize(Int, Int)
  case any(Int, kind: Int, Int)
  case appendLink(Int, Int)
  case insertLink(Int, Int, at: Int)
  case removeLink(Int, at: Int)
  case moveLink(Int, Int, Int)
  case replaceLink(Int, Int, at: Int)
  case parts(Int, kind: Int, Int)
  case numbers(Int, kind: Int, Int, Int)
  case word(Int, Int, isKept: Bool)
  case friend(Int, Int, isKept: Bool)
  case map(Int, key: Int, Int?)
  case named(Int, key: Int, Int?, isKept: Bool)
  case delete(Int)
  case deleteWhere(Int)
  case deleteAll
  case savepoint(Int, fails: Bool)
  case commit
  case cancel
  case freeze
  case checkFrozen(Int)
  case observe(Int)
  case query(kind: Int, Int)
  case reopen
  case compact
  case undo
  case redo
  case undoGroup(Int)
  case changes(Int)
  case nested(Int, kind: Int, Int, Int)
  case anys(Int, kind: Int, Int, Int)
  case hold(Int, kind: Int)
  case others(Int)

  /// The codes of the steps, each with its frequency.
  static let kinds: [InputLayout.Kind] = [
    (0, 12), (1, 3), (2, 4), (3, 4), (4, 6), (5, 4), (6, 2), (7, 4), (8, 6), (9, 4), (10, 4), (11, 2), (12, 2), (13, 3),
    (14, 5), (15, 3), (16, 4), (17, 4), (18, 4), (19, 4), (20, 1), (21, 1), (22, 3), (23, 8), (24, 2), (25, 2), (26, 2),
    (27, 2), (28, 6), (29, 2), (30, 1), (31, 4), (32, 3), (33, 1), (34, 2), (35, 8), (36, 8),
    (37, 6), (38, 3),
  ]

  static let keys = 12

  /// The step of some bytes; nil for a code without a meaning.
  init?(_ step: StepBytes) {
    let (id, other) = (step[1] % Self.keys, step[2] % Self.keys)
    let maybe = step[2] % 16 < Self.keys ? other : nil
    switch step.code {
    case 0: self = .create(id, text: step[2])
    case 1: self = .createNested(id, other, size: step[3])
    case 2: self = .text(id, step[2])
    case 3: self = .small(id, step[2] % 128)
    case 4: self = .link(id, maybe)
    case 5: self = .part(id, size: step[3] % 4 == 3 ? nil : step[3], node: maybe)
    case 6: self = .partSize(id, step[2])
    case 7: self = .any(id, kind: step[2], step[3])
    case 8: self = .appendLink(id, other)
    case 9: self = .insertLink(id, other, at: step[3])
    case 10: self = .removeLink(id, at: step[2])
    case 11: self = .moveLink(id, step[2], step[3])
    case 12: self = .replaceLink(id, other, at: step[3])
    case 13: self = .parts(id, kind: step[2], step[3])
    case 14: self = .numbers(id, kind: step[2], step[3], step[4])
    case 15: self = .word(id, step[2], isKept: step[3] % 3 != 0)
    case 16: self = .friend(id, other, isKept: step[3] % 3 != 0)
    case 17: self = .map(id, key: step[2] % 4, step[3] % 4 == 3 ? nil : step[3])
    case 18: self = .named(id, key: step[3] % 4, maybe, isKept: step[4] % 3 != 0)
    case 19: self = .delete(id)
    case 20: self = .deleteWhere(step[2] % 128)
    case 21: self = .deleteAll
    case 22: self = .savepoint(1 + step[1] % 8, fails: step[2] % 2 == 1)
    case 23: self = .commit
    case 24: self = .cancel
    case 25: self = .freeze
    case 26: self = .checkFrozen(step[1])
    case 27: self = .observe(step[1] % 4)
    case 28: self = .query(kind: step[1], step[2])
    case 29: self = .reopen
    case 30: self = .compact
    case 31: self = .undo
    case 32: self = .redo
    case 33: self = .undoGroup(1 + step[1] % 8)
    case 34: self = .changes(step[1])
    case 35: self = .nested(id, kind: step[2], step[3], step[4])
    case 36: self = .anys(id, kind: step[2], step[3], step[4])
    case 37: self = .hold(id, kind: step[2])
    case 38: self = .others(1 + step[1] % 4)
    default: return nil
    }
  }

  static func word(_ number: Int) -> String {
    ["a", "b", "", "fifteen letters", "sixteen letters!", "caf\u{E9}", "cafe", "Z", "text that is longer"][number % 9]
  }
}
