import type { CallRow, KeySource } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import type { CanonicalText } from '../call/canonical-text.ts'
import type { Progress } from '../call/request.ts'
import type { Tool } from '../define/tool.ts'

/** A validated call. It exists only after `validate`, so no stage can see raw input. */
export type Call = {
  readonly id: string
  readonly tool: Tool
  /** The id of the tool that was named: another one when it has been replaced. */
  readonly namedId: string
  readonly caller: Caller
  readonly surface: string
  readonly requestId: string
  readonly input: unknown
  /** Canonical JSON of the input, without its key field: two calls with one hash mean the same. */
  readonly meaning: CanonicalText
  readonly key: string
  readonly keySource: KeySource
  readonly startedAt: number
  readonly startedTicks: number
  readonly validationMs: number
  /** In ticks: no answer is later. */
  readonly deadlineTicks: number
  readonly signal: AbortSignal | undefined
  readonly whenRunning: 'answer' | 'wait'
  readonly repeat: 'refuse' | 'meant'
  readonly onProgress: ((progress: Progress) => void) | undefined
  /** The webhook that hears of its end. */
  readonly notify: string | undefined
  readonly resumes: CallRow | undefined
  /** The run it is a step of. */
  readonly parentId: string | undefined
  readonly isShutOut: boolean
  /** What was administered when it was judged; its claim compares. */
  readonly adminVersion: number | undefined
  readonly isCounted: boolean
}
