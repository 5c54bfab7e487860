import { hashJson } from '../call/hash.ts'
import { toToolError } from '../call/tool-error.ts'
import type { JournalAnswer, JournalEntry } from '../ports/runs.ts'
import type { Drive } from './drive.ts'
import { takeStep } from './step.ts'

export type TakenBack = {
  readonly undone: readonly { readonly step: string; readonly tool: string }[]
  readonly notUndone: readonly {
    readonly step: string
    readonly tool: string
    readonly why: string
  }[]
}

const UNDO = '~undo '

/** Takes back what was done, the last first, as far as it was declared how; each of it a step of its own, written down like the others. */
export async function takeBack(drive: Drive): Promise<TakenBack> {
  const undone: { step: string; tool: string }[] = []
  const notUndone: { step: string; tool: string; why: string }[] = []
  for (const entry of drive.journal.all().toReversed()) {
    if (!stands(entry)) continue
    const { path: step, tool } = entry
    const why =
      entry.answer?.kind === 'error' ? brokenWords(entry.answer) : await tryBack(entry, drive)
    // a run below took back what it had done itself
    if (why === '') continue
    if (why === undefined) undone.push({ step, tool })
    else notUndone.push({ step, tool, why })
  }
  return { undone, notUndone }
}

/** Did something of the run happen? */
export function hasDone(entries: readonly JournalEntry[]): boolean {
  return entries.some(stands)
}

// also what was told as a failure: a write whose answer was broken, a run below that had done something
function stands(entry: JournalEntry): boolean {
  if (
    entry.what !== 'step' ||
    !entry.isWrite ||
    entry.answer === undefined ||
    entry.path.startsWith(UNDO)
  )
    return false
  return entry.answer.kind === 'value' || brokenWords(entry.answer) !== undefined
}

/** What a failed step left behind; empty where it has taken that back itself, undefined where it did nothing. */
function brokenWords({
  code,
  details,
}: Extract<JournalAnswer, { kind: 'error' }>): string | undefined {
  if (code === 'TOOL_INVALID_OUTPUT') return 'it was done, and its answer is broken'
  const { undone, not_undone: left } = JSON.parse(details) as {
    readonly undone?: unknown
    readonly not_undone?: unknown
  }
  if (Array.isArray(left) && left.length > 0)
    return `it could not take back ${left.length} of its own steps`
  return Array.isArray(undone) ? '' : undefined
}

async function tryBack({ path, undo }: JournalEntry, drive: Drive): Promise<string | undefined> {
  if (undo === undefined) return 'it declares no way back'
  const input: unknown = JSON.parse(undo.json)
  const asked = {
    path: `${UNDO}${path}`,
    tool: undo.tool,
    input,
    inputHash: hashJson(input),
    undo: undefined,
    degraded: 'take' as const,
  }
  try {
    await drive.operate(() => takeStep(asked, drive))
    return undefined
  } catch (thrown) {
    const { code, message } = toToolError(thrown)
    return `${code}: ${message}`
  }
}
