import type { ResolutionEvidence } from '@surehand/core'
import { type Line, one, readLine, wordsNamed } from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { EXIT_INTERRUPTED, exitCodeOf } from '../exit-code.ts'
import { printEnvelope, printJson, printLines } from '../print.ts'
import { readInput } from '../read-input.ts'
import { safeLine } from '../safe-text.ts'
import { unknownAction } from '../unknown-action.ts'
import { UsageError } from '../usage-error.ts'
import { waitTime } from '../wait-time.ts'

const MEND = 'surehand help jobs'
const LONG_WAIT = '5m'

export async function jobs(context: CommandContext): Promise<number> {
  const line = readLine(context.line, context.command.flags, MEND)
  const [action] = line.words
  const [, callId = ''] = wordsNamed(line.words, ['An action (show, wait, cancel, resolve)', 'CALL_ID'], MEND)
  switch (action) {
    case 'show':
      return answer(callId, 0, context)
    case 'wait':
      return answer(callId, waitTime(one(line.flags, 'wait') ?? LONG_WAIT, MEND), context)
    case 'cancel':
      return cancel(callId, context)
    case 'resolve':
      return resolve(callId, line, context)
    default:
      throw unknownAction('jobs', action ?? '', ['show', 'wait', 'cancel', 'resolve'])
  }
}

async function answer(callId: string, waitMs: number, { terminal, format, withBackend }: CommandContext): Promise<number> {
  const left = new AbortController()
  const stopListening = terminal.onInterrupt?.(() => left.abort())
  try {
    return await withBackend(async (backend) => {
      const envelope = await backend.answer(callId, { waitMs, signal: left.signal })
      printEnvelope(terminal, envelope, format)
      return left.signal.aborted ? EXIT_INTERRUPTED : exitCodeOf(envelope)
    })
  } finally {
    stopListening?.()
  }
}

async function cancel(callId: string, { terminal, format, withBackend }: CommandContext): Promise<number> {
  return withBackend(async (backend) => {
    await backend.cancel(callId)
    if (format === 'json') printJson(terminal, { call_id: callId, cancelled: true })
    else printLines(terminal, [`Cancelled: ${safeLine(callId)} will not be done.`])
    return 0
  })
}

async function resolve(callId: string, { flags }: Line, { terminal, format, withBackend }: CommandContext): Promise<number> {
  const evidence = await evidenceOf(flags, terminal.stdin)
  return withBackend(async (backend) => {
    await backend.settle(callId, evidence)
    if (format === 'json') printJson(terminal, { call_id: callId, resolved: true })
    else printLines(terminal, [`Settled: ${safeLine(callId)} was ${evidence.found === 'done' ? 'done' : 'not done; its key is free'}.`])
    return 0
  })
}

async function evidenceOf(flags: Line['flags'], stdin: CommandContext['terminal']['stdin']): Promise<ResolutionEvidence> {
  const text = one(flags, 'evidence')
  if (flags.has('succeeded') === flags.has('failed')) throw new UsageError('Say one of --succeeded and --failed.', MEND)
  if (text === undefined || text === '') throw new UsageError('--evidence is missing: what you saw, and where.', MEND)
  if (flags.has('failed')) {
    if (flags.has('output')) throw new UsageError('What was not done has no --output.', MEND)
    return { found: 'not_done', text }
  }
  const output = one(flags, 'output')
  if (output === undefined) throw new UsageError('--output is missing: what the tool would have answered.', MEND)
  return { found: 'done', text, output: parsed(await readInput(output, stdin)) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('--output is no JSON.', MEND)
  }
}
