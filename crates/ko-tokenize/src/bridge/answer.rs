//! Reading an answer.

use super::AnswerForm;

/// A unit as a program wrote it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) form: String,
    /// Empty where none was asked for.
    pub(super) tag: String,
}

/// The units of an answer, or what is wrong with it.
pub(super) fn units(answer: &str, form: AnswerForm) -> Result<Vec<Unit>, String> {
    let pieces = answer.split('\t').map(str::trim).filter(|piece| !piece.is_empty());
    let unit = |piece: &str| match form {
        AnswerForm::Tokens => Ok(Unit { form: piece.to_owned(), tag: String::new() }),
        AnswerForm::Tagged => match piece.rsplit_once('/') {
            Some((form, tag)) if !form.is_empty() && !tag.is_empty() => {
                Ok(Unit { form: form.to_owned(), tag: tag.to_owned() })
            }
            _ => Err(format!("`{piece}` is not `morpheme/TAG`")),
        },
    };
    pieces.map(unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_slash_separates() {
        let tagged = |answer| units(answer, AnswerForm::Tagged);
        let unit = |form: &str, tag: &str| Unit { form: form.into(), tag: tag.into() };
        assert_eq!(tagged("1/2/SN\t//SP\t"), Ok(vec![unit("1/2", "SN"), unit("/", "SP")]));
        for bad in ["가", "/NNG", "가/", "가/NNG\t나"] {
            assert!(tagged(bad).unwrap_err().contains("is not `morpheme/TAG`"), "{bad}");
        }
        assert_eq!(units("1/2\t \t나", AnswerForm::Tokens).unwrap().len(), 2);
        assert_eq!(units("", AnswerForm::Tokens), Ok(vec![]));
    }
}
