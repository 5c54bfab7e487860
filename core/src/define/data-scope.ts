/**
 * Over whose data a right reaches: oneself, what one owns, what one may see, everything;
 * `analysis_only` looks at data without handing it out. Any other name is a pack's own.
 */
export type Scope = 'self' | 'owned' | 'accessible' | 'all' | 'analysis_only' | (string & {})

/** The one spelling of a scope that documents spell in several ways. */
export function scopeNamed(name: string): Scope {
  switch (name) {
    case 'self_only':
    case 'current_user':
      return 'self'
    case 'accessible_to_user':
      return 'accessible'
    default:
      return name
  }
}

/**
 * How far a scope reaches; `analysis_only` and a pack's own scopes stand beside the ladder, at 0.
 */
export function widthOf(scope: Scope): number {
  switch (scope) {
    case 'all':
      return 4
    case 'accessible':
      return 3
    case 'owned':
      return 2
    case 'self':
      return 1
    default:
      return 0
  }
}

/**
 * Is everything within `needed` also within `held`? What stands beside the ladder is covered by
 * itself and by `all` alone.
 */
export function scopeCovers(held: Scope, needed: Scope): boolean {
  if (held === needed || held === 'all') return true
  const width = widthOf(needed)
  return width > 0 && widthOf(held) > width
}
