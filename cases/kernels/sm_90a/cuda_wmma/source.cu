// Products of wmma fragments of every type, each result compared with a plain loop in the kernel itself: all ones are right.
#include <cstdint>
#define TID (blockIdx.x*blockDim.x+threadIdx.x)
__device__ __forceinline__ uint32_t h(uint32_t x){ x^=x>>16; x*=0x7feb352dU; x^=x>>15; x*=0x846ca68bU; x^=x>>16; return x; }
#include <mma.h>
#include <cuda_bf16.h>
using namespace nvcuda;
extern "C" __global__ void k(uint32_t* out){
  __shared__ __align__(32) half a[256],b[256]; __shared__ __align__(32) float c[256]; __shared__ __align__(32) half ch[256];
  __shared__ __align__(32) signed char ia[256],ib[256]; __shared__ __align__(32) int ic[256]; __shared__ __align__(32) __nv_bfloat16 ba[256],bb[256];
  for(int i=threadIdx.x;i<256;i+=32){ a[i]=__float2half((float)(int)(h(i)%9)-4); b[i]=__float2half((float)(int)(h(i+999)%7)-3); ia[i]=(signed char)h(i+5); ib[i]=(signed char)h(i+77); ba[i]=__float2bfloat16((float)(int)(h(i)%9)-4); bb[i]=__float2bfloat16((float)(int)(h(i+999)%7)-3);} __syncwarp();
  uint32_t ok=1;
  { wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa; wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb; wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa,a,16); wmma::load_matrix_sync(fb,b,16); wmma::fill_fragment(fc,1.0f); wmma::mma_sync(fc,fa,fb,fc); wmma::store_matrix_sync(c,fc,16,wmma::mem_row_major); __syncwarp();
  for(int i=threadIdx.x;i<256;i+=32){ float s=1; for(int q=0;q<16;q++) s+=__half2float(a[(i/16)*16+q])*__half2float(b[(i%16)*16+q]); ok&=c[i]==s; } __syncwarp(); }
  { wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa; wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb; wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa,a,16); wmma::load_matrix_sync(fb,b,16); wmma::fill_fragment(fc,__float2half(2.0f)); wmma::mma_sync(fc,fa,fb,fc); wmma::store_matrix_sync(ch,fc,16,wmma::mem_col_major); __syncwarp();
  for(int i=threadIdx.x;i<256;i+=32){ int r=i%16,cc=i/16; float s=2; for(int q=0;q<16;q++) s+=__half2float(a[q*16+r])*__half2float(b[q*16+cc]); ok&=__half2float(ch[i])==s; } __syncwarp(); }
  { wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major> fa; wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major> fb; wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa,ia,16); wmma::load_matrix_sync(fb,ib,16); wmma::fill_fragment(fc,7); wmma::mma_sync(fc,fa,fb,fc); wmma::store_matrix_sync(ic,fc,16,wmma::mem_row_major); __syncwarp();
  for(int i=threadIdx.x;i<256;i+=32){ int s=7; for(int q=0;q<16;q++) s+=ia[(i/16)*16+q]*ib[(i%16)*16+q]; ok&=ic[i]==s; } __syncwarp(); }
  { wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::row_major> fa; wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::col_major> fb; wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  __shared__ __align__(32) __nv_bfloat16 la[512]; for(int i=threadIdx.x;i<512;i+=32) la[i]=__float2bfloat16((float)(int)(h(i+3)%9)-4); __syncwarp();
  wmma::load_matrix_sync(fa,la,16); wmma::load_matrix_sync(fb,bb,16); wmma::fill_fragment(fc,0.0f); wmma::mma_sync(fc,fa,fb,fc); wmma::store_matrix_sync(c,fc,8,wmma::mem_row_major); __syncwarp();
  for(int i=threadIdx.x;i<256;i+=32){ float s=0; for(int q=0;q<16;q++) s+=__bfloat162float(la[(i/8)*16+q])*__bfloat162float(bb[(i%8)*16+q]); ok&=c[i]==s; } }
  { wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::row_major> fa; wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::col_major> fb; wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  __shared__ __align__(32) float ta[128],tb[128]; for(int i=threadIdx.x;i<128;i+=32){ ta[i]=(float)(int)(h(i+31)%17)-8; tb[i]=(float)(int)(h(i+41)%17)-8; } __syncwarp();
  wmma::load_matrix_sync(fa,ta,8); wmma::load_matrix_sync(fb,tb,8); wmma::fill_fragment(fc,0.5f); for(int i=0;i<fa.num_elements;i++) fa.x[i]=wmma::__float_to_tf32(fa.x[i]); wmma::mma_sync(fc,fa,fb,fc); for(int i=0;i<fc.num_elements;i++) fc.x[i]*=2; wmma::store_matrix_sync(c,fc,16,wmma::mem_row_major); __syncwarp();
  for(int i=threadIdx.x;i<256;i+=32){ float s=0.5f; for(int q=0;q<8;q++) s+=ta[(i/16)*8+q]*tb[(i%16)*8+q]; ok&=c[i]==2*s; } __syncwarp(); }
  { wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::row_major> fa; wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::col_major> fb; wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  __shared__ __align__(32) double da[32],db[32],dc[64]; for(int i=threadIdx.x;i<32;i+=32){ da[i]=(double)(int)(h(i+51)%1000)/8; db[i]=(double)(int)(h(i+61)%1000)/16; } __syncwarp();
  wmma::load_matrix_sync(fa,da,4); wmma::load_matrix_sync(fb,db,4); wmma::fill_fragment(fc,3.0); wmma::mma_sync(fc,fa,fb,fc); wmma::store_matrix_sync(dc,fc,8,wmma::mem_row_major); __syncwarp();
  for(int i=threadIdx.x;i<64;i+=32){ double s=3; for(int q=0;q<4;q++) s+=da[(i/8)*4+q]*db[(i%8)*4+q]; ok&=dc[i]==s; } }
  out[TID]=ok; }
