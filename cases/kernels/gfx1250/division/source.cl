__kernel void k(__global const float *x, __global float *o, __global float *q, __global float *s) {
    int i = (int)__builtin_amdgcn_workgroup_id_x() * 64 + (int)__builtin_amdgcn_workitem_id_x();
    o[i] = 1.0f / x[i];
    q[i] = x[i] / 3.0f;
    s[i] = 1e30f / x[i];
}
