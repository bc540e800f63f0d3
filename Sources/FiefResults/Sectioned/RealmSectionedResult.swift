public import Dispatch
import FiefObjects

/// Elements in sections: `SectionedResults`, a collection of all sections, and `ResultsSection`, one of them.
public protocol RealmSectionedResult: RandomAccessCollection, RealmSubscribable, CustomStringConvertible, _Observed
where Index == Int, _Change == SectionedResultsChange<Self> {}

extension RealmSectionedResult {
  /// Reports the present sections or elements, and each change of them.
  public func _observe<Receiver: _StateReceiver>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ receiver: Receiver)
    -> NotificationToken where Receiver.Value == Self
  {
    observe(keyPaths: keyPaths, on: queue) { change in
      switch change {
      case .initial(let sections): receiver._receive(sections, isFirst: true)
      case .update(let sections, _, _, _, _, _): receiver._receive(sections, isFirst: false)
      }
    }
  }
}
