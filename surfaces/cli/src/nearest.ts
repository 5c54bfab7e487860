/** The most similar name, if one is similar enough to be a likely typing error. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const candidate of names) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance <= limit && (best === undefined || distance < best.distance))
      best = { name: candidate, distance }
  }
  return best?.name
}

// Counts letters inserted, removed, changed, or swapped with their neighbour.
function editDistance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= left.length; row++) {
    const line = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const changed = at(rows, row - 1, column - 1) + (isSame ? 0 : 1)
      const isSwapped =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      const swapped = isSwapped ? at(rows, row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      line.push(
        Math.min(changed, swapped, at(rows, row - 1, column) + 1, (line[column - 1] ?? 0) + 1),
      )
    }
    rows.push(line)
  }
  return at(rows, left.length, right.length)
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0
}
