/** Whose yes: the person's who asked, the person's it concerns, or an administrator's. */
export type ApprovalKind = 'confirm' | 'consent' | 'admin'

/** How long a question stays open where nobody says otherwise. */
export const APPROVAL_EXPIRES = '15m'

const STRICTNESS: readonly ApprovalKind[] = ['confirm', 'consent', 'admin']

/** The stricter of two; undefined asks for nothing. */
export function stricterKind(left: ApprovalKind | undefined, right: ApprovalKind): ApprovalKind {
  return left !== undefined && STRICTNESS.indexOf(left) > STRICTNESS.indexOf(right) ? left : right
}
