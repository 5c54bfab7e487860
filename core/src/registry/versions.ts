import type { Tool } from '../define/tool.ts'

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
