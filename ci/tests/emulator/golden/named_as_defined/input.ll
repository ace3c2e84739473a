; what clang makes of variables that other files do not see
@_ZL7counter = external global i32, align 4
@_ZL7counters = external global i32, align 4
@_ZL6factor__static__bec2 = dso_local externally_initialized constant i32 1, align 4
@_ZL7counter__static__bec2 = dso_local externally_initialized global i32 3, align 4
define void @kernel() {
  %1 = load i32, ptr @_ZL7counter, align 4
  store i32 %1, ptr @_ZL7counters, align 4
  %2 = load i32, ptr @_ZL6factor__static__bec2, align 4
  ret void
}
