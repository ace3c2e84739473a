; expects: the rewrite "special_registers" does not know this form: module asm
module asm ".globl x"
