; expects: the rewrite "variables_table" does not know this form: @chosen = ifunc
@chosen = ifunc i32 (i32), ptr @resolver
