import FiefObjects

extension List: RealmCollection {}

extension MutableSet: RealmCollection {}
