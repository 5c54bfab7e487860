import type { ResolutionEvidence, RunTree, StepNode, StepState } from '@surehand/core/host'
import {
  type FlagValues,
  flagValue,
  requireKnownFlags,
  requireWords,
  unknownAction,
} from '../arguments.ts'
import type { OpenJob, WaitOptions } from '../backend.ts'
import type { CommandContext } from '../command.ts'
import { EXIT_INTERRUPTED, exitCodeOf } from '../exit-code.ts'
import { parseWait } from '../flag-values.ts'
import { printEnvelope, printJson, printLines } from '../print.ts'
import { progressOn } from '../progress.ts'
import { readInput } from '../read-input.ts'
import { safeLine } from '../safe-text.ts'
import { formatTable } from '../table.ts'
import { screenWidth } from '../terminal.ts'
import { columnsOf, truncate } from '../text-width.ts'
import { UsageError } from '../usage-error.ts'
import { cancelJob } from './cancel-job.ts'

const HELP_COMMAND = 'surehand help jobs'
const LONG_WAIT = '5m'
const WATCHED = '1d'
const ACTIONS = ['list', 'show', 'wait', 'watch', 'cancel', 'resolve'] as const

export async function jobs(context: CommandContext): Promise<number> {
  const { flags } = context.line
  const [action = 'list', ...words] = requireKnownFlags(
    context.line,
    context.command.flags,
    HELP_COMMAND,
  )
  if (action === 'list') {
    requireWords(words, [], HELP_COMMAND)
    return list(context)
  }
  if (!ACTIONS.some((known) => known === action)) throw unknownAction('jobs', action, ACTIONS)
  const [callId = ''] = requireWords(words, ['CALL_ID'], HELP_COMMAND)
  switch (action) {
    case 'show':
      return show(callId, context)
    case 'wait':
      return wait(
        callId,
        {
          waitMs: parseWait(flagValue(flags, 'wait') ?? LONG_WAIT, HELP_COMMAND),
          until: 'end',
        },
        context,
      )
    case 'watch':
      return wait(
        callId,
        {
          waitMs: parseWait(flagValue(flags, 'wait') ?? WATCHED, HELP_COMMAND),
          until: 'news',
        },
        context,
      )
    case 'cancel':
      return cancelJob(callId, context)
    default:
      return resolve(callId, flags, context)
  }
}

function list({ terminal, format, withBackend }: CommandContext): Promise<number> {
  return withBackend(async (backend) => {
    const jobs = await backend.openJobs()
    if (format === 'json') printJson(terminal, jobs)
    else if (jobs.length === 0) printLines(terminal, ['No calls are open.'])
    else
      printLines(terminal, [formatTable(HEADINGS, jobs.map(rowOf), screenWidth(terminal.stdout))])
    return 0
  })
}

const HEADINGS = ['CALL', 'TOOL', 'BY', 'STATE', 'SINCE']
// The ledger's states in words for a person.
const STATES: Readonly<Record<string, string>> = {
  queued: 'waiting',
  parked: 'paused',
  claimed: 'running',
  effect_started: 'running',
  unknown: 'UNKNOWN',
}

function rowOf({ call_id, tool, principal, state, created_at }: OpenJob): readonly string[] {
  return [call_id, tool, principal, STATES[state] ?? state, created_at]
}

/** Shows a run with its steps, any other call by its answer alone. */
function show(callId: string, { terminal, format, withBackend }: CommandContext): Promise<number> {
  return withBackend(async (backend) => {
    const tree = await backend.runTree(callId)
    const envelope = await backend.answer(callId, {
      waitMs: 0,
      until: 'news',
      signal: new AbortController().signal,
    })
    const isRun = tree.steps.length > 0
    if (isRun && format === 'json') printJson(terminal, { ...tree, answer: envelope })
    else {
      if (isRun) printLines(terminal, [...runPage(tree, screenWidth(terminal.stdout)), ''])
      printEnvelope(terminal, envelope, format)
    }
    return exitCodeOf(envelope)
  })
}

async function wait(
  callId: string,
  how: Pick<WaitOptions, 'waitMs' | 'until'>,
  context: CommandContext,
): Promise<number> {
  const { terminal, format, withBackend } = context
  const left = new AbortController()
  const stopListening = terminal.onInterrupt?.(() => left.abort())
  const view = progressOn(terminal, format === 'json' ? 'lines' : 'bar')
  try {
    return await withBackend(async (backend) => {
      const envelope = await backend.answer(callId, {
        ...how,
        signal: left.signal,
        onProgress: view.show,
      })
      view.end()
      printEnvelope(terminal, envelope, format)
      return left.signal.aborted ? EXIT_INTERRUPTED : exitCodeOf(envelope)
    })
  } catch (thrown) {
    // A request to a server that was aborted has no answer to show.
    if (!left.signal.aborted) throw thrown
    terminal.stderr.write(
      `The call continues. Watch it again: surehand jobs watch ${safeLine(callId)}\n`,
    )
    return EXIT_INTERRUPTED
  } finally {
    view.end()
    stopListening?.()
  }
}

async function resolve(
  callId: string,
  flags: FlagValues,
  { terminal, format, withBackend }: CommandContext,
): Promise<number> {
  const evidence = await readEvidence(flags, terminal.stdin)
  return withBackend(async (backend) => {
    await backend.resolveUnknown(callId, evidence)
    if (format === 'json') printJson(terminal, { call_id: callId, resolved: true })
    else
      printLines(terminal, [
        `Resolved: ${safeLine(callId)} was ${evidence.found === 'done' ? 'done' : 'not done; its key can be used again'}.`,
      ])
    return 0
  })
}

async function readEvidence(
  flags: FlagValues,
  stdin: CommandContext['terminal']['stdin'],
): Promise<ResolutionEvidence> {
  const text = flagValue(flags, 'evidence')
  if (flags.has('succeeded') === flags.has('failed'))
    throw new UsageError('Give either --succeeded or --failed.', HELP_COMMAND)
  if (text === undefined || text === '')
    throw new UsageError('--evidence is missing. Say what you saw, and where.', HELP_COMMAND)
  if (flags.has('failed')) {
    if (flags.has('output'))
      throw new UsageError(
        'A call that was not done has no output: leave --output out.',
        HELP_COMMAND,
      )
    return { found: 'not_done', text }
  }
  const output = flagValue(flags, 'output')
  if (output === undefined)
    throw new UsageError(
      '--output is missing. Give what the tool would have returned.',
      HELP_COMMAND,
    )
  return { found: 'done', text, output: parseOutput(await readInput(output, stdin)) }
}

function parseOutput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('--output is not JSON.', HELP_COMMAND)
  }
}

const STEP_STATES: Readonly<Record<StepState, readonly [symbol: string, words: string]>> = {
  done: ['✓', 'done'],
  failed: ['✗', 'failed'],
  waiting: ['◌', 'waiting'],
  running: ['▸', 'running'],
  unknown: ['!', 'UNKNOWN'],
  called_off: ['–', 'cancelled'],
}

// The ledger's states of a run in words for a person.
const RUN_STATES: Readonly<Record<string, string>> = {
  waiting: 'waiting for approval',
  queued: 'waiting for a worker',
  parked: 'waiting for an answer or a step',
  claimed: 'running',
  effect_started: 'running',
  succeeded: 'done',
  failed: 'failed',
  unknown: 'UNKNOWN: an administrator must resolve it',
  released: 'ended without an effect; its key can be used again',
  cancelled: 'cancelled',
  pruned: 'removed after its retention time',
}

const STEP_GAP = '  '

/** A run and its steps at every depth, one line each. */
function runPage(
  { call_id, tool, state, created_at, updated_at, steps }: RunTree,
  width: number,
): readonly string[] {
  const rows = steps.flatMap((step, index) => rowsOf(step, '', index === steps.length - 1))
  const widths = [0, 1, 2].map((column) =>
    Math.max(0, ...rows.map((row) => columnsOf(row[column] ?? ''))),
  )
  const lines = rows.map((row) =>
    row.map((cell, column) => padCell(cell, widths[column] ?? 0)).join(STEP_GAP),
  )
  return [
    `${safeLine(tool)}: ${RUN_STATES[state] ?? safeLine(state)}`,
    `Call ${safeLine(call_id)}, from ${safeLine(created_at)} to ${safeLine(updated_at)}`,
    ...lines.map((line) => truncate(line.trimEnd(), width)),
  ]
}

type Row = readonly [place: string, tool: string, state: string, note: string]

function rowsOf(node: StepNode, before: string, isLast: boolean): readonly Row[] {
  const [symbol, words] = STEP_STATES[node.state]
  const isQuestion = node.what === 'ask'
  const row: Row = [
    `${before}${isLast ? '└─' : '├─'} ${symbol} ${safeLine(node.path)}`,
    isQuestion ? 'a question' : safeLine(node.tool ?? ''),
    isQuestion && node.state === 'done' ? 'answered' : words,
    safeLine(node.code ?? (isQuestion && node.state === 'waiting' ? (node.question_id ?? '') : '')),
  ]
  const inner = `${before}${isLast ? '   ' : '│  '}`
  return [
    row,
    ...node.steps.flatMap((step, index) => rowsOf(step, inner, index === node.steps.length - 1)),
  ]
}

function padCell(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - columnsOf(cell)))
}
