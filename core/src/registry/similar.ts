/** Ids that resemble a mistyped one, best first. */
export function similarIds(name: string, ids: Iterable<string>): readonly string[] {
  const wanted = letters(name)
  if (wanted === '') return []
  const near: { readonly id: string; readonly distance: number }[] = []
  for (const id of ids) {
    const distance = Math.min(
      editDistance(wanted, letters(id)),
      editDistance(wanted, letters(id.split('.').at(-1) ?? '')),
    )
    if (distance <= Math.max(2, wanted.length / 4)) near.push({ id, distance })
  }
  return near
    .sort((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ id }) => id)
}

function letters(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 64)
}

function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 16) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let to = 1; to <= right.length; to++) {
      const change = (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1)
      next.push(Math.min(change, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
