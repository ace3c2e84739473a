; @counter
; expects: a managed variable of this form (counter)
@counter = externally_initialized constant i32 0, align 4

; host
@counter = internal global i32 7, align 4
