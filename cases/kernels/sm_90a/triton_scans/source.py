import triton, triton.language as tl
from triton.language.extra import libdevice as ld
C=tl.constexpr
@triton.jit
def gemm(a,b,c,M,N,K,BM:C,BN:C,BK:C,OUT:C,PREC:C):
    m=tl.program_id(0)*BM+tl.arange(0,BM); n=tl.program_id(1)*BN+tl.arange(0,BN); kk=tl.arange(0,BK)
    acc=tl.zeros((BM,BN),OUT)
    for k in range(0,K,BK):
        x=tl.load(a+m[:,None]*K+(k+kk)[None,:],mask=(m<M)[:,None]&((k+kk)<K)[None,:],other=0)
        y=tl.load(b+(k+kk)[:,None]*N+n[None,:],mask=(n<N)[None,:]&((k+kk)<K)[:,None],other=0)
        acc=tl.dot(x,y,acc,input_precision=PREC,out_dtype=OUT)
    tl.store(c+m[:,None]*N+n[None,:],acc,mask=(m<M)[:,None]&(n<N)[None,:])
@triton.jit
def splitk(a,b,c,M,N,K,BM:C,BN:C,BK:C,S:C):
    m=tl.program_id(0)*BM+tl.arange(0,BM); n=tl.program_id(1)*BN+tl.arange(0,BN); s=tl.program_id(2); kk=s*BK+tl.arange(0,BK)
    acc=tl.zeros((BM,BN),tl.float32)
    for k in range(0,tl.cdiv(K,BK*S)):
        x=tl.load(a+m[:,None]*K+kk[None,:],mask=(kk<K)[None,:],other=0.); y=tl.load(b+kk[:,None]*N+n[None,:],mask=(kk<K)[:,None],other=0.)
        acc+=tl.dot(x,y); kk+=BK*S
    tl.atomic_add(c+m[:,None]*N+n[None,:],acc)
@triton.jit
def ln_bwd(DX,DY,DW,DB,X,W,Mean,Rstd,Lock,stride,N,G:C,B:C):
    row=tl.program_id(0); cols=tl.arange(0,B); mask=cols<N
    X+=row*stride; DY+=row*stride; DX+=row*stride
    lock=row%G; Lock+=lock; Count=Lock+G; DW=DW+lock*N+cols; DB=DB+lock*N+cols
    x=tl.load(X+cols,mask=mask,other=0).to(tl.float32); dy=tl.load(DY+cols,mask=mask,other=0).to(tl.float32); w=tl.load(W+cols,mask=mask).to(tl.float32)
    mean=tl.load(Mean+row); rstd=tl.load(Rstd+row)
    xh=(x-mean)*rstd; wdy=w*dy; xh=tl.where(mask,xh,0.); wdy=tl.where(mask,wdy,0.)
    c1=tl.sum(xh*wdy,0)/N; c2=tl.sum(wdy,0)/N; dx=(wdy-(xh*c1+c2))*rstd
    tl.store(DX+cols,dx,mask=mask)
    pdw=(dy*xh).to(w.dtype); pdb=dy.to(w.dtype)
    while tl.atomic_cas(Lock,0,1)==1: pass
    count=tl.load(Count)
    if count==0: tl.atomic_xchg(Count,1)
    else:
        pdw+=tl.load(DW,mask=mask); pdb+=tl.load(DB,mask=mask)
    tl.store(DW,pdw,mask=mask); tl.store(DB,pdb,mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(Lock,0)
@triton.jit
def sorts(x,o,t,am,N:C,R:C):
    r=tl.arange(0,R); c=tl.arange(0,N); v=tl.load(x+r[:,None]*N+c[None,:])
    tl.store(o+r[:,None]*N+c[None,:],tl.sort(v,1,descending=False))
    tl.store(t+r[:,None]*8+tl.arange(0,8)[None,:],tl.topk(v,8,1))
    tl.store(am+r,tl.argmax(v,1)*1000+tl.argmin(v,1))
@triton.jit
def comb(a1,b1,a2,b2): return a1*a2, b1*a2+b2
@triton.jit
def mx(a,b): return tl.maximum(a,b)
@triton.jit
def scans(x,y,o,N:C,R:C):
    r=tl.arange(0,R)[:,None]; c=tl.arange(0,N)[None,:]; i=r*N+c; v=tl.load(x+i); w=tl.load(y+i)
    tl.store(o+i,tl.cumsum(v,1)); tl.store(o+R*N+i,tl.cumprod(w,0)); tl.store(o+2*R*N+i,tl.associative_scan(v,1,mx,reverse=True))
    a,b=tl.associative_scan((w,v),1,comb); tl.store(o+3*R*N+i,b)
@triton.jit
def hist(x,o,g,idx,N:C,B:C):
    i=tl.arange(0,N); v=tl.load(x+i); tl.atomic_add(o+tl.arange(0,B),tl.histogram(v,B))
    s=tl.load(idx+i); tl.store(g+i,tl.gather(v,s,0))
@triton.jit
def shapes(x,o,N:C):
    r=tl.arange(0,N); v=tl.load(x+r[:,None]*N+r[None,:]); a,b=tl.split(tl.reshape(v,(N,N//2,2))); j=tl.interleave(b,a)
    t=tl.trans(j); f=tl.flip(t,1); p=tl.permute(tl.reshape(f,(N,4,N//4)),(1,0,2)); q=tl.reshape(p,(N,N))
    s=tl.join(tl.sum(q,1),tl.max(q,1)); tl.store(o+r[:,None]*N+r[None,:],q); tl.store(o+N*N+r[:,None]*2+tl.arange(0,2)[None,:],s)
@triton.jit
def atomics(i,f,h,b,l,d,old,N:C):
    k=tl.program_id(0)*N+tl.arange(0,N)
    tl.atomic_add(i+k%4,k); tl.atomic_max(i+4+k%4,k); tl.atomic_min(i+8+k%4,-k); tl.atomic_or(i+12+k%4,1<<(k%30)); tl.atomic_xor(i+16+k%4,k); tl.atomic_and(i+20+k%4,~(1<<(k%7)))
    tl.atomic_add(f+k%4,k.to(tl.float32)); tl.atomic_max(f+4+k%4,k.to(tl.float32)-10); tl.atomic_min(f+8+k%4,k.to(tl.float32)-10)
    tl.atomic_add(h+k%8,(k%2).to(tl.float16)); tl.atomic_add(b+k%8,(k%2).to(tl.bfloat16)); tl.atomic_add(l+k%4,k.to(tl.int64)<<20,sem="relaxed",scope="gpu"); tl.atomic_add(d+k%4,k.to(tl.float64))
    tl.atomic_xchg(old+k,k); tl.atomic_cas(old+1000,0,tl.program_id(0)+1)
@triton.jit
def maths(x,o,N:C):
    i=tl.arange(0,N); v=tl.load(x+i); w=tl.abs(v)+0.1
    tl.store(o+i,tl.exp(v)); tl.store(o+N+i,tl.log(w)); tl.store(o+2*N+i,tl.sin(v)); tl.store(o+3*N+i,tl.cos(v)); tl.store(o+4*N+i,tl.sqrt(w)); tl.store(o+5*N+i,tl.rsqrt(w)); tl.store(o+6*N+i,tl.erf(v)); tl.store(o+7*N+i,tl.floor(v)+tl.ceil(v))
    tl.store(o+8*N+i,tl.sigmoid(v)); tl.store(o+9*N+i,ld.tanh(v)); tl.store(o+10*N+i,ld.pow(w,v)); tl.store(o+11*N+i,tl.div_rn(v,w)); tl.store(o+12*N+i,tl.fma(v,w,v)); tl.store(o+13*N+i,tl.sqrt_rn(w)); tl.store(o+14*N+i,tl.exp2(v)+tl.log2(w)); tl.store(o+15*N+i,ld.atan2(v,w)+ld.cbrt(w)+ld.lgamma(w))
@triton.jit
def rng(o,seed,N:C):
    i=tl.arange(0,N); tl.store(o+i,tl.rand(seed,i)); tl.store(o+N+i,tl.randn(seed,i)); a,b,c,d=tl.randint4x(seed,i); tl.store(o+2*N+i,((a^b^c^d)&0xff).to(tl.float32))
@triton.jit
def casts(x,a,b,c,d,e,f,N:C):
    i=tl.program_id(0)*N+tl.arange(0,N); v=tl.load(x+i); tl.store(a+i,v.to(tl.float8e4nv)); tl.store(b+i,v.to(tl.float8e5)); tl.store(c+i,v.to(tl.bfloat16)); tl.store(d+i,v.to(tl.float16,fp_downcast_rounding="rtz")); tl.store(e+i,v.to(tl.int64)*3+v.to(tl.int8).to(tl.int64)); q=tl.load(a+i*0+tl.arange(0,N)*0); tl.store(f+i,v.to(tl.float8e4nv).to(tl.float32)+v.to(tl.float8e5).to(tl.float16).to(tl.float32)+v.to(tl.float64).to(tl.float32))
@triton.jit
def welf(m1,v1,n1,m2,v2,n2):
    n=n1+n2; d=m2-m1; return m1+d*(n2/n), v1+v2+d*d*n1*(n2/n), n
@triton.jit
def reds(x,o,R:C,N:C):
    r=tl.arange(0,R); c=tl.arange(0,N); v=tl.load(x+r[:,None]*N+c[None,:]); one=tl.full((R,N),1.,tl.float32)
    m,s,n=tl.reduce((v,tl.zeros_like(v),one),1,welf); tl.store(o+r,m); tl.store(o+R+r,s/n); tl.store(o+2*R+tl.arange(0,N),tl.xor_sum((v*16).to(tl.int32),0).to(tl.float32)); tl.store(o+2*R+N+r,tl.max(v,1)+tl.min(v,1))
@triton.jit
def prints(x,o,N:C):
    i=tl.arange(0,N); v=tl.load(x+i); tl.device_print("v",v); tl.device_assert(v>-1000,"bad"); tl.store(o+i,v+1)
@triton.jit
def inl(x,o,N:C):
    i=tl.arange(0,N); v=tl.load(x+i)
    y=tl.inline_asm_elementwise("{ .reg .b32 t; lop3.b32 t,$1,$1,$1,0x0f; shf.r.wrap.b32 $0,t,t,7; }","=r,r",[v],dtype=tl.int32,is_pure=True,pack=1); tl.store(o+i,y)
@triton.jit
def scaled(a,sa,b,sb,c,M:C,N:C,K:C,FA:C,FB:C,PA:C,PB:C):
    m=tl.arange(0,M); n=tl.arange(0,N); ka=tl.arange(0,K//PA); kb=tl.arange(0,K//PB); ks=tl.arange(0,K//32)
    x=tl.load(a+m[:,None]*(K//PA)+ka[None,:]); y=tl.load(b+n[None,:]*(K//PB)+kb[:,None]); xs=tl.load(sa+m[:,None]*(K//32)+ks[None,:]); ys=tl.load(sb+n[:,None]*(K//32)+ks[None,:])
    acc=tl.dot_scaled(x,xs,FA,y,ys,FB); tl.store(c+m[:,None]*N+n[None,:],acc)
@triton.jit
def descs(x,o,r3,M,N,BM:C,BN:C):
    a=tl.make_tensor_descriptor(x,[M,N],[N,1],[BM,BN]); b=tl.make_tensor_descriptor(o,[M,N],[N,1],[BM,BN]); c=tl.make_tensor_descriptor(r3,[M,N],[N,1],[BM,BN])
    pm=tl.program_id(0)*BM
    for n in range(0,N,BN):
        v=a.load([pm,n]); b.store([pm,n],v*2); c.atomic_add([pm,n],v)
@triton.jit
def attn_bwd(Q,K,V,DO,L,Dl,DQ,DK,DV,N,D:C,B:C):
    n=tl.program_id(0)*B+tl.arange(0,B); d=tl.arange(0,D); k=tl.load(K+n[:,None]*D+d[None,:]); v=tl.load(V+n[:,None]*D+d[None,:])
    dk=tl.zeros((B,D),tl.float32); dv=tl.zeros((B,D),tl.float32)
    for s in range(0,N,B):
        m=s+tl.arange(0,B); q=tl.load(Q+m[:,None]*D+d[None,:]); do=tl.load(DO+m[:,None]*D+d[None,:]); l=tl.load(L+m); dl=tl.load(Dl+m)
        p=tl.exp2(tl.dot(q,tl.trans(k))-l[:,None]); dv+=tl.dot(tl.trans(p.to(tl.float16)),do); dp=tl.dot(do,tl.trans(v)); ds=(p*(dp-dl[:,None])).to(tl.float16)
        dk+=tl.dot(tl.trans(ds),q); tl.atomic_add(DQ+m[:,None]*D+d[None,:],tl.dot(ds,k))
    tl.store(DK+n[:,None]*D+d[None,:],dk.to(tl.float16)); tl.store(DV+n[:,None]*D+d[None,:],dv.to(tl.float16))
@triton.jit
def attn_ws(qd,kd,vd,od,sm,N,D:C,BM:C,BN:C):
    pm=tl.program_id(0)*BM; q=qd.load([pm,0]); mi=tl.full((BM,),-1e30,tl.float32); li=tl.zeros((BM,),tl.float32); acc=tl.zeros((BM,D),tl.float32)
    for j in tl.range(0,N,BN,warp_specialize=True):
        k=kd.load([j,0]); s=tl.dot(q,k.T)*sm; mn=tl.maximum(mi,tl.max(s,1)); p=tl.exp2(s-mn[:,None]); al=tl.exp2(mi-mn); li=li*al+tl.sum(p,1); acc=acc*al[:,None]; v=vd.load([j,0]); acc=tl.dot(p.to(tl.float16),v,acc); mi=mn
    od.store([pm,0],(acc/li[:,None]).to(tl.float16))
@triton.jit
def gath(x,idx,o,N,B:C,W:C):
    d=tl.make_tensor_descriptor(x,[N,W],[W,1],[1,W]); i=tl.load(idx+tl.arange(0,B)); v=d.gather(i,0); tl.store(o+tl.arange(0,B)[:,None]*W+tl.arange(0,W)[None,:],v)
