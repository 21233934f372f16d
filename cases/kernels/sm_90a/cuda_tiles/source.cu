// Tiles of cooperative groups: reductions, scans and votes of parts of a warp, each compared with a plain loop in the kernel itself: all ones are right.
#include <cstdint>
#define TID (blockIdx.x*blockDim.x+threadIdx.x)
__device__ __forceinline__ uint32_t h(uint32_t x){ x^=x>>16; x*=0x7feb352dU; x^=x>>15; x*=0x846ca68bU; x^=x>>16; return x; }
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg=cooperative_groups;
extern "C" __global__ void k(uint32_t* out){
  auto b=cg::this_thread_block(); auto t=cg::tiled_partition<16>(b); auto w=cg::tiled_partition<32>(b);
  uint32_t v=h(TID)&0xffff; uint32_t ok=1;
  uint32_t s=cg::reduce(t,v,cg::plus<uint32_t>()); uint32_t want=0; for(int i=0;i<16;i++) want+=h((TID&~15u)+i)&0xffff; ok&=s==want;
  uint32_t m=cg::reduce(w,v,cg::greater<uint32_t>()); want=0; for(int i=0;i<32;i++){uint32_t x=h((TID&~31u)+i)&0xffff; want=x>want?x:want;} ok&=m==want;
  uint32_t sc=cg::inclusive_scan(w,v); want=0; for(uint32_t i=TID&~31u;i<=TID;i++) want+=h(i)&0xffff; ok&=sc==want;
  uint32_t ex=cg::exclusive_scan(w,v); ok&=ex==want-v;
  ok&=w.any(threadIdx.x%32==5)!=0; ok&=w.all(1)!=0; ok&=w.shfl_xor(v,3)==(h(TID^3)&0xffff);
  if(threadIdx.x&1){ auto c=cg::coalesced_threads(); ok&=c.size()==16; ok&=c.thread_rank()==(threadIdx.x%32)/2; uint32_t r=cg::reduce(c,v,cg::bit_xor<uint32_t>()); want=0; for(int i=1;i<32;i+=2) want^=h((TID&~31u)+i)&0xffff; ok&=r==want; }
  auto lp=cg::labeled_partition(w,threadIdx.x%3); want=0; for(int i=0;i<32;i++) want+= (i+(threadIdx.x&~31))%3==threadIdx.x%3; ok&=lp.size()==want;
  b.sync(); out[TID]=ok; }
