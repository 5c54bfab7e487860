import { z } from 'zod'
import type { Line } from '../pack/program.ts'
import type { ProgramEnd } from './judge-programs.ts'

const Steps = z.array(z.object({ step: z.string() })).default([])
const TakenBack = z
  .object({ undone: Steps, not_undone: Steps })
  .catch({ undone: [], not_undone: [] })

/** The ways a program ends that is neither lost nor stuck. */
const FAILURES: ReadonlySet<string> = new Set(['TOOL_INVALID_FIELD_VALUE', 'TOOL_APPROVAL_DENIED'])

type Told = {
  readonly code: string
  readonly message: string
  readonly details?: unknown
  readonly source: string
}

/** The end of a program that is done. */
export function doneEnd(data: unknown): ProgramEnd {
  // erased: the tool's own output, held against its schema by the runtime
  return { end: 'done', lines: data as readonly Line[] }
}

/** The end of a program that failed; undefined: it may still come to another one. */
export function failedEnd({ code, message, details, source }: Told): ProgramEnd | undefined {
  if (code === 'TOOL_RUN_DIVERGED') return { end: 'diverged', message }
  // whatever stands under its key as its answer is its end, foreseen or not
  if (!FAILURES.has(code) && source !== 'replayed') return undefined
  const { undone, not_undone } = TakenBack.parse(details)
  return {
    end: 'failed',
    code,
    undone: undone.map(placeOfStep),
    notUndone: not_undone.map(placeOfStep),
  }
}

/** Does it stand under its key? What came to nothing has freed it, and would begin anew. */
export function stands(end: ProgramEnd): boolean {
  return (
    end.end === 'done' || (end.end === 'failed' && end.undone.length + end.notUndone.length > 0)
  )
}

function placeOfStep({ step }: { readonly step: string }): string {
  return step.split('/').at(-1) ?? step
}
