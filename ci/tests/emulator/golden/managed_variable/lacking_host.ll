; @counter
; expects: a managed variable of this form (counter)
@counter = externally_initialized global i32 0, align 4

; host
@another = internal global i32 7, align 4
