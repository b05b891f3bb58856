"""Creates materials with textures, as Principled BSDF."""

from __future__ import annotations

import bpy

#: Input of the shader, and channel of the image: 0 red to 2 blue, or None for the colour.
_INPUTS = {
    "base-color": [("Base Color", None)],
    "metallic-roughness": [("Roughness", 1), ("Metallic", 2)],
    "metallic-roughness-occlusion": [("Metallic", 0), ("Roughness", 1)],
    "metallic": [("Metallic", 0)],
    "roughness": [("Roughness", 0)],
    "emissive": [("Emission Color", None)],
}


def load_images(model) -> list[bpy.types.Image]:
    """All images of a model, packed into the file."""
    images = []
    for image in model.images:
        data = bytes(image.data)
        loaded = bpy.data.images.new(image.name or "image", 8, 8)
        loaded.pack(data=data, data_len=len(data))
        loaded.source = "FILE"
        images.append(loaded)
    return images


def load_materials(model) -> list[bpy.types.Material]:
    """All materials of a model."""
    images = load_images(model)
    return [_material(material, images) for material in model.materials]


def _material(source, images) -> bpy.types.Material:
    material = bpy.data.materials.new(source.name or f"material {source.index}")
    material.use_nodes = True
    tree = material.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    look = source.look
    if look:
        shader.inputs["Base Color"].default_value = look["base_color"]
        shader.inputs["Alpha"].default_value = look["base_color"][3]
        shader.inputs["Metallic"].default_value = look["metallic"]
        shader.inputs["Roughness"].default_value = look["roughness"]
        shader.inputs["IOR"].default_value = look["ior"]
        shader.inputs["Emission Color"].default_value = (*look["emissive"], 1.0)
        shader.inputs["Emission Strength"].default_value = float(any(look["emissive"]))
        shader.inputs["Coat Weight"].default_value = look["clearcoat"]
        shader.inputs["Coat Roughness"].default_value = look["clearcoat_roughness"]
        shader.inputs["Transmission Weight"].default_value = look["transmission"]
        material.use_backface_culling = not look["two_sided"]
        material.diffuse_color = look["base_color"]
    row = 0
    for texture in source.textures:
        if texture.image is None or texture.image >= len(images):
            continue
        node = tree.nodes.new("ShaderNodeTexImage")
        node.image = images[texture.image]
        node.label = texture.role
        node.location = (-700, 300 - 300 * row)
        wraps = set(texture.wrap)
        node.extension = {"clamp": "EXTEND", "mirror": "MIRROR"}.get(
            wraps.pop() if len(wraps) == 1 else "repeat", "REPEAT"
        )
        row += 1
        if texture.role not in ("base-color", "emissive", "other"):
            node.image.colorspace_settings.name = "Non-Color"
        _connect(tree, node, shader, texture.role, look)
    return material


def _connect(tree, node, shader, role: str, look) -> None:
    links = tree.links
    if role == "normal":
        normal_map = tree.nodes.new("ShaderNodeNormalMap")
        normal_map.location = (-350, node.location.y)
        if look:
            normal_map.inputs["Strength"].default_value = look["normal_scale"]
        links.new(node.outputs["Color"], normal_map.inputs["Color"])
        links.new(normal_map.outputs["Normal"], shader.inputs["Normal"])
        return
    inputs = _INPUTS.get(role, [])
    separate = None
    for name, channel in inputs:
        if channel is None:
            links.new(node.outputs["Color"], shader.inputs[name])
            continue
        if separate is None:
            separate = tree.nodes.new("ShaderNodeSeparateColor")
            separate.location = (-350, node.location.y)
            links.new(node.outputs["Color"], separate.inputs["Color"])
        links.new(separate.outputs[channel], shader.inputs[name])
    if role == "base-color" and look and look["alpha"] != "opaque":
        links.new(node.outputs["Alpha"], shader.inputs["Alpha"])
    if role == "emissive":
        shader.inputs["Emission Strength"].default_value = 1.0
