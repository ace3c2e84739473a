yields true
indirect false
shared []
