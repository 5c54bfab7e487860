import { z } from 'zod'
import type { Line } from '../pack/program.ts'
import type { ProgramEnd } from './judge-programs.ts'

const Steps = z.array(z.object({ step: z.string() })).default([])
const UndoDetails = z
  .object({ undone: Steps, not_undone: Steps })
  .catch({ undone: [], not_undone: [] })

/** The codes with which a program may legitimately fail. */
const FAILURES: ReadonlySet<string> = new Set(['TOOL_INVALID_FIELD_VALUE', 'TOOL_APPROVAL_DENIED'])

type FailureReply = {
  readonly code: string
  readonly message: string
  readonly details?: unknown
  readonly source: string
}

/** The end of a program that succeeded. */
export function toDoneEnd(data: unknown): ProgramEnd {
  // erased: the tool's own output, which the runtime has validated
  return { end: 'done', lines: data as readonly Line[] }
}

/** The end of a program that failed; undefined when it may still end differently. */
export function toFailedEnd({
  code,
  message,
  details,
  source,
}: FailureReply): ProgramEnd | undefined {
  if (code === 'TOOL_RUN_DIVERGED') return { end: 'diverged', message }
  // The stored answer of a key is the program's end, whether it was predicted or not.
  if (!FAILURES.has(code) && source !== 'replayed') return undefined
  const { undone, not_undone } = UndoDetails.parse(details)
  return {
    end: 'failed',
    code,
    undone: undone.map(placeOfStep),
    notUndone: not_undone.map(placeOfStep),
  }
}

/**
 * Whether the program still holds its key. A program without any effect has released it and would
 * start again.
 */
export function holdsKey(end: ProgramEnd): boolean {
  return (
    end.end === 'done' || (end.end === 'failed' && end.undone.length + end.notUndone.length > 0)
  )
}

function placeOfStep({ step }: { readonly step: string }): string {
  return step.split('/').at(-1) ?? step
}
