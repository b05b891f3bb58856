// Triangles with a material into the geometry buffer, from which deferred.wgsl lights the nearest one.

@fragment
fn fragment_main(in: Varying, @builtin(front_facing) front_facing: bool) -> Stored {
    let face = smooth_facing(in, front_facing);
    var turned = Basis();
    if has_relief() {
        let side = select(-1.0, 1.0, face.is_front);
        let found = basis(in, face.normal * side);
        turned = Basis(found.right * side, found.up * side);
    }
    let uv = bitcast<vec2u>(in.uv);
    return Stored(
        vec4u(
            packed_direction(face.normal),
            packed_direction(turned.right),
            packed_direction(turned.up),
            in.draw + 1u,
        ),
        vec4u(uv, pack2x16float(dpdx(in.uv)), pack2x16float(dpdy(in.uv))),
    );
}
