define internal void @__cuda_register() {
  call void @__cudaRegisterLinkedBinary(ptr @globals, ptr @wrapper, ptr @id, ptr @callback)
  call void @other(ptr @__cudaRegisterLinkedBinary)
  ret void
}
declare void @__cudaRegisterLinkedBinary(ptr, ptr, ptr, ptr)
declare void @__cudaRegisterFunction(ptr, ptr)
