import type { Reason, Sides } from './schema-reason.ts'
import type { Closed, View } from './schema-view.ts'

/**
 * One question: is every value of the narrow view valid in the wide one? It is asked `level` steps
 * inside the whole value.
 */
export type Comparison = { readonly narrow: View; readonly wide: View; readonly level: number }

/** What an answer needs besides: how to speak, and how to ask further. */
export type Inquiry = {
  readonly sides: Sides
  /**
   * Whether the wide side reads past fields it does not know, even where it says that there are
   * none.
   */
  readonly closed: Closed
  /** Why not; nothing but tolerated reasons is a proof. */
  readonly reasons: (comparison: Comparison) => readonly Reason[]
}
