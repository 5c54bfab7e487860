/**
 * Whether a value stays within so many levels. It goes level by level and not down:
 * a value a hundred thousand levels deep must be found out without a stack as deep.
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
