import type { Outcome } from '@surehand/core'
import type { ModelCall } from './model-call.ts'

/** A call's next word, and what is to be said with it. */
export type Next = {
  /** The call as it is by now: a person may have edited it. */
  readonly call: ModelCall
  readonly outcome: Outcome
  /** Why the same is asked again. */
  readonly problem?: string
  /** What the model must know besides. */
  readonly note?: string
}
