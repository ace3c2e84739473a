define void @ends(i32 %n) {
entry:
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @__emu_returns()
  br label %return, !dbg !7

if.end:                                           ; preds = %entry
  call void @work()
  br label %return

return:                                           ; preds = %if.end, %if.then
  ret void
}
define void @cleans(i32 %n) {
entry:
  %cleanup.dest.slot = alloca i32, align 4
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @__emu_returns()
  store i32 1, ptr %cleanup.dest.slot, align 4
  call void @__emu_returns()
  br label %cleanup, !dbg !7

if.end:                                           ; preds = %entry
  store i32 0, ptr %cleanup.dest.slot, align 4
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  ret void
}
define void @straight() {
entry:
  ret void
}
define void @loop_at_the_end(i32 %n) {
entry:
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @__emu_returns()
  br label %for.end, !dbg !7

if.end:                                           ; preds = %entry
  br label %for.cond

for.cond:                                         ; preds = %for.body, %if.end
  br i1 %more, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  br label %for.cond

for.end:                                          ; preds = %for.cond, %if.then
  ret void
}
define void @either(i32 %n) {
entry:
  br i1 %cmp, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  br label %if.end

if.else:                                          ; preds = %entry
  br label %if.end

if.end:                                           ; preds = %if.else, %if.then
  ret void
}

declare void @__emu_returns() nounwind
