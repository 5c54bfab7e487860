import type { Approval, ShownFacts } from '../call/approval.ts'
import type { CallRow, KeySource } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import type { CanonicalText } from '../call/canonical.ts'
import type { Pace } from '../call/json-in-turns/parse-in-pieces.ts'
import type { Progress } from '../call/request.ts'
import type { Tool } from '../define/tool.ts'
import type { Timeline } from './timeline.ts'

/** A validated call. It exists only after `validate`, so no stage can see raw input. */
export type Call = {
  readonly id: string
  readonly tool: Tool
  /** The id of the requested tool; differs from `tool.id` when its replacement runs instead. */
  readonly requestedToolId: string
  readonly caller: Caller
  readonly surface: string
  readonly requestId: string
  readonly input: unknown
  /** Canonical JSON of the input without its key field. Equal hashes mean equal inputs. */
  readonly canonicalInput: CanonicalText
  readonly key: string
  readonly keySource: KeySource
  readonly startedAt: number
  readonly startedTicks: number
  readonly validationMs: number
  /** In ticks of the monotonic clock. The caller is answered by then. */
  readonly deadlineTicks: number
  readonly retries: number
  readonly signal: AbortSignal | undefined
  /** Set where the input is large: a large output is worked on in parts too. */
  readonly pace: Pace | undefined
  readonly whenRunning: 'answer' | 'wait'
  readonly repeat: 'refuse' | 'meant'
  readonly onProgress: ((progress: Progress) => void) | undefined
  /** The webhook that is notified when the call has ended. */
  readonly notify: string | undefined
  readonly resumes: CallRow | undefined
  /** The call id of the run that this call is a step of. */
  readonly parentId: string | undefined
  /** The caller has lost every right since the call was stored. */
  readonly isRevoked: boolean
  /**
   * The version of the tenant's administration by which it is authorized; its claim compares it.
   */
  readonly adminVersion: number | undefined
  /** A second round through the stages uses no quota again. */
  readonly hasUsedQuota: boolean
  /** Where its times go; undefined where they are not stored. */
  readonly timeline: Timeline | undefined
  /** What was approved beside the input; `perform` looks it up for tools with facts. */
  readonly approved?: ApprovedFacts
}

/** The facts that the approver was shown. */
export type ApprovedFacts = ShownFacts & { readonly approval: Approval }
