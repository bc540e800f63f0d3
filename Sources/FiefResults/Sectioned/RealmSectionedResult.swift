import FiefObjects

/// Elements in sections: `SectionedResults`, a collection of all sections, and `ResultsSection`, one of them.
public protocol RealmSectionedResult: RandomAccessCollection, RealmSubscribable, CustomStringConvertible, _Observed
where Index == Int, _Change == SectionedResultsChange<Self> {}
