; Calls that are wrong by themselves.
target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [4096 x i32] poison, align 16

define amdgpu_kernel void @size8(ptr addrspace(1) %p) {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) @lds, i32 8, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @size16(ptr addrspace(1) %p) {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) @lds, i32 16, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @policy(ptr addrspace(1) %p) {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) @lds, i32 4, i32 0, i32 64)
  ret void
}
define amdgpu_kernel void @size_computed(ptr addrspace(1) %p, i32 %n) {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) @lds, i32 %n, i32 0, i32 0)
  ret void
}
define void @device(ptr addrspace(1) %p, ptr addrspace(3) %l) {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @diamond(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp eq i32 %t, 0
  br i1 %c, label %a, label %b
a:
  br label %m
b:
  br label %m
m:
  %off = phi i32 [ 0, %a ], [ 256, %b ]
  %l = getelementptr i8, ptr addrspace(3) @lds, i32 %off
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @first_lane(ptr addrspace(1) %p) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = lshr i32 %t, 6
  %u = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %w)
  %l = getelementptr [256 x i8], ptr addrspace(3) @lds, i32 %u
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @divergent_soffset(<4 x i32> inreg %r) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %r, ptr addrspace(3) @lds, i32 4, i32 0, i32 %t, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @tensor_volatile(<4 x i32> inreg %a, <8 x i32> inreg %b) {
  call void @llvm.amdgcn.tensor.load.to.lds(<4 x i32> %a, <8 x i32> %b, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i32 -2147483648)
  ret void
}
define amdgpu_kernel void @tensor_nontemporal(<4 x i32> inreg %a, <8 x i32> inreg %b) {
  call void @llvm.amdgcn.tensor.store.from.lds(<4 x i32> %a, <8 x i32> %b, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i32 0), !nontemporal !0
  ret void
}
define amdgpu_kernel void @tensor_fifth_group(<4 x i32> inreg %a, <8 x i32> inreg %b) {
  call void @llvm.amdgcn.tensor.load.to.lds(<4 x i32> %a, <8 x i32> %b, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer, <8 x i32> %b, i32 0)
  ret void
}
define amdgpu_kernel void @tensor_null() {
  call void @llvm.amdgcn.tensor.load.to.lds(<4 x i32> <i32 0, i32 0, i32 0, i32 -2147483648>, <8 x i32> <i32 327680, i32 4194367, i32 4194304, i32 4194304, i32 64, i32 64, i32 0, i32 0>, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i32 0)
  ret void
}
define amdgpu_kernel void @tensor_divergent(<4 x i32> inreg %a, <8 x i32> inreg %b) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %c = insertelement <4 x i32> %a, i32 %t, i32 1
  call void @llvm.amdgcn.tensor.load.to.lds(<4 x i32> %c, <8 x i32> %b, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i32 0)
  ret void
}
define amdgpu_kernel void @async_b16(ptr addrspace(1) %p) {
  call void @llvm.amdgcn.global.load.async.to.lds.b16(ptr addrspace(1) %p, ptr addrspace(3) @lds, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @async_offset(ptr addrspace(1) %p) {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) @lds, i32 8388608, i32 0)
  ret void
}
define amdgpu_kernel void @wait_64(ptr addrspace(1) %p) {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) @lds, i32 0, i32 0)
  call void @llvm.amdgcn.s.wait.asynccnt(i16 64)
  ret void
}
define amdgpu_kernel void @stage_bit_11(ptr addrspace(1) %p) {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) @lds, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark(i32 2048)
  call void @llvm.amdgcn.wait.asyncmark(i16 0, i32 0)
  ret void
}
define amdgpu_kernel void @stage_left_out(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %t
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark(i32 0)
  call void @llvm.amdgcn.wait.asyncmark(i16 0, i32 2)
  %v = load i32, ptr addrspace(3) %l
  store i32 %v, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @refill_under_store(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %t
  call void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1) %o, ptr addrspace(3) %l, i32 0, i32 0)
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 0, i32 0)
  ret void
}
!0 = !{i32 1}
@big_a = internal addrspace(3) global [65536 x i8] poison, align 16
@big_b = internal addrspace(3) global [65536 x i8] poison, align 16
define amdgpu_kernel void @two_64k_tiles(ptr addrspace(1) %p) {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) @big_a, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @big_b, i32 256), i32 4, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @few_waves(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) @big_a, i32 4, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @masked(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 40
  br i1 %c, label %some, label %out
some:
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) @lds, i32 4, i32 0, i32 0)
  br label %out
out:
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,256" }
