import { hashJson } from '../call/canonical.ts'
import { toToolError } from '../call/tool-error.ts'
import type { JournalAnswer, JournalEntry } from '../ports/runs.ts'
import type { Drive } from './drive.ts'
import { runStep } from './step.ts'

export type Compensation = {
  readonly undone: readonly { readonly step: string; readonly tool: string }[]
  readonly notUndone: readonly {
    readonly step: string
    readonly tool: string
    readonly why: string
  }[]
}

const UNDO = '~undo '

/**
 * Undoes the completed steps, the last first, as far as each declares how. Each undo is a step of
 * its own in the journal.
 */
export async function compensate(drive: Drive): Promise<Compensation> {
  const undone: { step: string; tool: string }[] = []
  const notUndone: { step: string; tool: string; why: string }[] = []
  for (const entry of drive.journal.all().toReversed()) {
    if (!hasEffect(entry)) continue
    const { path: step, tool } = entry
    const why =
      entry.answer?.kind === 'error'
        ? describeFailedStep(entry.answer)
        : await undoStep(entry, drive)
    // A nested run has compensated its own steps.
    if (why === '') continue
    if (why === undefined) undone.push({ step, tool })
    else notUndone.push({ step, tool, why })
  }
  return { undone, notUndone }
}

/** Does the run have effects that need compensation? */
export function hasEffects(entries: readonly JournalEntry[]): boolean {
  return entries.some(hasEffect)
}

// Failed steps may have effects too: a write whose output was invalid, or a nested run that had
// begun.
function hasEffect(entry: JournalEntry): boolean {
  if (
    entry.what !== 'step' ||
    !entry.isWrite ||
    entry.answer === undefined ||
    entry.path.startsWith(UNDO)
  )
    return false
  return entry.answer.kind === 'value' || describeFailedStep(entry.answer) !== undefined
}

/**
 * Why the effects of a failed step remain; empty when it has undone them itself, undefined when it
 * had none.
 */
function describeFailedStep({
  code,
  details,
}: Extract<JournalAnswer, { kind: 'error' }>): string | undefined {
  if (code === 'TOOL_INVALID_OUTPUT') return 'it was done, but its output is invalid'
  const { undone, not_undone: left } = JSON.parse(details) as {
    readonly undone?: unknown
    readonly not_undone?: unknown
  }
  if (Array.isArray(left) && left.length > 0)
    return `it could not undo ${left.length} of its own steps`
  return Array.isArray(undone) ? '' : undefined
}

async function undoStep({ path, undo }: JournalEntry, drive: Drive): Promise<string | undefined> {
  if (undo === undefined) return 'it declares no undo'
  const input: unknown = JSON.parse(undo.json)
  const request = {
    path: `${UNDO}${path}`,
    tool: undo.tool,
    input,
    inputHash: hashJson(input),
    undo: undefined,
    degraded: 'take' as const,
    withinMs: undefined,
    retries: undefined,
  }
  try {
    await drive.operate(() => runStep(request, drive))
    return undefined
  } catch (thrown) {
    const { code, message } = toToolError(thrown)
    return `${code}: ${message}`
  }
}
