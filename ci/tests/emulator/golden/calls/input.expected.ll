yields true
indirect true
shared [3]
