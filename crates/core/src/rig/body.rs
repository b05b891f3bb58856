//! The bones of a body, and the words for them.
//!
//! Sources of the names: Unity's `HumanBodyBones`, Godot's `SkeletonProfileHumanoid`, VRM 1.0 (`humanoid`), the
//! mannequins of Unreal Engine, Mixamo, 3ds Max Biped, Rigify, MakeHuman, Character Creator, Daz, Poser, the BVH files of
//! CMU, SMPL-X and Source (`bip_`).

/// The side of a body, as seen by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Its left.
    Left,
    /// Its right.
    Right,
}

impl Side {
    /// The stable name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// A finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finger {
    /// Also finger 0 or 1 of rigs that number them.
    Thumb,
    /// The next one.
    Index,
    /// The longest one.
    Middle,
    /// The fourth one.
    Ring,
    /// The smallest one.
    Little,
}

impl Finger {
    pub(super) const ALL: [Self; 5] =
        [Self::Thumb, Self::Index, Self::Middle, Self::Ring, Self::Little];
}

/// A part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyPart {
    /// The pelvis, which moves the body.
    Hips,
    /// A bone between hips and neck.
    Spine,
    /// A bone between spine and head.
    Neck,
    /// The head.
    Head,
    /// The lower jaw.
    Jaw,
    /// An eyeball.
    Eye,
    /// The clavicle.
    Shoulder,
    /// From shoulder to elbow.
    UpperArm,
    /// From elbow to wrist.
    LowerArm,
    /// The hand.
    Hand,
    /// From hip to knee.
    UpperLeg,
    /// From knee to ankle.
    LowerLeg,
    /// The foot.
    Foot,
    /// The toes, as one.
    Toes,
    /// A bone of a finger.
    Finger(Finger),
}

/// A bone of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyBone {
    /// Its part.
    pub part: BodyPart,
    /// `None` in the middle.
    pub side: Option<Side>,
    /// Its number in a chain from the body outwards, from 0: of spines, necks and fingers.
    pub number: u32,
}

impl BodyBone {
    /// The bone in words, such as `left upper arm` or `spine 2`.
    #[must_use]
    pub fn text(&self) -> String {
        let side = match self.side {
            Some(Side::Left) => "left ",
            Some(Side::Right) => "right ",
            None => "",
        };
        let part = match self.part {
            BodyPart::Hips => "hips",
            BodyPart::Spine => "spine",
            BodyPart::Neck => "neck",
            BodyPart::Head => "head",
            BodyPart::Jaw => "jaw",
            BodyPart::Eye => "eye",
            BodyPart::Shoulder => "shoulder",
            BodyPart::UpperArm => "upper arm",
            BodyPart::LowerArm => "lower arm",
            BodyPart::Hand => "hand",
            BodyPart::UpperLeg => "upper leg",
            BodyPart::LowerLeg => "lower leg",
            BodyPart::Foot => "foot",
            BodyPart::Toes => "toes",
            BodyPart::Finger(Finger::Thumb) => "thumb",
            BodyPart::Finger(Finger::Index) => "index finger",
            BodyPart::Finger(Finger::Middle) => "middle finger",
            BodyPart::Finger(Finger::Ring) => "ring finger",
            BodyPart::Finger(Finger::Little) => "little finger",
        };
        let is_chain = matches!(self.part, BodyPart::Spine | BodyPart::Neck | BodyPart::Finger(_));
        let number = if is_chain { format!(" {}", self.number + 1) } else { String::new() };
        format!("{side}{part}{number}")
    }
}

/// The meaning of a word. Some words mean different bones in different rigs; the others of the limb decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    /// Always this part.
    Part(BodyPart),
    /// The clavicle, but the upper arm if there is a collar, as in SMPL.
    Shoulder,
    /// The upper arm, but the lower one if there is an upper arm.
    Arm,
    /// The hips, or with a side the upper leg.
    Hip,
    /// The pelvis; with a side, a helper of the upper leg.
    Pelvis,
    /// The lower leg, but the upper one if there is a shin.
    Leg,
    /// The foot, but the toes if there is an ankle, as in SMPL.
    Foot,
    /// A finger with the number of the finger in its name.
    NumberedFinger,
    /// A bone within the palm.
    Palm,
}

/// The meaning of the joined words of a name.
pub(super) fn meaning(words: &str) -> Option<Meaning> {
    use BodyPart as P;
    let part = match words {
        "hips" | "cog" | "腰" => P::Hips,
        "spine" | "chest" | "upperchest" | "torso" | "abdomen" | "abdomenlower"
        | "abdomenupper" | "chestlower" | "chestupper" | "lowerback" | "back" | "waist"
        | "upperbody" | "thorax" | "belly" | "上半身" => P::Spine,
        "neck" | "necklower" | "neckupper" | "necktwist" | "首" => P::Neck,
        "head" | "skull" | "頭" => P::Head,
        "jaw" | "chin" => P::Jaw,
        "eye" | "eyeball" => P::Eye,
        "clavicle" | "collar" | "collarbone" | "肩" => P::Shoulder,
        "upperarm" | "uparm" | "uarm" | "shldr" | "shldrbend" | "bicep" | "humerus"
        | "armupper" | "腕" => P::UpperArm,
        "forearm" | "lowerarm" | "lowarm" | "larm" | "elbow" | "forearmbend" | "armlower"
        | "ひじ" => P::LowerArm,
        "hand" | "wrist" | "手首" => P::Hand,
        "upleg" | "upperleg" | "thigh" | "thighbend" | "buttock" | "femur" | "legupper" | "足" => {
            P::UpperLeg
        }
        "shin" | "calf" | "lowerleg" | "lowleg" | "knee" | "leglower" | "ひざ" => P::LowerLeg,
        "ankle" | "足首" => P::Foot,
        "toe" | "toes" | "ball" | "toebase" | "つま先" => P::Toes,
        _ => return meaning_of_others(words).or_else(|| meaning_in_languages(words)),
    };
    Some(Meaning::Part(part))
}

/// Words of French, Spanish, Italian and German.
fn meaning_in_languages(words: &str) -> Option<Meaning> {
    use BodyPart as P;
    let part = match words {
        "bassin" | "cadera" | "caderas" | "bacino" | "becken" | "hüfte" => P::Hips,
        "torse" | "colonne" | "columna" | "pecho" | "poitrine" | "colonna" | "petto"
        | "wirbelsäule" | "rücken" | "brust" => P::Spine,
        "cou" | "cuello" | "collo" | "hals" => P::Neck,
        "tête" | "tete" | "cabeza" | "testa" | "kopf" => P::Head,
        "épaule" | "epaule" | "hombro" | "spalla" | "schulter" => return Some(Meaning::Shoulder),
        "clavicule" | "clavícula" | "clavicula" | "clavicola" | "schlüsselbein" => P::Shoulder,
        "bras" | "brazo" | "braccio" => return Some(Meaning::Arm),
        "oberarm" => P::UpperArm,
        "avantbras" | "antebrazo" | "avambraccio" | "unterarm" => P::LowerArm,
        "main" | "mano" => P::Hand,
        "cuisse" | "muslo" | "coscia" | "oberschenkel" => P::UpperLeg,
        "jambe" | "pierna" | "gamba" | "bein" => return Some(Meaning::Leg),
        "tibia" | "mollet" | "pantorrilla" | "polpaccio" | "unterschenkel" => P::LowerLeg,
        "pied" | "pie" | "piede" | "fuß" | "fuss" => return Some(Meaning::Foot),
        _ => return None,
    };
    Some(Meaning::Part(part))
}

fn meaning_of_others(words: &str) -> Option<Meaning> {
    match words {
        "shoulder" => Some(Meaning::Shoulder),
        "arm" => Some(Meaning::Arm),
        "hip" => Some(Meaning::Hip),
        "pelvis" => Some(Meaning::Pelvis),
        "leg" => Some(Meaning::Leg),
        "foot" => Some(Meaning::Foot),
        "finger" => Some(Meaning::NumberedFinger),
        "palm" => Some(Meaning::Palm),
        _ => finger(words),
    }
}

/// `handindex`, `indexproximal`, `pinky` …
fn finger(words: &str) -> Option<Meaning> {
    let word = words.strip_prefix("hand").unwrap_or(words);
    let ends = ["proximal", "intermediate", "distal"];
    let word = ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    let (word, is_palm) = match word.strip_suffix("metacarpal") {
        Some(word) => (word, true),
        None => (word, false),
    };
    let finger = match word.strip_suffix("finger").unwrap_or(word) {
        "thumb" => Finger::Thumb,
        "index" => Finger::Index,
        "middle" | "mid" => Finger::Middle,
        "ring" => Finger::Ring,
        "little" | "pinky" | "pinkie" => Finger::Little,
        _ => return None,
    };
    // The metacarpal bone of the thumb moves like the first bone of a finger.
    if is_palm && finger != Finger::Thumb {
        return Some(Meaning::Palm);
    }
    Some(Meaning::Part(BodyPart::Finger(finger)))
}
