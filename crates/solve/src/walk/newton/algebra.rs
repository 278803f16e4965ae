//! Small systems of linear equations.

/// The step that the damped normal equations ask for.
pub(super) fn damped_step(
    jacobian: &[Vec<f64>],
    residuals: &[f64],
    size: usize,
    damping: f64,
) -> Option<Vec<f64>> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut rows: Vec<Vec<f64>> = (0..size)
        .map(|i| {
            let mut row: Vec<f64> = (0..size).map(|j| dot(&jacobian[i], &jacobian[j])).collect();
            row[i] = if row[i] == 0.0 { 1.0 } else { row[i] * (1.0 + damping) };
            row.push(-dot(&jacobian[i], residuals));
            row
        })
        .collect();
    solve_linear(&mut rows)
}

/// Gauss's elimination of a square system whose last column is the right side.
fn solve_linear(rows: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let size = rows.len();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        let (above, below) = rows.split_at_mut(column + 1);
        let pivot_row = &above[column];
        if pivot_row[column] == 0.0 || !pivot_row[column].is_finite() {
            return None;
        }
        for row in below {
            let factor = row[column] / pivot_row[column];
            row.iter_mut().zip(pivot_row).skip(column).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    let mut solution = vec![0.0; size];
    for column in (0..size).rev() {
        let known: f64 = (column + 1..size).map(|j| rows[column][j] * solution[j]).sum();
        solution[column] = (rows[column][size] - known) / rows[column][column];
    }
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}
