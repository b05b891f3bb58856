"""Points and normals of skinned meshes, computed with the functions of Pixar's UsdSkel.

The steps are those of the manual of UsdSkel (https://openusd.org/release/api/usd_skel_page_front.html), on its pages
"API Introduction" and "Schemas In-Depth":

1. `UsdSkelCache::Populate` resolves the inherited bindings of each SkelRoot, and `GetSkinningQuery` returns them.
2. Blend shapes come before joints: "blend shape application precedes the effect of skinning using joint
   transformations" ("Schemas In-Depth", section "Blend Shape Schema").
3. `UsdSkelSkeletonQuery::ComputeSkinningTransforms` returns the inverse bind transform of each joint times its animated
   transform in the space of the skeleton.
4. `UsdSkelSkinningQuery::ComputeSkinnedPoints` applies geomBindTransform, reorders the joints for skel:joints, and
   skins with the method of the mesh: linear, or dual quaternions.
5. The result is in the space of the skeleton: "any transform on the prim authored by way of the typical
   UsdGeomXformable schema has no effect" (same page, section "GeomBindTransform"). So the local-to-world transform
   of the skeleton places the points in the world, not that of the mesh.

Python has no `ComputeSkinnedNormals`, so `skinned_normals` repeats its steps with `UsdSkel.SkinNormals`, and `deformed`
applies the offsets of normals with `UsdSkel.ApplyBlendShape`. check_answers.py compares both with
`UsdSkel.BakeSkinning`.
"""

from typing import NamedTuple

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt


class Binding(NamedTuple):
    """The resolved binding of a mesh."""

    skinning: UsdSkel.SkinningQuery
    # Invalid (and false) if the skeleton is, for example because children come before parents.
    skeleton: UsdSkel.SkeletonQuery
    # The skeleton inside of the instance. `SkeletonQuery::GetPrim` returns the prim of the prototype, which has another
    # transform.
    skeleton_prim: Usd.Prim

    @property
    def moves_points(self):
        """Whether joints deform the mesh, and not only blend shapes."""
        return self.skinning.HasJointInfluences()


class Bindings:
    """The bindings of a stage, by path of the mesh."""

    def __init__(self, stage):
        self.cache = UsdSkel.Cache()
        self.by_mesh = {}
        for prim in Usd.PrimRange.Stage(stage, Usd.TraverseInstanceProxies()):
            # `Populate` treats a SkelRoot below another one like any other prim.
            if prim.IsA(UsdSkel.Root) and not self._is_below_root(prim):
                self._add_root(UsdSkel.Root(prim))

    def _is_below_root(self, prim):
        parent = prim.GetParent()
        while parent:
            if parent.IsA(UsdSkel.Root):
                return True
            parent = parent.GetParent()
        return False

    def _add_root(self, root):
        self.cache.Populate(root, Usd.TraverseInstanceProxies())
        for binding in self.cache.ComputeSkelBindings(root, Usd.TraverseInstanceProxies()):
            skeleton = binding.GetSkeleton()
            for skinning in binding.GetSkinningTargets():
                self.by_mesh[skinning.GetPrim().GetPath()] = Binding(skinning, self.cache.GetSkelQuery(skeleton),
                                                                     skeleton.GetPrim())

    def find(self, prim):
        """The binding of a mesh, or None without a binding."""
        return self.by_mesh.get(prim.GetPath())


def skeleton_transforms(skeleton_query, pose, time):
    """The skinning transforms of a skeleton in a pose: "clip", "rest" or "bind"; None if UsdSkel can't compute them."""
    # `ComputeSkinningTransforms` fails without a bind pose, but its Python wrapper returns the joint transforms.
    if not skeleton_query or not skeleton_query.HasBindPose():
        return None
    if pose == "clip":
        return skeleton_query.ComputeSkinningTransforms(time)
    bind = skeleton_query.GetJointWorldBindTransforms()
    if pose == "bind":
        return Vt.Matrix4dArray([Gf.Matrix4d(1)] * len(bind))
    rest = skeleton_query.ComputeJointSkelTransforms(time, atRest=True)
    return Vt.Matrix4dArray([a.GetInverse() * b for a, b in zip(bind, rest)]) if rest else None


def blend_weights(binding, time):
    """The weights of the blend shapes of a mesh in the order of its skel:blendShapes, or None."""
    if not binding.skeleton or not binding.skinning.HasBlendShapes():
        return None
    animation = binding.skeleton.GetAnimQuery()
    weights = animation.ComputeBlendShapeWeights(time) if animation else None
    return binding.skinning.GetBlendShapeMapper().Remap(weights) if weights else None


class Deformer:
    """The blend shapes of a mesh, resolved once for all times."""

    def __init__(self, prim):
        self.query = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(prim))
        self.point_indices = self.query.ComputeBlendShapePointIndices()
        self.point_offsets = self.query.ComputeSubShapePointOffsets()

    def deform(self, points, normals, weights):
        """Changes the points and vertex normals in place. Returns the reason if UsdSkel rejects the shapes."""
        sub_weights, shapes, sub_shapes = self.query.ComputeSubShapeWeights(weights)
        if len(weights) != self.query.GetNumBlendShapes():
            return "there are more or fewer blend shape targets than blend shapes"
        if not self.query.ComputeDeformedPoints(sub_weights, shapes, sub_shapes, self.point_indices,
                                                self.point_offsets, points):
            return "blend shapes don't fit the points"
        if normals is not None:
            for weight, shape, sub_shape in zip(sub_weights, shapes, sub_shapes):
                offsets = self._normal_offsets(shape, sub_shape)
                if offsets:
                    UsdSkel.ApplyBlendShape(weight, offsets, self.point_indices[shape], normals)
            for index, normal in enumerate(normals):
                normals[index] = normal.GetNormalized()
        return None

    def _normal_offsets(self, shape, sub_shape):
        inbetween = self.query.GetInbetween(sub_shape)
        if inbetween:
            return inbetween.GetNormalOffsets()
        return self.query.GetBlendShape(shape).GetNormalOffsetsAttr().Get()


def skinned_points(skinning_query, transforms, points, time):
    """Skins the points in place, and returns whether UsdSkel could."""
    return bool(skinning_query.ComputeSkinnedPoints(transforms, points, time))


def skinned_normals(skinning_query, transforms, normals, point_of_normal, num_points, time):
    """Skins normals in place, and returns whether UsdSkel could.

    These are the steps of `UsdSkelSkinningQuery::ComputeSkinnedNormals`: normals need the inverse transpose of the
    upper three rows and columns of each skinning transform and of geomBindTransform. `ExtractRotationMatrix` returns
    those, including their scale. `point_of_normal` has the index of the point of each normal, so that normals of face
    corners have the influences of their points, as in `UsdSkelSkinFaceVaryingNormals`.
    """
    influences = skinning_query.ComputeVaryingJointInfluences(num_points, time)
    if not influences:
        return False
    indices, weights = influences
    per_point = skinning_query.GetNumInfluencesPerComponent()
    rows = np.asarray(point_of_normal, int)
    indices = np.array(indices).reshape(-1, per_point)[rows].ravel()
    weights = np.array(weights).reshape(-1, per_point)[rows].ravel()
    mapper = skinning_query.GetJointMapper()
    # Joints that the skeleton doesn't have get the identity, as in `UsdSkelAnimMapper::RemapTransforms`.
    ordered = mapper.Remap(transforms, defaultValue=Gf.Matrix4d(1)) if mapper else transforms
    return UsdSkel.SkinNormals(
        skinning_query.GetSkinningMethod(), inverse_transpose(skinning_query.GetGeomBindTransform(time)),
        Vt.Matrix3dArray([inverse_transpose(transform) for transform in ordered]),
        Vt.IntArray.FromNumpy(indices.astype(np.int32)), Vt.FloatArray.FromNumpy(weights.astype(np.float32)),
        per_point, normals)


def inverse_transpose(matrix):
    return matrix.ExtractRotationMatrix().GetInverse().GetTranspose()


def normals_of(mesh, time):
    """The flattened normals of a mesh and their interpolation; None for both without normals.

    `primvars:normals` takes precedence over `normals` (UsdGeomPointBased::GetNormalsAttr).
    """
    primvar = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("normals")
    if primvar and primvar.HasAuthoredValue():
        return primvar.ComputeFlattened(time), primvar.GetInterpolation()
    normals = mesh.GetNormalsAttr().Get(time)
    return (normals, mesh.GetNormalsInterpolation()) if normals else (None, None)
