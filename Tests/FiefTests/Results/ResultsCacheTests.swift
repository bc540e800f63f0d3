// The states are internal, and internal declarations are visible in debug builds only.
#if DEBUG
  import FiefGraph
  import FiefSessions
  import Testing

  @testable import FiefResults

  @Suite struct ResultsCacheTests {
    private let now = VersionStamp(rawValue: 5)
    private let later = VersionStamp(rawValue: 6)

    private func keys(_ count: Int) -> ContiguousArray<ObjectKey> {
      ContiguousArray((0..<count).map { ObjectKey(Int64($0)) })
    }

    private func prefix(_ count: Int) -> ResultsContents { .keys(keys(count)) }

    @Test func nothingIsKnownOfANewView() {
      let cache = ResultsCache(isShared: false)
      #expect(!cache.isAll(at: now) && cache.count(at: now) == nil && cache.prefix(at: now) == nil)
      #expect(cache.contents(at: now) == nil && cache.lastContents == nil)
    }

    @Test func aCountIsKnownUntilTheNextMoment() {
      var cache = ResultsCache.nothing
      cache.counted(7, at: now)
      #expect(cache.count(at: now) == 7)
      #expect(cache.count(at: later) == nil)
    }

    @Test func aPrefixKeepsTheCountOfItsMomentOnly() {
      var cache = ResultsCache.nothing
      cache.counted(7, at: now)
      cache.foundPrefix(prefix(2), at: now)
      #expect(cache.count(at: now) == 7)
      #expect(cache.prefix(at: now)?.count == 2)
      cache.foundPrefix(prefix(3), at: later)
      #expect(cache.count(at: later) == nil)
      #expect(cache.prefix(at: later)?.count == 3)
      #expect(cache.prefix(at: now) == nil)
    }

    @Test func aCountKeepsThePrefixOfItsMomentOnly() {
      var cache = ResultsCache.nothing
      cache.foundPrefix(prefix(2), at: now)
      cache.counted(7, at: now)
      #expect(cache.prefix(at: now)?.count == 2)
      #expect(cache.count(at: now) == 7)
      cache.counted(8, at: later)
      #expect(cache.prefix(at: later) == nil)
      #expect(cache.count(at: later) == 8)
    }

    @Test func allElementsAnswerEverythingAtTheirMoment() {
      var cache = ResultsCache.nothing
      cache.foundPrefix(prefix(1), at: now)
      cache.evaluated(.keys(keys(4)), at: now)
      cache.counted(9, at: now)
      cache.foundPrefix(prefix(1), at: now)
      #expect(cache.isAll(at: now) && cache.count(at: now) == 4 && cache.prefix(at: now) == nil)
      #expect(!cache.isAll(at: later) && cache.count(at: later) == nil)
      #expect(cache.lastContents?.count == 4)
    }

    @Test func elementsThatRemainAreThoseOfTheLaterMoment() {
      var cache = ResultsCache.nothing
      cache.evaluated(.keys(keys(4)), at: now)
      cache.remained(at: later)
      #expect(cache.isAll(at: later) && !cache.isAll(at: now))
      var empty = ResultsCache.nothing
      empty.remained(at: later)
      #expect(!empty.isAll(at: later))
    }

    @Test func aSharedCacheIsNeverReplaced() {
      var cache = ResultsCache(isShared: true)
      cache.counted(1, at: now)
      cache.foundPrefix(prefix(1), at: now)
      cache.evaluated(.keys(keys(4)), at: now)
      #expect(cache.isShared)
      #expect(cache.count(at: now) == nil && cache.prefix(at: now) == nil && !cache.isAll(at: now))
    }

    @Test func aSharedCacheIsFilledOnce() {
      let cache = SharedResultsCache()
      var calls = 0
      func find() -> ResultsContents {
        calls += 1
        return .keys(keys(calls))
      }
      #expect(cache.contents(find).count == 1)
      #expect(cache.contents(find).count == 1)
      #expect(calls == 1)
    }
  }
#endif
