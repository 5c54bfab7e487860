import type { Who } from '../node/messages.ts'
import type { Program } from '../pack/program.ts'

/** A program together with the answers of the people in it, which the pack does not know. */
export type Plan = {
  readonly program: Program
  readonly who: Who
  readonly key: string
  /** The person's answer at a place. */
  readonly answerAt: (place: string) => string
  readonly verdictAt: (place: string) => 'approve' | 'deny'
  /** Whether the first answer at this place is an invalid one. */
  readonly isMisunderstoodAt: (place: string) => boolean
}
