import FiefValues
