import type { Who } from '../node/messages.ts'
import type { Program } from '../pack/program.ts'

/** A program with the people in it: what they say is no business of the pack's. */
export type Plan = {
  readonly program: Program
  readonly who: Who
  readonly key: string
  /** What the person says at a place. */
  readonly answerAt: (place: string) => string
  readonly verdictAt: (place: string) => 'approve' | 'deny'
  /** At these places the first answer is not what was asked for. */
  readonly isMisunderstoodAt: (place: string) => boolean
}
