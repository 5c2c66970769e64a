//! Rows × columns as coloured cells: where does agreement lie?

use super::{
    canvas::{Canvas, Text, number, probability, shortened, width_of},
    figure::{Figure, NARROW},
    full,
    theme::{Colour, STEPS, Scale},
};

/// Cells that take a colour each.
///
/// ```
/// use ko_meta_eval::report::{HeatCell, HeatMap};
///
/// let mut map = HeatMap::new("map", "척도와 기준", ["ROUGE", "RDASS"], ["관련성", "유창성"]);
/// map.cell(0, 0, HeatCell::new(0.31).p_value(0.004));
/// map.cell(1, 0, HeatCell::new(0.44).p_value(1e-9).best(true));
/// let figure = map.draw().expect("there are cells");
/// assert!(figure.to_svg().contains("p &lt; .001"));
/// ```
#[derive(Debug, Clone)]
pub struct HeatMap {
    name: String,
    title: String,
    rows: Vec<String>,
    columns: Vec<String>,
    cells: Vec<(usize, usize, HeatCell)>,
}

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatCell {
    value: f64,
    p_value: Option<f64>,
    ends: Option<(f64, f64)>,
    link: Option<String>,
    best: bool,
}

impl HeatCell {
    /// A value.
    pub fn new(value: f64) -> Self {
        Self { value, p_value: None, ends: None, link: None, best: false }
    }

    /// The same with the probability of such a value by chance, which stands below it.
    #[must_use]
    pub fn p_value(self, p_value: impl Into<Option<f64>>) -> Self {
        Self { p_value: p_value.into(), ..self }
    }

    /// The same with the ends of an interval, for the tooltip and the numbers.
    #[must_use]
    pub fn interval(self, ends: impl Into<Option<(f64, f64)>>) -> Self {
        Self { ends: ends.into(), ..self }
    }

    /// The same, leading somewhere.
    #[must_use]
    pub fn link(self, address: impl Into<String>) -> Self {
        Self { link: Some(address.into()), ..self }
    }

    /// The same with a ring, or without.
    #[must_use]
    pub fn best(self, best: bool) -> Self {
        Self { best, ..self }
    }

    fn tip(&self, row: &str, column: &str) -> String {
        let mut tip = format!("{row}, {column}: {}", number(self.value));
        if let Some((low, high)) = self.ends {
            tip += &format!(" [{}, {}]", number(low), number(high));
        }
        if let Some(p) = self.p_value {
            tip += &format!(", p = {p:.2e}");
        }
        tip
    }
}

impl HeatMap {
    /// No cells yet: the file's name, the title, and the names of rows and columns.
    pub fn new<R: Into<String>, C: Into<String>>(
        name: impl Into<String>,
        title: impl Into<String>,
        rows: impl IntoIterator<Item = R>,
        columns: impl IntoIterator<Item = C>,
    ) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            rows: rows.into_iter().map(Into::into).collect(),
            columns: columns.into_iter().map(Into::into).collect(),
            cells: Vec::new(),
        }
    }

    /// Puts a cell in its place. What is not finite is left out.
    pub fn cell(&mut self, row: usize, column: usize, cell: HeatCell) {
        if cell.value.is_finite() {
            self.cells.retain(|(r, c, _)| (*r, *c) != (row, column));
            self.cells.push((row, column, cell));
        }
    }

    /// The figure; none of no cells.
    pub fn draw(&self) -> Option<Figure> {
        let values: Vec<f64> = self.cells.iter().map(|(_, _, cell)| cell.value).collect();
        let colours = Colours::of(&values)?;
        let layouts = [self.layout(false, &colours), self.layout(true, &colours)];
        let mut data =
            vec![["row", "column", "value", "p", "low", "high"].map(str::to_owned).to_vec()];
        let mut cells: Vec<_> = self.cells.iter().collect();
        cells.sort_by_key(|(row, column, _)| (*row, *column));
        for (row, column, cell) in cells {
            let text = |value: Option<f64>| value.map_or_else(String::new, full);
            data.push(vec![
                self.rows.get(*row).cloned().unwrap_or_default(),
                self.columns.get(*column).cloned().unwrap_or_default(),
                full(cell.value),
                text(cell.p_value),
                text(cell.ends.map(|e| e.0)),
                text(cell.ends.map(|e| e.1)),
            ]);
        }
        Some(Figure::new(&self.name, &self.title, layouts, data))
    }

    fn layout(&self, narrow: bool, colours: &Colours) -> Canvas {
        let widest = self.rows.iter().map(|name| width_of(name)).fold(40.0, f64::max);
        let header = self.columns.iter().map(|name| width_of(name)).fold(0.0, f64::max);
        let columns = self.columns.len().max(1) as f64;
        let with_p = self.cells.iter().any(|(_, _, cell)| cell.p_value.is_some());
        let whole = if with_p { 60.0 } else { 48.0 };
        // Many columns on a phone: two decimals, and the rest in the tooltip.
        let compact = narrow && columns * whole > NARROW;
        let least = if compact { 27.0 } else { whole };
        let with_p = with_p && !compact;
        // On a phone a row's name stands above its cells where both do not fit beside each other.
        let above = narrow && widest + 12.0 + columns * least > NARROW;
        let left = if above { 0.0 } else { widest.min(260.0) + 12.0 };
        let cell_width = match narrow {
            true => ((NARROW - left) / columns).clamp(least, 90.0),
            false if header > 110.0 => 70.0,
            false => (header + 12.0).max(70.0),
        };
        let cell_height = if with_p { 38.0 } else { 27.0 };
        let row_height = cell_height + if above { 19.0 } else { 0.0 };
        // Names that are wider than their column lean; on a phone, where every column counts, they stand upright.
        let leaning = header + 6.0 > cell_width;
        let top = match leaning {
            true if narrow => header.min(200.0) + 12.0,
            true => header.min(200.0) * 0.64 + 22.0,
            false => 22.0,
        };
        let mut canvas = Canvas::default();
        for (column, name) in self.columns.iter().enumerate() {
            let x = left + (column as f64 + 0.5) * cell_width;
            let text = Text::new(shortened(name, 200.0)).soft();
            match leaning {
                true if narrow => canvas.text((x + 4.0, top - 7.0), text.turned(-90.0)),
                true => canvas.text((x - 4.0, top - 7.0), text.turned(-40.0)),
                false => canvas.text((x, top - 7.0), text.middle()),
            }
        }
        for (row, name) in self.rows.iter().enumerate() {
            let y = top + row as f64 * row_height;
            match above {
                true => canvas.text(
                    (0.0, y + 14.0),
                    Text::new(shortened(name, NARROW)).size(12.0).bold(true),
                ),
                false => canvas.text(
                    (left - 10.0, y + cell_height / 2.0 + 4.5),
                    Text::new(shortened(name, 250.0)).end(),
                ),
            }
            let y = y + row_height - cell_height;
            for (column, name) in self.columns.iter().enumerate() {
                let at = (left + column as f64 * cell_width + 1.0, y + 1.0);
                let size = (cell_width - 2.0, cell_height - 2.0);
                let cell = self.cells.iter().find(|(r, c, _)| (*r, *c) == (row, column));
                let row = self.rows.get(row).map_or("", String::as_str);
                match cell {
                    Some((_, _, cell)) => {
                        colours.draw(&mut canvas, cell, (at, size), &cell.tip(row, name), compact);
                    }
                    None => {
                        canvas.frame(Colour::Rule, 1.0, at, size);
                        let middle = (at.0 + size.0 / 2.0, at.1 + size.1 / 2.0 + 4.0);
                        canvas.text(middle, Text::new("–").soft().middle());
                    }
                }
            }
        }
        let bottom = top + self.rows.len() as f64 * row_height + 14.0;
        colours.legend(&mut canvas, (left, bottom));
        // A name that leans out to the right needs room.
        let leans =
            if leaning && !narrow { header.min(200.0) * 0.77 - cell_width / 2.0 } else { 0.0 };
        let width = (left + columns * cell_width + leans.max(0.0)).max(left + 224.0);
        canvas.sized(width + 2.0, bottom + 30.0)
    }
}

/// Values as steps of a scale: over their range where all have one sign, else symmetric around 0.
struct Colours {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Colours {
    fn of(values: &[f64]) -> Option<Self> {
        let low = values.iter().copied().reduce(f64::min)?;
        let high = values.iter().copied().reduce(f64::max)?;
        if low < 0.0 {
            let far = (low.abs().max(high.abs()) * 10.0).ceil() / 10.0;
            return Some(Self { scale: Scale::Diverging, low: -far, high: far });
        }
        // Outwards to the next .05, so that the legend reads well.
        let (low, high) = ((low * 20.0).floor() / 20.0, (high * 20.0).ceil() / 20.0);
        Some(Self { scale: Scale::Sequential, low, high: high.max(low + 0.05) })
    }

    fn step(&self, value: f64) -> usize {
        let share = (value - self.low) / (self.high - self.low);
        ((share * STEPS as f64) as usize).min(STEPS - 1)
    }

    fn draw(
        &self,
        canvas: &mut Canvas,
        cell: &HeatCell,
        (at, size): ((f64, f64), (f64, f64)),
        tip: &str,
        compact: bool,
    ) {
        let step = self.step(cell.value);
        if let Some(link) = &cell.link {
            canvas.link(link);
        }
        canvas.block(Colour::Step(self.scale, step), at, size, tip);
        if cell.best {
            canvas.frame(Colour::Ink, 2.0, (at.0 + 1.0, at.1 + 1.0), (size.0 - 2.0, size.1 - 2.0));
        }
        let ink = Colour::on(self.scale, step);
        let (x, middle) = (at.0 + size.0 / 2.0, at.1 + size.1 / 2.0);
        let value = match compact {
            true => Text::new(format!("{:.2}", cell.value).replace("0.", ".").replace('-', "−"))
                .size(10.5),
            false => Text::new(number(cell.value)),
        };
        let value = value.colour(ink).middle().bold(cell.best);
        match cell.p_value.filter(|_| !compact) {
            Some(p) => {
                canvas.text((x, middle - 2.0), value);
                canvas.text(
                    (x, middle + 12.0),
                    Text::new(probability(p)).colour(ink).middle().size(11.0),
                );
            }
            None => canvas.text((x, middle + 4.5), value),
        }
        if cell.link.is_some() {
            canvas.end_link();
        }
    }

    fn legend(&self, canvas: &mut Canvas, at: (f64, f64)) {
        let width = 24.0;
        for step in 0..STEPS {
            let x = at.0 + step as f64 * width;
            canvas.block(Colour::Step(self.scale, step), (x, at.1), (width, 10.0), "");
        }
        let (end, below) = (at.0 + width * STEPS as f64, at.1 + 25.0);
        canvas.text((at.0, below), Text::new(format!("{:.2}", self.low).replace('-', "−")).soft());
        if self.scale == Scale::Diverging {
            canvas.text(((at.0 + end) / 2.0, below), Text::new("0").soft().middle());
        }
        canvas.text((end, below), Text::new(format!("{:.2}", self.high)).soft().end());
    }
}
