/// Elements by sections: `SectionedResults`, whose elements are the sections, and `ResultsSection`, which is one of
/// them.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, CustomStringConvertible, _Observed
where Index == Int, _Change == SectionedResultsChange<Self> {}
