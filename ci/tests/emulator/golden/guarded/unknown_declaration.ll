; table
; expects: the rewrite "guarded" does not know this form: @table = external global i32
@table = external global i32, align 4
