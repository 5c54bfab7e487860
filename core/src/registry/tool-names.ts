import type { Tool } from '../define/tool.ts'

/**
 * A name as people read it: two names with the same folded form would be mistaken for each other.
 */
export function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

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

/** Semantic order: 1.10.0 is newer than 1.9.0. */
export function compareVersions(left: string, right: string): number {
  const theirs = right.split('.').map(Number)
  for (const [index, part] of left.split('.').map(Number).entries()) {
    const difference = part - (theirs[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** `habit.create@2` is the newest of major 2, `habit.create@2.1.0` exactly that one. */
export function pickVersion(versions: readonly Tool[], wanted: string): Tool | undefined {
  return versions.findLast(
    (tool) => tool.version === wanted || tool.version.startsWith(`${wanted}.`),
  )
}
