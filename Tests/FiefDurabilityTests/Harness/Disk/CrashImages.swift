import FiefTestSupport

/// Crashes of stories that ran once: each image is what a power failure may leave of the disk.
///
///     var crashes = CrashImages(wanted: 1500, share: 10)
///     try crashes.of(disk, using: &random) { point, image, place in … }
struct CrashImages {
  /// The number of images to try in all stories.
  let wanted: Int
  /// The percentage of events at which the power fails.
  let share: Int
  /// How many images were tried.
  private(set) var tried = 0

  init(wanted: Int, share: Int) {
    self.wanted = wanted
    self.share = share
  }

  var isDone: Bool { tried >= wanted }

  /// Tries the crashes of one story.
  ///
  /// - Parameters:
  ///   - disk: The disk on which the story ran.
  ///   - note: Receives each event, before the power fails at it.
  ///   - body: Receives the moment, a process on the image, which is killed afterwards, and words for a failed test.
  mutating func of(
    _ disk: SimulatedDisk, using random: inout SeededRandom, noting note: (DiskEvent) -> Void = { _ in },
    _ body: (CrashPoint, SimulatedProcess, String) throws -> Void
  ) rethrows {
    var point = CrashPoint()
    for event in disk.lock.withLock({ disk.events }) {
      point.advance(event)
      note(event)
      if random.below(100) >= share { continue }
      var drawing = random.split()
      try point.forEachFates(extra: 2, using: &drawing) { fates in
        if isDone { return }
        tried += 1
        let image = SimulatedProcess(point.image(fates, chance: random.next()), number: 2)
        defer { image.kill() }
        try body(point, image, "event \(point.moment), \(fates)")
      }
    }
  }
}
