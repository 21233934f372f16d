use tilehaul_isa::gcn::read_code_object;
#[test]
#[ignore]
fn dump() {
    for d in std::fs::read_dir("/work/shared/kernels/gfx1250").unwrap().chain(std::fs::read_dir("/work/shared/kernels/gfx942").unwrap()) {
        for f in std::fs::read_dir(d.unwrap().path()).unwrap() { let p=f.unwrap().path(); if p.extension().is_some_and(|e|e=="hsaco") {
            let m=read_code_object(&std::fs::read(&p).unwrap()).unwrap(); let k=&m.kernels[0];
            println!("{p:?} {} entry {:x} n {} bad {} args {} {} {:?} {:?}",k.name,k.entry,m.code.len(),m.code.iter().filter(|c|c.inst.is_err()).count(),k.arguments.len(),k.kernarg_size,k.descriptor, m.relocations);
        }}
    }
}
