#if FIEF_THREAD_SANITIZER && canImport(Glibc)
  import FiefRuntime

  /// Under the thread sanitizer every mutex of this module is one that it sees.
  typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
