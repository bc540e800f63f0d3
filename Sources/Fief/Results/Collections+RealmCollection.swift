extension List: RealmCollection {}

extension MutableSet: RealmCollection {}
