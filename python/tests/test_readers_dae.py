"""The reader of COLLADA files."""

import random
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("collada", reason="pycollada isn't installed")

from test_readers import assimp, assimp_poses, deviation, skinned, worlds  # noqa: F401

from rigscope import reader, readers
from rigscope.reader.messages import take_warnings
from rigscope.readers import dae

TRIANGLES = "<triangles count='1'><input semantic='VERTEX' source='#mesh-v' offset='0'/><p>0 1 2</p></triangles>"
POINTS = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]


@pytest.fixture(autouse=True)
def no_leftover_warnings():
    take_warnings()
    yield
    take_warnings()


def close(a, b, tolerance=1e-6):
    return np.allclose(np.asarray(a, float), b, atol=tolerance)


def text_of(values):
    return " ".join(str(value) for value in np.asarray(values).ravel().tolist())


def source(name, values, kind="float"):
    rows = np.asarray(values)
    rows = rows.reshape(len(rows), -1)
    matrix = "<param type='float4x4'/>"
    params = "".join(f"<param name='{'XYZW'[at]}' type='{kind}'/>" for at in range(rows.shape[1]) if rows.shape[1] <= 4)
    return (
        f"<source id='{name}'><{kind}_array id='{name}-array' count='{rows.size}'>{text_of(rows)}</{kind}_array>"
        f"<technique_common><accessor source='#{name}-array' count='{len(rows)}' stride='{rows.shape[1]}'>"
        f"{params or matrix}</accessor></technique_common></source>"
    )


def geometry(name="mesh", points=POINTS, sources="", primitives=TRIANGLES):
    primitives = primitives.replace("#mesh-v", f"#{name}-v")
    return (
        f"<geometry id='{name}' name='{name.title()}'><mesh>{source(name + '-p', points)}{sources}"
        f"<vertices id='{name}-v'><input semantic='POSITION' source='#{name}-p'/></vertices>"
        f"{primitives}</mesh></geometry>"
    )


def collada(nodes, geometries=None, controllers="", animations="", other="", asset=""):
    text = f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{asset}</asset>
<library_geometries>{geometry() if geometries is None else geometries}</library_geometries>
<library_controllers>{controllers}</library_controllers>
<library_animations>{animations}</library_animations>
{other}
<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
"""
    return text.encode()


def node(name, transforms="", content="", kind="NODE"):
    return f"<node id='{name}' name='{name}' sid='{name}-sid' type='{kind}'>{transforms}{content}</node>"


INSTANCE = "<instance_geometry url='#mesh'/>"


def animation(target, times, values, modes="LINEAR", more=""):
    values = np.asarray(values, float)
    tag = target.replace("/", "-").replace("(", "-").replace(")", "")
    modes = modes.split() * (len(times) if " " not in modes else 1)
    tangents = "".join(
        f"<input semantic='{semantic}' source='#{tag}-{semantic}'/>"
        for semantic in ("IN_TANGENT", "OUT_TANGENT")
        if more
    )
    return (
        f"<animation>{source(tag + '-in', times)}{source(tag + '-out', values)}"
        f"{source(tag + '-modes', modes, 'Name')}{more}"
        f"<sampler id='{tag}-sampler'><input semantic='INPUT' source='#{tag}-in'/>"
        f"<input semantic='OUTPUT' source='#{tag}-out'/><input semantic='INTERPOLATION' source='#{tag}-modes'/>"
        f"{tangents}</sampler><channel source='#{tag}-sampler' target='{target}'/></animation>"
    )


def model_of(data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return reader.build(dae.parse(data, "hero"))


def posed(data, time=None):
    """Positions of the first mesh in the axes of the file."""
    model = model_of(data)
    result = model.pose()[0] if time is None else model.pose(0, time)[0]
    positions = np.c_[np.asarray(result.positions, float), np.ones(len(result.positions))]
    return (positions @ np.linalg.inv(np.asarray(model.display_from_file, float)).T)[:, :3]


def bone_at(data, time, bone=0):
    return np.asarray(model_of(data).clips[0].sample(time).model_from_bone[bone], float)


def homogeneous(points):
    return np.c_[np.asarray(points, float), np.ones(len(points))]


def rotation(axis, degrees):
    turn = np.radians(degrees)
    a, b = [(1, 2), (2, 0), (0, 1)][axis]
    result = np.eye(4)
    result[[a, b], [a, b]] = np.cos(turn)
    result[a, b], result[b, a] = -np.sin(turn), np.sin(turn)
    return result


def moved(x, y, z):
    result = np.eye(4)
    result[:3, 3] = x, y, z
    return result


# ---------------------------------------------------------------------------------------------------------------------
# Nodes


def test_transforms_are_multiplied_in_the_order_of_the_file():
    transforms = (
        "<translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>"
        "<matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"
    )
    expected = moved(1, 2, 3) @ rotation(2, 90) @ np.diag([2, 1, 1, 1]) @ moved(5, 0, 0)
    data = dae.parse(collada(node("a", transforms, node("b", "<rotate>1 0 0 30</rotate>", INSTANCE))))
    assert [(bone["name"], bone["parent"]) for bone in data["bones"]] == [("a", -1), ("b", 0)]
    assert close(data["bones"][0]["rest"], expected) and close(data["bones"][1]["rest"], rotation(0, 30))
    document = collada(node("a", transforms, node("b", "<rotate>1 0 0 30</rotate>", INSTANCE)))
    assert close(posed(document), (homogeneous(POINTS[:3]) @ (expected @ rotation(0, 30)).T)[:, :3], 1e-5)


def test_lookat_and_skew():
    # From (0, 0, 10) towards the origin, with y up: only a translation.
    [eye] = dae.parse(collada(node("a", "<lookat>0 0 10 0 0 0 0 1 0</lookat>")))["bones"]
    assert close(eye["rest"], moved(0, 0, 10))
    [eye] = dae.parse(collada(node("a", "<lookat>5 0 0 0 0 0 0 1 0</lookat>")))["bones"]
    assert close(eye["rest"], moved(5, 0, 0) @ rotation(1, 90))
    # y leans towards x by 45°.
    [bone] = dae.parse(collada(node("a", "<skew>45 0 1 0 1 0 0</skew>")))["bones"]
    assert close(bone["rest"] @ [0, 1, 0, 1], [1, 1, 0, 1]) and close(bone["rest"] @ [1, 0, 0, 1], [1, 0, 0, 1])


@pytest.mark.parametrize("up", ["X_UP", "Y_UP", "Z_UP"])
def test_up_axis_and_unit(up):
    asset = f"<unit name='centimeter' meter='0.01'/><up_axis>{up}</up_axis>"
    model = model_of(collada(node("a", "<translate>1 2 3</translate>", INSTANCE), asset=asset))
    assert model.up == ("z" if up == "Z_UP" else "y") and close(model.unit_meters, 0.01)
    expected = {"X_UP": [-2, 1, 3], "Y_UP": [1, 2, 3], "Z_UP": [1, 3, -2]}[up]
    assert close(np.asarray(model.pose()[0].positions)[0], np.array(expected) * 0.01)


def test_instances_of_nodes_are_copies():
    library = f"<library_nodes>{node('part', '<translate>0 0 1</translate>', INSTANCE)}</library_nodes>"
    instance = "<instance_node url='#part'/>"
    data = dae.parse(
        collada(node("a", "", instance) + node("b", "<translate>2 0 0</translate>", instance), other=library)
    )
    assert [(bone["name"], bone["parent"]) for bone in data["bones"]] == [
        ("a", -1),
        ("part", 0),
        ("b", -1),
        ("part", 2),
    ]
    assert [mesh["attached_to"] for mesh in data["meshes"]] == [1, 3]
    library = f"<library_nodes>{node('part', '', instance)}</library_nodes>"
    with pytest.raises(reader.Error, match="<node> 'part': the node is an instance of itself"):
        dae.parse(collada(node("a", "", instance), other=library))
    deep = "<node>" * 2000 + "</node>" * 2000
    with pytest.raises(reader.Error, match="nested more than 1,000 levels deep"):
        dae.parse(collada(deep))
    # Each level has twice the nodes of the one below.
    levels = "".join(node(f"n{at}", "", f"<instance_node url='#n{at + 1}'/>" * 2) for at in range(40)) + node("n40")
    with pytest.raises(reader.Error, match="more than 65,536 nodes"):
        dae.parse(
            collada(node("a", "", "<instance_node url='#n0'/>"), other=f"<library_nodes>{levels}</library_nodes>")
        )


# ---------------------------------------------------------------------------------------------------------------------
# Geometry

INPUTS = (
    "<input semantic='VERTEX' source='#mesh-v' offset='0'/><input semantic='NORMAL' source='#n' offset='1'/>"
    "<input semantic='TEXCOORD' source='#uv1' offset='2' set='1'/>"
    "<input semantic='TEXCOORD' source='#uv0' offset='1' set='0'/>"
    "<input semantic='COLOR' source='#c' offset='1'/>"
)
SOURCES = (
    source("n", [[0, 0, 1], [0, 1, 0]])
    + source("uv0", [[0, 0], [0.25, 0.75]])
    + source("uv1", [[0.5, 0.5], [1, 0], [0, 1]])
    + source("c", [[1, 0.5, 0], [1, 1, 1]])
)


def test_distinct_index_tuples_become_vertices():
    primitives = f"<triangles count='2'>{INPUTS}<p>0 0 0 1 0 1 2 0 2  0 0 0 1 0 2 3 1 0</p></triangles>"
    [mesh] = dae.parse(collada(node("a", "", INSTANCE), geometry(sources=SOURCES, primitives=primitives)))["meshes"]
    assert close(mesh["positions"], [POINTS[0], POINTS[1], POINTS[2], POINTS[1], POINTS[3]])
    assert mesh["triangles"].tolist() == [[0, 1, 2], [0, 3, 4]]
    assert close(mesh["normals"][[0, 4]], [[0, 0, 1], [0, 1, 0]])
    assert close(mesh["uvs"][0][[0, 4]], [[0, 1], [0.25, 0.25]]), "sets are sorted, and v is inverted"
    assert close(mesh["uvs"][1], [[0.5, 0.5], [1, 1], [0, 0], [0, 0], [0.5, 0.5]])
    assert close(mesh["colors"][[0, 4]], [[1, 0.21404114, 0, 1], [1, 1, 1, 1]]), "sRGB"


def test_polygons_become_triangles():
    # A dart, whose fan from the first corner would be outside of it.
    dart = [[0, 0, 0], [2, -1, 0], [0, 3, 0], [-2, -1, 0]]
    dart = dart[1:] + dart[:1]
    vertex = "<input semantic='VERTEX' source='#mesh-v' offset='0'/>"
    for primitives in [
        f"<polylist count='1'>{vertex}<vcount>4</vcount><p>0 1 2 3</p></polylist>",
        f"<polygons count='1'>{vertex}<p>0 1 2 3</p></polygons>",
    ]:
        for points in (np.array(dart), np.array(dart)[[1, 2, 3, 0]], np.array(dart)[:, [2, 0, 1]]):
            [mesh] = dae.parse(collada(node("a", "", INSTANCE), geometry(points=points, primitives=primitives)))[
                "meshes"
            ]
            corners = mesh["positions"][mesh["triangles"]]
            cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            assert len(cross) == 2 and close(np.linalg.norm(cross, axis=1).sum() / 2, 6)
            assert (cross @ cross.sum(axis=0) > 0).all()
    mixed = f"<polylist count='3'>{vertex}<vcount>3 4 2</vcount><p>0 1 2 0 1 2 3 0 1</p></polylist>"
    [mesh] = dae.parse(collada(node("a", "", INSTANCE), geometry(primitives=mixed)))["meshes"]
    assert len(mesh["triangles"]) == 3
    fans = f"<trifans count='1'>{vertex}<p>0 1 2 3</p></trifans><tristrips count='1'>{vertex}<p>0 1 2 3</p></tristrips>"
    [mesh] = dae.parse(collada(node("a", "", INSTANCE), geometry(primitives=fans)))["meshes"]
    assert mesh["triangles"].tolist()[:2] == [[0, 1, 2], [0, 2, 3]] and len(mesh["triangles"]) == 4


MATERIALS = """
<library_images><image id="img"><init_from>file:///C:/tex/my%20skin.png</init_from></image></library_images>
<library_effects>
<effect id="red-fx"><profile_COMMON><technique sid="common"><lambert>
  <emission><color>0.1 0.2 0.3 1</color></emission><diffuse><color>0.8 0.1 0.1 1</color></diffuse>
  <transparent opaque="RGB_ZERO"><color>1 1 1 1</color></transparent><transparency><float>0.25</float></transparency>
</lambert></technique></profile_COMMON></effect>
<effect id="skin-fx"><profile_COMMON>
  <newparam sid="surf"><surface type="2D"><init_from>img</init_from></surface></newparam>
  <newparam sid="samp"><sampler2D><source>surf</source></sampler2D></newparam>
  <technique sid="common"><phong><diffuse><texture texture="samp" texcoord="UVB"/></diffuse>
  <shininess><float>6</float></shininess></phong></technique></profile_COMMON></effect>
</library_effects>
<library_materials>
<material id="red-m" name="Red"><instance_effect url="#red-fx"/></material>
<material id="skin-m" name="Skin"><instance_effect url="#skin-fx"/></material>
</library_materials>"""


def test_materials_are_bound_to_symbols():
    uvs = "<input semantic='TEXCOORD' source='#uv0' offset='1' set='{}'/>"
    vertex = f"<input semantic='VERTEX' source='#mesh-v' offset='0'/>{uvs.format(0)}{uvs.format(3)}"
    p = "<p>0 0 1 0 2 0</p>"
    primitives = "".join(f"<triangles material='{s}' count='1'>{vertex}{p}</triangles>" for s in ("x", "y", "x"))
    binding = (
        "<instance_geometry url='#mesh'><bind_material><technique_common>"
        "<instance_material symbol='x' target='#skin-m'>"
        "<bind_vertex_input semantic='UVB' input_semantic='TEXCOORD' input_set='3'/></instance_material>"
        "<instance_material symbol='y' target='#red-m'/></technique_common></bind_material></instance_geometry>"
    )
    data = dae.parse(collada(node("a", "", binding), geometry(sources=SOURCES, primitives=primitives), other=MATERIALS))
    [mesh] = data["meshes"]
    assert mesh["subsets"] == [[0, 2, 0], [2, 1, 1]]
    skin, red = data["materials"]
    assert (skin["name"], red["name"]) == ("Skin", "Red")
    assert skin["textures"] == [{"role": "base-color", "path": "C:/tex/my skin.png", "uv_set": 1}]
    assert skin["base_color"] == [1, 1, 1, 1] and close(skin["roughness"], 0.5)
    assert close(red["base_color"], [0.8, 0.1, 0.1, 0.75], 1e-5) and red["alpha"] == "blend"
    assert close(red["emissive"], [0.1, 0.2, 0.3])
    assert reader.build(data).materials[0].textures[0].path == "C:/tex/my skin.png"


# ---------------------------------------------------------------------------------------------------------------------
# Skins and morphs

SHAPE = moved(0.5, 0, 0) @ rotation(1, 90) @ np.diag([2, 2, 2, 1])
BINDS = [moved(0, 1, 0), moved(0, 1, 0) @ rotation(2, 30)]
WEIGHTS = [1, 0.25, 0.75]
JOINTS = node(
    "hip", "<translate>0 1 0</translate>", node("knee", "<rotate sid='turn'>0 0 1 90</rotate>", "", "JOINT"), "JOINT"
)
#: World matrices of the joints.
WORLDS = [moved(0, 1, 0), moved(0, 1, 0) @ rotation(2, 90)]


def skin(names=("hip-sid", "knee-sid"), kind="Name", source_url="#mesh", extra=""):
    return (
        f"<controller id='skin'><skin source='{source_url}'><bind_shape_matrix>{text_of(SHAPE)}</bind_shape_matrix>"
        + source("j", list(names), kind)
        + source("b", np.linalg.inv(BINDS).reshape(2, 16))
        + source("w", WEIGHTS)
        + "<joints><input semantic='JOINT' source='#j'/><input semantic='INV_BIND_MATRIX' source='#b'/></joints>"
        "<vertex_weights count='4'><input semantic='JOINT' source='#j' offset='0'/>"
        "<input semantic='WEIGHT' source='#w' offset='1'/>"
        f"<vcount>1 2 1 0</vcount><v>0 0 0 1 1 2 1 0{extra}</v></vertex_weights></skin></controller>"
    )


def instance(url="#skin", root="hip"):
    return f"<instance_controller url='{url}'><skeleton>#{root}</skeleton></instance_controller>"


def skinned_by_hand(points, worlds):
    """The formula of the specification."""
    shaped = homogeneous(points) @ SHAPE.T
    by_joint = [shaped @ (world @ np.linalg.inv(bind)).T for world, bind in zip(worlds, BINDS)]
    weights = np.array([[1, 0], [0.25, 0.75], [0, 1]])
    return sum(weights[:, [joint]] * by_joint[joint][:3, :3] for joint in range(2))


def test_skins_with_a_bind_shape():
    # The node of the instance doesn't move the skin.
    body = node("body", "<translate>9 9 9</translate>", instance())
    expected = skinned_by_hand(POINTS, WORLDS)
    assert close(posed(collada(JOINTS + body, controllers=skin())), expected, 1e-5)
    by_id = skin(("hip", "knee"), "IDREF")
    assert close(posed(collada(JOINTS + body, controllers=by_id)), expected, 1e-5)
    z_up = collada(JOINTS + body, controllers=skin(), asset="<unit meter='0.01'/><up_axis>Z_UP</up_axis>")
    assert close(posed(z_up), expected, 1e-5)
    x_up = posed(collada(JOINTS + body, controllers=skin(), asset="<up_axis>X_UP</up_axis>"))
    assert close(x_up, expected[:, [1, 0, 2]] * [-1, 1, 1], 1e-5)
    model = model_of(collada(JOINTS + body, controllers=skin()))
    assert [bone.name for bone in model.skeleton.bones] == ["hip", "knee", "body"]


def test_skeletons_decide_between_equal_sids():
    other = JOINTS.replace("id='", "id='other-").replace("0 1 0", "5 5 5")
    nodes = other + JOINTS + node("body", "", instance())
    assert close(posed(collada(nodes, controllers=skin())), skinned_by_hand(POINTS, WORLDS), 1e-5)


def test_mirrored_bind_shapes_turn_triangles():
    mirrored = skin().replace(text_of(SHAPE), text_of(np.diag([-1.0, 1, 1, 1])))
    [mesh] = dae.parse(collada(JOINTS + node("body", "", instance()), controllers=mirrored))["meshes"]
    assert mesh["triangles"].tolist() == [[2, 1, 0]] and close(mesh["positions"][1], [-1, 0, 0])


def morph(method, targets=("smile", "frown"), source_url="#mesh"):
    return (
        f"<controller id='morph'><morph source='{source_url}' method='{method}'>"
        + source("t", list(targets), "IDREF")
        + source("tw", [0.5, 0.25])
        + "<targets><input semantic='MORPH_TARGET' source='#t'/><input semantic='MORPH_WEIGHT' source='#tw'/></targets>"
        "</morph></controller>"
    )


SMILE, FROWN = np.array(POINTS) + [0, 1, 0], np.array(POINTS) * 3
# Morph targets need no triangles.
FACES = geometry() + geometry("smile", SMILE) + geometry("frown", FROWN, primitives="")


def test_morphs_are_offsets():
    points = np.array(POINTS[:3], float)
    for method, expected in [
        ("NORMALIZED", 0.25 * points + 0.5 * SMILE[:3] + 0.25 * FROWN[:3]),
        ("RELATIVE", points + 0.5 * SMILE[:3] + 0.25 * FROWN[:3]),
    ]:
        weights = animation("tw(1)", [0, 1], [0.25, 1])
        document = collada(node("a", "", instance("#morph", "a")), FACES, morph(method), weights)
        assert close(posed(document), expected, 1e-5)
        more = FROWN[:3] - (points if method == "NORMALIZED" else 0)
        assert close(posed(document, 1), expected + 0.75 * more, 1e-5)
        [mesh] = model_of(document).meshes
        assert [target.name for target in mesh.morph_targets] == ["Smile", "Frown"]
        for other in (b"morph(1)", b"morph/tw(1)", b"tw-array(1)"):
            assert close(
                posed(document.replace(b"target='tw(1)'", b"target='" + other + b"'"), 1)[1:], posed(document, 1)[1:]
            )


def test_skins_of_morphs_and_morphs_of_skins():
    points = 0.25 * np.array(POINTS[:3]) + 0.5 * SMILE[:3] + 0.25 * FROWN[:3]
    expected = skinned_by_hand(points, WORLDS)
    controllers = skin(source_url="#morph") + morph("NORMALIZED")
    assert close(posed(collada(JOINTS + node("b", "", instance()), FACES, controllers)), expected, 1e-5)
    # As Blender writes them: both of the same geometry, and no reference to the morph.
    controllers = skin() + morph("NORMALIZED")
    assert close(posed(collada(JOINTS + node("b", "", instance()), FACES, controllers)), expected, 1e-5)
    controllers = skin() + morph("NORMALIZED", source_url="#skin")
    data = dae.parse(collada(JOINTS + node("b", "", instance("#morph")), FACES, controllers))
    assert "before the skin" in take_warnings()[0] and len(data["meshes"][0]["morph_targets"]) == 2


# ---------------------------------------------------------------------------------------------------------------------
# Animations


def test_matrices_are_animated():
    keys = np.array([moved(0, 0, 0), moved(2, 0, 0) @ rotation(2, 90)])
    document = collada(
        node("a", "<matrix sid='m'>1 0 0 7 0 1 0 0 0 0 1 0 0 0 0 1</matrix>", INSTANCE),
        animations=animation("a/m", [0.5, 1.5], keys.reshape(2, 16)),
    )
    model = model_of(document)
    assert (model.clips[0].name, model.clips[0].duration) == ("hero", 1)
    assert close(bone_at(document, 1.5), keys[1]) and close(bone_at(document, 1), moved(1, 0, 0) @ rotation(2, 45))


def test_single_values_are_animated():
    # A rotation by more than half a turn, which two keys can't show.
    for target in ("knee/turn.ANGLE", "knee/turn(3)", "hip/knee-sid/turn.ANGLE"):
        document = collada(
            JOINTS + node("b", "", instance()), controllers=skin(), animations=animation(target, [0, 2], [0, 540])
        )
        for time in (0, 0.5, 1, 1.75):
            assert close(bone_at(document, time, 1), moved(0, 1, 0) @ rotation(2, 270 * time), 1e-3)
        expected = skinned_by_hand(POINTS, [WORLDS[0], moved(0, 1, 0) @ rotation(2, 270)])
        assert close(posed(document, 1), expected, 1e-4)
    transforms = "<translate sid='t'>1 2 3</translate><scale sid='s'>1 1 1</scale>"
    both = animation("a/t.Y", [0, 1], [2, 4]) + animation("a/s", [0, 2], [[1, 1, 1], [3, 5, 1]])
    assert close(bone_at(collada(node("a", transforms), animations=both), 1), moved(1, 4, 3) @ np.diag([2, 3, 1, 1]))


def test_steps_and_curves():
    transforms = "<translate sid='location'>0 0 0</translate><rotate sid='r'>0 0 1 0</rotate>"

    def x(animations, time):
        return bone_at(collada(node("a", transforms), animations=animations), time)[0, 3]

    step = animation("a/location.X", [0, 1, 2], [1, 2, 3], "STEP")
    assert close([x(step, time) for time in (0.5, 0.999, 1, 1.5)], [1, 1, 2, 2])
    mixed = animation("a/location.X", [0, 1, 2], [1, 2, 3], "STEP LINEAR LINEAR")
    assert close([x(mixed, time) for time in (0.5, 0.999, 1.5)], [1, 1, 2.5])
    # An ease in and out from 0 to 1: with these control points, time and value are the same polynomials of the
    # parameter, 3s²(1-s)·k + s³ with k = 0 for the time at s = 0.5.
    ends = source("a-location.X-IN_TANGENT", [[0, 0], [1, 3]]) + source("a-location.X-OUT_TANGENT", [[1, 0], [0, 0]])
    curve = animation("a/location.X", [0, 2], [0, 3], "BEZIER", ends)
    s = np.linspace(0, 1, 21)
    times = 3 * s * (1 - s) ** 2 * 1 + 3 * s**2 * (1 - s) * 1 + s**3 * 2
    values = 3 * s**2 * (1 - s) * 3 + s**3 * 3
    assert close([x(curve, time) for time in times], values, 2e-3)
    # The same as a Hermite curve: tangents are three times the distance to the control points.
    ends = source("a-location.X-IN_TANGENT", [[0, 0], [3, 0]]) + source("a-location.X-OUT_TANGENT", [[3, 0], [0, 0]])
    curve = animation("a/location.X", [0, 2], [0, 3], "HERMITE", ends)
    assert close([x(curve, time) for time in times], values, 2e-3)
    dae.parse(collada(node("a", transforms), animations=animation("a/location.X", [0, 2], [0, 3], "BSPLINE")))
    assert "2 keys with 'BSPLINE' interpolation are read as linear" in take_warnings()[0]


def test_clips_are_ranges():
    clips = (
        "<library_animation_clips><animation_clip name='walk' start='0.5' end='1.5'><instance_animation url='#move'/>"
        "</animation_clip></library_animation_clips>"
    )
    animations = animation("a/t", [0, 2], [[0, 0, 0], [2, 0, 0]]).replace("<animation>", "<animation id='move'>")
    data = dae.parse(collada(node("a", "<translate sid='t'>0 0 0</translate>"), animations=animations, other=clips))
    [clip] = data["clips"]
    assert (clip["name"], clip["start"], clip["duration"]) == ("walk", 0.5, 1)
    assert len(reader.build(data).clips) == 1


def test_skipped_parts_are_reported():
    assert "meshes" not in dae.parse(collada(node("a", "", INSTANCE), "<geometry id='mesh'><spline/></geometry>"))
    assert take_warnings() == ["<geometry> 'mesh' is skipped, because it isn't a mesh."]
    nodes = JOINTS + node("b", "", instance(root="missing"))
    data = dae.parse(collada(nodes, controllers=skin()))
    assert data["meshes"][0]["skin_bones"] == [0, 1]
    assert take_warnings() == ["The scene has no node with the id 'missing' of <skeleton>."]
    binding = "<instance_material symbol='x' target='#n'/>"
    binding = f"<bind_material><technique_common>{binding}</technique_common></bind_material>"
    primitives = TRIANGLES.replace("<triangles", "<triangles material='x'")
    content = INSTANCE.replace("/>", f">{binding}</instance_geometry>")
    [mesh] = dae.parse(collada(node("a", "", content), geometry(primitives=primitives)))["meshes"]
    assert mesh["subsets"] == [[0, 1, None]] and "no <material> has the id 'n'" in take_warnings()[0]
    nodes = node("a", "", "<instance_light url='#sun'/><instance_camera url='#cam'/>")
    dae.parse(collada(nodes, animations=animation("sun/color", [0, 1], [[0, 0, 0], [1, 1, 1]])))
    assert take_warnings() == ["2 cameras and lights are skipped.", "1 animation channels are skipped: sun/color (1)."]


# ---------------------------------------------------------------------------------------------------------------------
# Damaged files

WHOLE = collada(
    JOINTS + node("b", "", instance()),
    FACES,
    skin(source_url="#morph") + morph("NORMALIZED"),
    animation("knee/turn.ANGLE", [0, 1], [0, 90]) + animation("tw(1)", [0, 1], [0.25, 1]),
    MATERIALS,
    "<unit meter='0.01'/><up_axis>Z_UP</up_axis>",
)


def test_errors_name_the_element():
    for old, new, message in [
        ("<COLLADA", "<html", "mismatched tag"),
        ("</scene>", "", "the XML is damaged or truncated"),
        ("<p>0 1 2</p>", "<p>0 1 9</p>", "<geometry> 'mesh': the content is malformed"),
        ("<p>0 1 2</p>", "<p>0 1 -1</p>", "index -1 of VERTEX is out of range; <source> 'mesh-p' has 4 rows"),
        ("<p>0 1 2</p>", "<p>0 1</p>", "<geometry> 'mesh': the content is malformed"),
        ("<p>0 1 2</p>", "<p>0 1 x</p>", "<geometry> 'mesh': the content is malformed"),
        ("source='#mesh-v' offset='0'", "source='#mesh-v' offset='-1'", "the content is malformed"),
        ("source='#mesh-p'", "source='#nothing'", "no element has the id 'nothing'"),
        ("count='12'", "count='13'", "<float_array> 'mesh-p-array': the count is 13, but there are 12 values"),
        ("count='4' stride='3'", "count='5' stride='3'", "<source> 'mesh-p': the accessor needs 5 rows of 3"),
        ("0 0 0 1 0 0", "0 0 NaN 1 0 0", "value 2 is 'NaN', which isn't a finite number"),
        ("0 0 0 1 0 0", "0 0 zero 1 0 0", "expected numbers (could not convert string to float: 'zero')"),
        ("<v>0 0 0 1 1 2 1 0</v>", "<v>0 0 0 1 7 2 1 0</v>", "<controller> 'skin': joint index 7 is out of range"),
        ("<v>0 0 0 1 1 2 1 0</v>", "<v>0 0 0 1 1 3 1 0</v>", "<controller> 'skin': weight index 3 is out of range"),
        ("<vcount>1 2 1 0</vcount>", "<vcount>1 2 2 0</vcount>", "vcount needs 10 indices, but there are 8"),
        ("<vcount>1 2 1 0</vcount>", "<vcount>1 2 1</vcount>", "weights for 3 positions, but the geometry has 4"),
        ("hip-sid knee-sid", "hip-sid toe", "<controller> 'skin': the scene has no node for the joint 'toe'"),
        ("smile frown", "smile laugh", "there is no geometry with the id 'laugh'"),
        ("method='NORMALIZED'", "method='OTHER'", "the morph method 'OTHER' is unknown"),
        ("skin source='#morph'", "skin source='#skin'", "controllers refer to each other in a cycle"),
        ("0 0 1 90</rotate>", "0 0 1</rotate>", "<rotate> 'turn': expected 4 numbers, found 3"),
        ('url="#scene"', 'url="#x"', "no <visual_scene> has the id 'x'"),
        ("target='tw(1)'", "target='tw(2)'", "the morph has 2 targets"),
        ("target='knee/turn.ANGLE'", "target='knee/turn(4)'", "<rotate> has 4 values, so there is no value 4"),
        ("target='knee/turn.ANGLE'", "target='knee/turn'", "the transform needs 4 values per key, but the curve has 1"),
        (
            "ANGLE-in-array' count='2' stride",
            "ANGLE-in-array' count='1' stride",
            "1 times for 2 values",
        ),
    ]:
        assert old.encode() in WHOLE, old
        with pytest.raises(reader.Error) as caught:
            dae.parse(WHOLE.replace(old.encode(), new.encode(), 1))
        assert message in str(caught.value), old


def test_document_type_definitions_are_refused():
    lines = ['<!ENTITY a "lol">', *(f'<!ENTITY a{at} "{"&a;" * 10}">' for at in range(10))]
    bomb = f'<?xml version="1.0"?>\n<!DOCTYPE COLLADA [\n{"".join(lines)}]>\n<COLLADA>&a9;</COLLADA>'
    for data in (bomb.encode(), bomb.encode("utf-16"), b"\xef\xbb\xbf" + bomb.encode()):
        with pytest.raises(reader.Error, match="line 2: document type definitions"):
            dae.parse(data)
    # Encodings that would hide it are not applied.
    with pytest.raises(reader.Error):
        dae.parse(b'<?xml version="1.0" encoding="utf-7"?>+ADwAIQ-DOCTYPE COLLADA [')
    for data, message in [
        (b"", "it isn't XML"),
        (b"PK\3\4", "it isn't XML"),
        (b"<svg/>", "the root element is <svg>"),
        (b"<COLLADA/>", "no <visual_scene>"),
        (b"<COLLADA>PK\5\6</COLLADA>", "control characters"),
    ]:
        with pytest.raises(reader.Error, match=message):
            dae.parse(data)


def read_anything(data):
    """Reads and writes; errors must be `reader.Error`."""
    try:
        data = dae.parse(data)
        reader.write(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader.build(data)
    except reader.Error:
        pass


def test_damaged_files_are_rejected_or_read():
    read_anything(WHOLE)
    for end in range(0, len(WHOLE), 97):
        read_anything(WHOLE[:end])
    rng = random.Random(1)
    values = [b"-1", b"99999999999", b"nan", b"1e308", b"#", b"x", b"<p>", b"'", b" ", b"0", b"</source>"]
    for _ in range(1500):
        data = bytearray(WHOLE)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(data))
            value = rng.choice(values)
            data[at : at + rng.choice([1, len(value)])] = value
        read_anything(bytes(data))


def test_damaged_numbers_and_elements_are_rejected_or_read():
    """Changes that keep the XML well-formed."""
    import re

    text = WHOLE.decode()
    places = [
        match.span()
        for match in re.finditer(r"(?<=[ >'\"#])-?\d+(\.\d+)?(?=[ <'\"])|(?<=<)\w+(?= |>)|(?<=['#])[\w-]+(?=')", text)
    ]
    rng = random.Random(2)
    for _ in range(1500):
        start, end = rng.choice(places)
        value = rng.choice(["-1", "99999999999", "nan", "1e300", "", "0", "mesh", "source", "skin", "2 2", "7"])
        changed = text[:start] + value + text[end:]
        tag = text[start:end]
        if text[start - 1] == "<":
            changed = text.replace(f"<{tag}", "<other").replace(f"</{tag}", "</other")
        read_anything(changed.encode())


def test_poses_match_assimp(assimp, tmp_path):  # noqa: F811
    rng = np.random.default_rng(1)
    bones = [moved(*rng.uniform(-1, 1, 3)) @ rotation(int(rng.integers(3)), rng.uniform(0, 360)) for _ in range(6)]
    keys = [
        [moved(*rng.uniform(-1, 1, 3)) @ rotation(int(rng.integers(3)), rng.uniform(0, 360)) for _ in bones]
        for _ in "abc"
    ]
    joints = ""
    for number in reversed(range(6)):
        joints = node(f"b{number}", f"<matrix sid='m'>{text_of(bones[number])}</matrix>", joints, "JOINT")
    animations = "".join(
        animation(f"b{number}/m", [0, 1, 2], np.reshape([key[number] for key in keys], (3, 16))) for number in range(6)
    )
    points = rng.uniform(-3, 3, (60, 3))
    faces = "<triangles count='20'><input semantic='VERTEX' source='#mesh-v' offset='0'/><p>"
    binds = [moved(*rng.uniform(-1, 1, 3)) @ rotation(0, 50 * number) for number in range(6)]
    pairs = [rng.choice(6, 2, replace=False) for _ in points]
    influences = " ".join(f"{a} 0 {b} 1" for a, b in pairs)
    controller = (
        f"<controller id='skin'><skin source='#mesh'><bind_shape_matrix>{text_of(SHAPE)}</bind_shape_matrix>"
        + source("j", [f"b{number}-sid" for number in range(6)], "Name")
        + source("b", np.reshape(binds, (6, 16)))
        + source("w", [0.625, 0.375])
        + "<joints><input semantic='JOINT' source='#j'/><input semantic='INV_BIND_MATRIX' source='#b'/></joints>"
        "<vertex_weights count='60'><input semantic='JOINT' source='#j' offset='0'/>"
        "<input semantic='WEIGHT' source='#w' offset='1'/>"
        f"<vcount>{'2 ' * 60}</vcount><v>{influences}</v></vertex_weights></skin></controller>"
    )
    body = node("body", "", instance(root="b0"))
    geometries = geometry(points=points, primitives=f"{faces}{text_of(range(60))}</p></triangles>")
    path = tmp_path / "random.dae"
    path.write_bytes(collada(joints + body, geometries, controller, animations))
    data = dae.read(path)
    [mesh] = data["meshes"]
    for key in range(3):
        _, expected = assimp_poses(assimp, path, key=key)
        palette = worlds(data, data["clips"][0], key)[mesh["skin_bones"]] @ mesh["inverse_bind_matrices"]
        assert deviation(skinned(mesh, palette)[mesh["triangles"]], expected) < 1e-5


def test_the_program_reads_a_file(tmp_path):
    path = tmp_path / "hero.dae"
    path.write_bytes(WHOLE)
    command = [sys.executable, "-m", "rigscope.readers", "dae", str(path), "--summary"]
    package = str(Path(reader.__file__).parents[2])
    done = subprocess.run(command, env={"PYTHONPATH": package}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "hero: Z up, right-handed" in done.stdout and "clip 'hero': 1 s" in done.stdout
    assert readers.FORMATS["dae"].read is dae.read
    path.write_bytes(WHOLE[:200])
    done = subprocess.run(command, env={"PYTHONPATH": package}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "damaged or truncated" in done.stderr
