//! How a part comes about: a small arithmetic over links and over the parts before it.

use super::{Layer, LinkKind, Part};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt};

/// How a [`Part`] comes about.
///
/// Displays as one line: `brevity-penalty × geometric mean(precision-1, precision-2)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Formula {
    /// Not made of anything: a figure of the texts, of a model or of the settings.
    Given,
    /// The sum of the values of links; where each counts 1, their number.
    Links(Selection),
    /// A number.
    Constant(f64),
    /// A part that stands before, by its name.
    Part(Cow<'static, str>),
    /// All added.
    Sum(Vec<Formula>),
    /// The first less the second.
    Difference(Box<[Formula; 2]>),
    /// All multiplied.
    Product(Vec<Formula>),
    /// The first divided by the second; 0 where that is 0.
    Ratio(Box<[Formula; 2]>),
    /// The first to the power of the second.
    Power(Box<[Formula; 2]>),
    /// e to that power.
    Exp(Box<Formula>),
    /// The natural logarithm.
    Ln(Box<Formula>),
    /// The least.
    Min(Vec<Formula>),
    /// The greatest.
    Max(Vec<Formula>),
    /// The arithmetic mean; 0 of nothing.
    Mean(Vec<Formula>),
    /// The geometric mean; 0 where one is 0, and of nothing.
    GeometricMean(Vec<Formula>),
}

/// Which links of a layer count together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Selection {
    /// The layer, counted from 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub layer: u32,
    /// The kind of link.
    pub kind: LinkKind,
    /// Only those of so many units of the hypothesis: the order of n-grams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<u32>,
    /// Only those to one reference, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<u32>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
fn is_first(layer: &u32) -> bool {
    *layer == 0
}

impl Selection {
    /// All links of a kind, in the first layer.
    pub fn of(kind: LinkKind) -> Self {
        Self { layer: 0, kind, order: None, reference: None }
    }

    /// In another layer.
    #[must_use]
    pub fn layer(self, layer: usize) -> Self {
        Self { layer: layer as u32, ..self }
    }

    /// Only those of so many units of the hypothesis.
    #[must_use]
    pub fn order(self, order: usize) -> Self {
        Self { order: Some(order as u32), ..self }
    }

    /// Only those to one reference.
    #[must_use]
    pub fn reference(self, number: usize) -> Self {
        Self { reference: Some(number as u32), ..self }
    }

    /// The sum of the values of these links; nothing if there is no such layer.
    pub fn sum(&self, layers: &[Layer]) -> Option<f64> {
        let links = &layers.get(self.layer as usize)?.links;
        let order = |link: &super::Link| link.hypothesis.end.saturating_sub(link.hypothesis.start);
        let number = |link: &super::Link| link.reference.as_ref().map(|place| place.number);
        let wanted = links.iter().filter(|link| {
            link.kind == self.kind
                && self.order.is_none_or(|wanted| wanted == order(link))
                && self.reference.is_none_or(|wanted| number(link) == Some(wanted))
        });
        // Not `sum`, which begins with −0.
        Some(wanted.fold(0.0, |sum, link| sum + link.value))
    }
}

impl Formula {
    /// The sum of the values of links.
    pub fn links(selection: Selection) -> Self {
        Self::Links(selection)
    }

    /// A part that stands before.
    pub fn part(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Part(name.into())
    }

    /// All added.
    pub fn sum<F: Into<Self>>(all: impl IntoIterator<Item = F>) -> Self {
        Self::Sum(all.into_iter().map(Into::into).collect())
    }

    /// The first less the second.
    pub fn difference(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::Difference(Box::new([a.into(), b.into()]))
    }

    /// All multiplied.
    pub fn product<F: Into<Self>>(all: impl IntoIterator<Item = F>) -> Self {
        Self::Product(all.into_iter().map(Into::into).collect())
    }

    /// The first divided by the second.
    pub fn ratio(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::Ratio(Box::new([a.into(), b.into()]))
    }

    /// The first to the power of the second.
    pub fn power(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::Power(Box::new([a.into(), b.into()]))
    }

    /// e to that power.
    pub fn exp(a: impl Into<Self>) -> Self {
        Self::Exp(Box::new(a.into()))
    }

    /// The natural logarithm.
    pub fn ln(a: impl Into<Self>) -> Self {
        Self::Ln(Box::new(a.into()))
    }

    /// The least.
    pub fn min<F: Into<Self>>(all: impl IntoIterator<Item = F>) -> Self {
        Self::Min(all.into_iter().map(Into::into).collect())
    }

    /// The greatest.
    pub fn max<F: Into<Self>>(all: impl IntoIterator<Item = F>) -> Self {
        Self::Max(all.into_iter().map(Into::into).collect())
    }

    /// The arithmetic mean.
    pub fn mean<F: Into<Self>>(all: impl IntoIterator<Item = F>) -> Self {
        Self::Mean(all.into_iter().map(Into::into).collect())
    }

    /// The geometric mean.
    pub fn geometric_mean<F: Into<Self>>(all: impl IntoIterator<Item = F>) -> Self {
        Self::GeometricMean(all.into_iter().map(Into::into).collect())
    }

    /// What it comes to; `values` take the place of the parts' own. Nothing where it names a part or a layer that is not
    /// there, or is given and not computed.
    pub(super) fn value(
        &self,
        layers: &[Layer],
        parts: &[Part],
        values: Option<&[f64]>,
    ) -> Option<f64> {
        let value = |formula: &Self| formula.value(layers, parts, values);
        let each = |all: &[Self]| all.iter().map(value).collect::<Option<Vec<_>>>();
        let both = |pair: &[Self; 2]| {
            let [a, b] = pair;
            Some((value(a)?, value(b)?))
        };
        Some(match self {
            Self::Given => return None,
            Self::Links(selection) => selection.sum(layers)?,
            Self::Constant(number) => *number,
            Self::Part(name) => {
                let place = parts.iter().rposition(|part| part.name == *name)?;
                match values {
                    Some(values) => *values.get(place)?,
                    None => parts.get(place)?.value,
                }
            }
            Self::Sum(all) => each(all)?.into_iter().fold(0.0, |sum, x| sum + x),
            Self::Difference(pair) => both(pair).map(|(a, b)| a - b)?,
            Self::Product(all) => each(all)?.into_iter().product(),
            Self::Ratio(pair) => match both(pair)? {
                (_, 0.0) => 0.0,
                (a, b) => a / b,
            },
            Self::Power(pair) => both(pair).map(|(a, b)| a.powf(b))?,
            Self::Exp(a) => value(a)?.exp(),
            Self::Ln(a) => value(a)?.ln(),
            Self::Min(all) => each(all)?.into_iter().reduce(f64::min)?,
            Self::Max(all) => each(all)?.into_iter().reduce(f64::max)?,
            Self::Mean(all) => mean(&each(all)?, |x| x),
            Self::GeometricMean(all) => match each(all)? {
                all if all.is_empty() || all.contains(&0.0) => 0.0,
                all => mean(&all, f64::ln).exp(),
            },
        })
    }

    /// How tightly it holds together: sums 1, products 2, powers 3, all else 4.
    fn tightness(&self) -> u8 {
        match self {
            Self::Sum(all) if all.len() > 1 => 1,
            Self::Difference(_) => 1,
            Self::Product(all) if all.len() > 1 => 2,
            Self::Ratio(_) => 2,
            Self::Power(_) => 3,
            Self::Constant(number) if *number < 0.0 => 1,
            _ => 4,
        }
    }

    /// Writes it, in brackets where it holds together less tightly than is asked for.
    fn write(&self, f: &mut fmt::Formatter<'_>, least: u8) -> fmt::Result {
        if self.tightness() < least { write!(f, "({self})") } else { write!(f, "{self}") }
    }
}

fn mean(values: &[f64], of: impl Fn(f64) -> f64) -> f64 {
    let sum = values.iter().fold(0.0, |sum, &value| sum + of(value));
    if values.is_empty() { 0.0 } else { sum / values.len() as f64 }
}

impl From<&'static str> for Formula {
    fn from(name: &'static str) -> Self {
        Self::part(name)
    }
}

impl From<String> for Formula {
    fn from(name: String) -> Self {
        Self::part(name)
    }
}

impl From<Cow<'static, str>> for Formula {
    fn from(name: Cow<'static, str>) -> Self {
        Self::Part(name)
    }
}

impl From<f64> for Formula {
    fn from(number: f64) -> Self {
        Self::Constant(number)
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, all: &[Self], between: &str, least: u8| {
            for (formula, number) in all.iter().zip(0..) {
                if number > 0 {
                    f.write_str(between)?;
                }
                formula.write(f, least)?;
            }
            Ok(())
        };
        let function = |f: &mut fmt::Formatter<'_>, name: &str, all: &[Self]| {
            write!(f, "{name}(")?;
            row(f, all, ", ", 0)?;
            f.write_str(")")
        };
        let pair = |f: &mut fmt::Formatter<'_>, pair: &[Self; 2], between: &str, least: u8| {
            let [a, b] = pair;
            a.write(f, least)?;
            f.write_str(between)?;
            b.write(f, least + 1)
        };
        match self {
            Self::Given => f.write_str("given"),
            Self::Links(selection) => write!(f, "{selection}"),
            Self::Constant(number) => write!(f, "{number}"),
            Self::Part(name) => f.write_str(name),
            Self::Sum(all) if all.is_empty() => f.write_str("0"),
            Self::Sum(all) => row(f, all, " + ", 1),
            Self::Difference(both) => pair(f, both, " − ", 1),
            Self::Product(all) if all.is_empty() => f.write_str("1"),
            Self::Product(all) => row(f, all, " × ", 2),
            Self::Ratio(both) => pair(f, both, " / ", 2),
            Self::Power(both) => {
                let [a, b] = &**both;
                a.write(f, 4)?;
                f.write_str("^")?;
                b.write(f, 4)
            }
            Self::Exp(a) => function(f, "exp", std::slice::from_ref(a)),
            Self::Ln(a) => function(f, "ln", std::slice::from_ref(a)),
            Self::Min(all) => function(f, "min", all),
            Self::Max(all) => function(f, "max", all),
            Self::Mean(all) => function(f, "mean", all),
            Self::GeometricMean(all) => function(f, "geometric mean", all),
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "all {} links", self.kind)?;
        if let Some(order) = self.order {
            write!(f, " of {order}")?;
        }
        match self.reference {
            Some(number) => write!(f, " to reference {}", number + 1),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(formula: &Formula) -> f64 {
        formula.value(&[], &[], None).unwrap()
    }

    #[test]
    fn arithmetic_is_arithmetic() {
        for (formula, expected, written) in [
            (Formula::sum([1.0, 2.0, 4.0]), 7.0, "1 + 2 + 4"),
            (Formula::difference(1.0, Formula::difference(2.0, 4.0)), 3.0, "1 − (2 − 4)"),
            (
                Formula::product([Formula::sum([1.0, 2.0]), Formula::Constant(3.0)]),
                9.0,
                "(1 + 2) × 3",
            ),
            (Formula::ratio(1.0, Formula::product([2.0, 2.0])), 0.25, "1 / (2 × 2)"),
            (Formula::ratio(1.0, 0.0), 0.0, "1 / 0"),
            (Formula::power(Formula::ratio(1.0, 2.0), 2.0), 0.25, "(1 / 2)^2"),
            (Formula::exp(Formula::ln(5.0)), 5.0, "exp(ln(5))"),
            (Formula::min([2.0, -1.0]), -1.0, "min(2, -1)"),
            (Formula::max([2.0, 3.0]), 3.0, "max(2, 3)"),
            (Formula::mean([1.0, 2.0]), 1.5, "mean(1, 2)"),
            (Formula::mean([] as [f64; 0]), 0.0, "mean()"),
            (Formula::geometric_mean([2.0, 8.0]), 4.0, "geometric mean(2, 8)"),
            (Formula::geometric_mean([2.0, 0.0]), 0.0, "geometric mean(2, 0)"),
        ] {
            assert!((value(&formula) - expected).abs() < 1e-12, "{formula}");
            assert_eq!(formula.to_string(), written);
        }
    }

    #[test]
    fn what_is_not_there_has_no_value() {
        for formula in [
            Formula::part("nowhere"),
            Formula::links(Selection::of(LinkKind::Match)),
            Formula::Given,
            Formula::max([Formula::Constant(1.0), Formula::part("nowhere")]),
        ] {
            assert_eq!(formula.value(&[], &[], None), None, "{formula}");
        }
    }
}
