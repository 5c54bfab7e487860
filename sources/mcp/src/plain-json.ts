/**
 * Whether a value is nested at most this deep. It works level by level instead of recursing,
 * because a hostile value can be deeper than the stack.
 */
export function isWithinDepth(value: unknown, levels: number): boolean {
  let level = [value]
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
    if (level.length === 0) return true
  }
  return false
}
