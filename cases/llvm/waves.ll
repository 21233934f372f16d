@lds = addrspace(3) global [8192 x i8] undef, align 16
declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)

; Every wave loads to its own 256 bytes and reads the next wave's.
define amdgpu_kernel void @other_wave(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %n = lshr i32 %t, 6
  %w = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %n)
  %b = shl i32 %w, 8
  %base = getelementptr i8, ptr addrspace(3) @lds, i32 %b
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %base, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.s.barrier()
  %x = xor i32 %t, 64
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %x
  %v = load i32, ptr addrspace(3) %l
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %v, ptr addrspace(1) %q
  ret void
}

define amdgpu_kernel void @other_wave_fenced(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %n = lshr i32 %t, 6
  %w = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %n)
  %b = shl i32 %w, 8
  %base = getelementptr i8, ptr addrspace(3) @lds, i32 %b
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %base, i32 4, i32 0, i32 0)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %x = xor i32 %t, 64
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %x
  %v = load i32, ptr addrspace(3) %l
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; The other half of its own wave: the compiler's wait behind the barrier covers it.
define amdgpu_kernel void @own_wave(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %n = lshr i32 %t, 6
  %w = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %n)
  %b = shl i32 %w, 8
  %base = getelementptr i8, ptr addrspace(3) @lds, i32 %b
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %base, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.s.barrier()
  %x = xor i32 %t, 32
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %x
  %v = load i32, ptr addrspace(3) %l
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; Another part of the array, which nobody loads to.
define amdgpu_kernel void @other_part(ptr addrspace(1) %p, ptr addrspace(1) %o) "amdgpu-flat-work-group-size"="256,256" {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %n = lshr i32 %t, 6
  %w = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %n)
  %b = shl i32 %w, 8
  %base = getelementptr i8, ptr addrspace(3) @lds, i32 %b
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %base, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.s.barrier()
  %x = xor i32 %t, 64
  %far = or disjoint i32 %x, 1024
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %far
  %v = load i32, ptr addrspace(3) %l
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; One base for all waves, read at another lane's place (golden program G16).
define amdgpu_kernel void @same_base(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) @lds, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.s.barrier()
  %x = xor i32 %t, 64
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %x
  %v = load i32, ptr addrspace(3) %l
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; Only the first wave loads and reads, so nothing is said about others.
define amdgpu_kernel void @first_wave_only(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 64
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  br i1 %c, label %load, label %meet
load:
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) @lds, i32 4, i32 0, i32 0)
  br label %meet
meet:
  call void @llvm.amdgcn.s.barrier()
  br i1 %c, label %use, label %end
use:
  %x = xor i32 %t, 32
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %x
  %v = load i32, ptr addrspace(3) %l
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %v, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
