//! Bones of one bind each, and moments of clips.
