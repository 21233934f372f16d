//! The module level: directives, variables, the starts of functions.

use super::{Parsed, Parser};
use crate::ptx::ast::{GlobalId, Linkage, Space};

impl Parser<'_> {
    pub(super) fn module_statement(&mut self) -> Parsed<()> {
        let start = self.at.pos();
        let Some(word) = self.at.dot_word() else {
            return match self.at.byte() {
                Some(b';' | b'}' | b'{') => Err(self.unexpected("a directive")),
                _ => {
                    let here = self.at.pos();
                    if self.at.ident().is_some() && self.at.eat(b':') {
                        return Ok(());
                    }
                    self.at.reset(here);
                    Err(self.unexpected("a directive such as .entry or .global"))
                }
            };
        };
        match word {
            "version" => self.version(),
            "target" => self.target(),
            "address_size" => {
                let size = self.integer()?;
                self.module.address_size = u32::try_from(size).unwrap_or(0);
                Ok(())
            }
            "file" => self.file_directive(),
            "section" => self.section(),
            "pragma" => {
                while self.at.string().is_some() && self.at.eat(b',') {}
                self.semicolon()
            }
            "loc" => self.loc().map(|_| ()),
            "alias" => {
                let _ = self.at.until(b';');
                self.semicolon()
            }
            "b8" | "b32" | "b64" | "u8" | "u32" | "u64" => {
                // Bytes of a debug section that an older compiler left outside braces.
                let _ = self.at.until(b'\n');
                Ok(())
            }
            _ => {
                self.at.reset(start);
                self.definition()
            }
        }
    }

    /// A variable or a function, with its linkage in front.
    fn definition(&mut self) -> Parsed<()> {
        let start = self.at.pos();
        let mut linkage = Linkage::Internal;
        loop {
            let before = self.at.pos();
            match self.at.dot_word() {
                Some("visible") => linkage = Linkage::Visible,
                Some("extern") => linkage = Linkage::Extern,
                Some("weak") => linkage = Linkage::Weak,
                Some("common") => linkage = Linkage::Common,
                Some("entry") => return self.function(start, linkage, true),
                Some("func") => return self.function(start, linkage, false),
                Some(word) if space(word).is_some() => {
                    let Some(space) = space(word) else { continue };
                    for variable in self.variables(space, linkage, start)? {
                        let id = GlobalId(self.module.variables.len() as u32);
                        self.globals.insert(variable.1, id);
                        self.module.variables.push(variable.0);
                    }
                    return Ok(());
                }
                Some("tex" | "surf" | "texref" | "surfref" | "samplerref") => {
                    let _ = self.at.until(b';');
                    return self.semicolon();
                }
                Some("reg") => {
                    return Err(self.refusal(before, "registers are declared inside functions".to_owned()));
                }
                _ => {
                    self.at.reset(before);
                    return Err(self.unexpected("a directive such as .entry or .global"));
                }
            }
        }
    }

    fn version(&mut self) -> Parsed<()> {
        self.at.skip();
        let start = self.at.pos();
        let text = self.at.opcode();
        let read = text.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let Some(version) = read else {
            return Err(self.refusal(start, "expected a version such as 9.5 after .version".to_owned()));
        };
        self.module.version = Some(version);
        Ok(())
    }

    fn target(&mut self) -> Parsed<()> {
        loop {
            let Some(name) = self.at.ident() else {
                return Err(self.unexpected("an architecture such as sm_90a"));
            };
            self.module.target.push(name.to_owned());
            if !self.at.eat(b',') {
                return Ok(());
            }
        }
    }

    pub(super) fn file_directive(&mut self) -> Parsed<()> {
        let number = self.integer()?;
        let Some(name) = self.at.string() else { return Err(self.unexpected("a file name in quotes")) };
        while self.at.eat(b',') {
            self.integer()?;
        }
        self.module.files.push((u32::try_from(number).unwrap_or(u32::MAX), name.to_owned()));
        Ok(())
    }

    /// A debug section: skipped.
    pub(super) fn section(&mut self) -> Parsed<()> {
        let start = self.at.pos();
        if self.at.dot_word().is_none() && self.at.ident().is_none() {
            return Err(self.unexpected("a section name"));
        }
        if !self.at.eat(b'{') {
            return Err(self.unexpected("{"));
        }
        let mut depth = 1u32;
        while depth > 0 {
            self.at.skip();
            match self.at.byte() {
                None => return Err(self.refusal(start, "this section has no closing }".to_owned())),
                Some(b'"') => {
                    let _ = self.at.string();
                    continue;
                }
                Some(b'{') => depth += 1,
                Some(b'}') => depth -= 1,
                Some(_) => {}
            }
            self.at.advance(1);
        }
        Ok(())
    }
}

pub(super) fn space(word: &str) -> Option<Space> {
    Some(match word {
        "global" => Space::Global,
        "const" => Space::Const,
        "shared" => Space::Shared,
        "local" => Space::Local,
        "param" => Space::Param,
        _ => return None,
    })
}
