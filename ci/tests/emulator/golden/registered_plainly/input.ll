define internal void @__cuda_register() {
  call void @__cudaRegisterLinkedBinary_1a2b3c4d5e(ptr @globals, ptr @wrapper, ptr @id, ptr @callback)
  call void @other(ptr @__cudaRegisterLinkedBinary_1a2b3c4d5e)
  ret void
}
declare void @__cudaRegisterLinkedBinary_1a2b3c4d5e(ptr, ptr, ptr, ptr)
declare void @__cudaRegisterFunction(ptr, ptr)
