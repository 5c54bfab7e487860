import { type Envelope, ToolError } from '@surehand/core'
import { BRIEF_WAIT_MS } from '../await-briefly.ts'
import type { CommandContext } from '../command.ts'
import { exitCodeOf } from '../exit-code.ts'
import { printJson, printLines } from '../print.ts'
import { safeLine } from '../safe-text.ts'
import { formatTable } from '../table.ts'
import { screenWidth } from '../terminal.ts'

/**
 * Cancels a call that waits. One that has started is asked to stop; what it compensated and what it
 * could not is printed.
 */
export function cancelJob(callId: string, context: CommandContext): Promise<number> {
  const { terminal, format, withBackend } = context
  const { signal } = new AbortController()
  return withBackend(async (backend) => {
    if (!isUnderWay(await backend.answer(callId, { waitMs: 0, until: 'news', signal })))
      throw hasEnded(callId)
    if ((await backend.cancel(callId)) === 'cancelled') {
      if (format === 'json') printJson(terminal, { call_id: callId, cancelled: true })
      else printLines(terminal, [`Cancelled: ${safeLine(callId)} will not be made.`])
      return 0
    }
    const answer = await backend.answer(callId, { waitMs: BRIEF_WAIT_MS, until: 'end', signal })
    if (isUnderWay(answer)) throw isStopping(callId)
    if (answer.error?.code !== 'TOOL_CANCELLED') throw hasEnded(callId)
    return printStopped(callId, answer, context)
  })
}

function isUnderWay({ metadata: { job, pending, asking } }: Envelope): boolean {
  return job !== undefined || pending !== undefined || asking !== undefined
}

type Undone = { readonly step?: unknown; readonly tool?: unknown; readonly why?: unknown }

function printStopped(
  callId: string,
  answer: Envelope,
  { terminal, format }: CommandContext,
): number {
  const details = (answer.error?.details ?? {}) as {
    readonly undone?: unknown
    readonly not_undone?: unknown
  }
  const undone = listOf(details.undone)
  const standing = listOf(details.not_undone)
  if (format === 'json')
    printJson(terminal, { call_id: callId, cancelled: true, undone, not_undone: standing, answer })
  else {
    const width = screenWidth(terminal.stdout)
    printLines(terminal, [
      `Cancelled: ${safeLine(callId)} was stopped.`,
      ...(undone.length + standing.length === 0 ? ['It had changed nothing.'] : []),
      ...(undone.length === 0
        ? []
        : ['', formatTable(['UNDONE', 'TOOL'], undone.map(rowOf), width)]),
      ...(standing.length === 0
        ? []
        : [
            '',
            formatTable(['NOT UNDONE', 'TOOL', 'WHY'], standing.map(rowOf), width),
            'Check these by hand: their effects remain.',
          ]),
    ])
  }
  return standing.length === 0 ? 0 : exitCodeOf(answer)
}

function listOf(value: unknown): readonly Undone[] {
  return Array.isArray(value) ? value : []
}

function rowOf({ step, tool, why }: Undone): readonly unknown[] {
  return [step, tool, why]
}

function hasEnded(callId: string): ToolError {
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `The call ${callId} has ended and cannot be cancelled any more.`,
    {
      details: { source_code: 'not_cancellable', call_id: callId },
      suggestions: [`See its result: surehand jobs show ${callId}`],
    },
  )
}

function isStopping(callId: string): ToolError {
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `The call ${callId} has started. If it is yours, it was asked to stop; it has not ended yet.`,
    {
      details: { source_code: 'has_begun', call_id: callId },
      suggestions: [`See how it ends: surehand jobs watch ${callId}`],
    },
  )
}
