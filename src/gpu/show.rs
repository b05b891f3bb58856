//! What of a scene is drawn.

use crate::visual::{COLORINGS, Coloring, USUAL_GLYPH_PERMILLE};

/// Switches of the view, as `--show` names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// Lit triangles.
    pub surface: bool,
    /// Materials: textures, colours of vertices and the looks that files give; other subsets as
    /// without.
    pub textures: bool,
    /// A checker on texture coordinates in place of all colours and textures.
    pub checker: bool,
    /// Subsets in different colours.
    pub subset_colors: bool,
    /// Colours of what vertices hold, in place of all looks.
    pub coloring: Option<Coloring>,
    /// Edges of all triangles.
    pub wireframe: bool,
    /// Normals of vertices as lines.
    pub normals: bool,
    /// Tangents of vertices as lines.
    pub tangents: bool,
    /// Bitangents of vertices as lines.
    pub bitangents: bool,
    /// Length of these lines, in thousandths of the extent of the box around the model.
    pub glyph_permille: u16,
    /// Vertices.
    pub points: bool,
    /// The skeleton.
    pub bones: bool,
    /// The skeleton also where the surface hides it.
    pub bones_on_top: bool,
    /// The ground.
    pub grid: bool,
    /// The compass in the corner.
    pub axes: bool,
    /// Back faces lit like front ones; otherwise they are darkened, never left out, so that
    /// reversed triangles are seen as such.
    pub two_sided: bool,
    /// Every triangle flat, whatever its normals say.
    pub flat: bool,
}

impl Show {
    /// Shows nothing.
    pub const NOTHING: Self = Self {
        surface: false,
        textures: false,
        checker: false,
        subset_colors: false,
        coloring: None,
        wireframe: false,
        normals: false,
        tangents: false,
        bitangents: false,
        glyph_permille: USUAL_GLYPH_PERMILLE,
        points: false,
        bones: false,
        bones_on_top: false,
        grid: false,
        axes: false,
        two_sided: false,
        flat: false,
    };
}

impl Default for Show {
    /// The surface on a ground, with its textures or else in the colours of its subsets, as someone
    /// who opens a file expects it.
    fn default() -> Self {
        Self {
            surface: true,
            textures: true,
            subset_colors: true,
            bones_on_top: true,
            grid: true,
            axes: true,
            ..Self::NOTHING
        }
    }
}

type Switch = fn(&mut Show) -> &mut bool;

/// Name, meaning and switch, in the order of the help text.
const SWITCHES: &[(&str, &str, Switch)] = &[
    ("surface", "lit triangles", |s| &mut s.surface),
    (
        "textures",
        "materials with their textures, and colours of vertices",
        |s| &mut s.textures,
    ),
    ("checker", "a checker on texture coordinates", |s| {
        &mut s.checker
    }),
    ("subset-colors", "a colour for each subset", |s| {
        &mut s.subset_colors
    }),
    ("wireframe", "edges of triangles", |s| &mut s.wireframe),
    ("normals", "normals as blue lines", |s| &mut s.normals),
    ("tangents", "tangents as red lines", |s| &mut s.tangents),
    ("bitangents", "bitangents as green lines", |s| {
        &mut s.bitangents
    }),
    ("points", "vertices", |s| &mut s.points),
    ("bones", "the skeleton", |s| &mut s.bones),
    ("bones-on-top", "the skeleton, never hidden", |s| {
        &mut s.bones_on_top
    }),
    ("grid", "the ground", |s| &mut s.grid),
    ("axes", "the compass", |s| &mut s.axes),
    ("two-sided", "back faces lit like front ones", |s| {
        &mut s.two_sided
    }),
    ("flat", "no smooth normals", |s| &mut s.flat),
];

/// The names that [`Show::parse`] knows, each with what it means: switches, then colourings.
pub fn show_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let switches = SWITCHES.iter().map(|&(name, meaning, _)| (name, meaning));
    switches.chain(COLORINGS.iter().map(|info| (info.id, info.help)))
}

impl Show {
    /// Exactly what a comma-separated list names; an empty list shows nothing.
    ///
    /// `bones-on-top` shows the bones too; of several colourings the last one counts.
    ///
    /// # Errors
    /// A sentence with the names there are, when one is not among them.
    pub fn parse(list: &str) -> Result<Self, String> {
        let mut show = Self::NOTHING;
        for name in list.split(',').map(str::trim).filter(|n| !n.is_empty()) {
            if let Some(info) = COLORINGS.iter().find(|info| info.id == name) {
                show.coloring = Some(info.coloring);
                continue;
            }
            let Some((_, _, switch)) = SWITCHES.iter().find(|(known, ..)| *known == name) else {
                let known: Vec<_> = show_names().map(|(name, _)| name).collect();
                return Err(format!(
                    "nothing is called `{name}`; there are {}",
                    known.join(", ")
                ));
            };
            *switch(&mut show) = true;
        }
        show.bones |= show.bones_on_top;
        Ok(show)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_shows_what_it_names_and_nothing_else() {
        let shown = Show::parse("wireframe, bones-on-top").unwrap();
        assert_eq!(
            shown,
            Show {
                wireframe: true,
                bones: true,
                bones_on_top: true,
                ..Show::NOTHING
            }
        );
        assert_eq!(Show::parse(""), Ok(Show::NOTHING));
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        let message = Show::parse("surface,wires").unwrap_err();
        assert!(message.contains("`wires`") && message.contains("wireframe"));
    }

    #[test]
    fn every_name_has_a_switch_of_its_own() {
        for (name, _) in show_names() {
            let only = Show::parse(name).unwrap();
            let same = show_names().filter(|(other, _)| Show::parse(other) == Ok(only));
            assert_eq!(same.count(), 1, "{name}");
            assert_ne!(only, Show::NOTHING, "{name}");
        }
    }
}
