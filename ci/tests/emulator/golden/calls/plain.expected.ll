yields false
indirect false
shared [0]
