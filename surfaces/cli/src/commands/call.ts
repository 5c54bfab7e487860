import { type Envelope, isToolError, type ToolError } from '@surehand/core'
import { systemClock, systemEntropy } from '@surehand/core/ports'
import { one, type Token, take } from '../arguments.ts'
import type { Backend, ToolFacts } from '../backend.ts'
import { buildInput } from '../build-input.ts'
import { CANCELLED } from '../cancelled.ts'
import type { CommandContext } from '../command.ts'
import { EXIT_INTERRUPTED, exitCodeOf } from '../exit-code.ts'
import { printEnvelope, printError, printJson, toEnvelopeError } from '../print.ts'
import { progressOn } from '../progress.ts'
import { safeLine } from '../safe-text.ts'
import { isInteractive } from '../terminal.ts'
import { toolNotFound } from '../tool-not-found.ts'
import { UsageError } from '../usage-error.ts'
import { waitTime } from '../wait-time.ts'

const HELP_COMMAND = 'surehand help call'

/** What was asked of `call` itself. */
type CallArguments = {
  readonly tool: string
  readonly flags: ReadonlyMap<string, readonly string[]>
  readonly toolFlags: readonly Token[]
}

export async function call(context: CommandContext): Promise<number> {
  const asked = parseCall(context)
  return context.withBackend(async (backend) => {
    const facts = await backend.describe(asked.tool)
    const json = await buildJson(asked, facts, context, backend)
    if (json === CANCELLED) return EXIT_INTERRUPTED
    const key = chooseKey(asked, facts, context)
    const answered = await performCall({ asked, json, key }, context, backend).catch(
      (thrown: unknown) => requireConnectionLoss(thrown),
    )
    if ('error' in answered)
      return printConnectionLoss(answered.error, { asked, facts, key }, context)
    const { envelope, wasInterrupted } = await answerWhileAsking(answered, context, backend)
    printEnvelope(context.terminal, envelope, context.format, {
      again: repeatArguments(asked),
      key: key ?? envelope.metadata.call_id,
    })
    return wasInterrupted ? EXIT_INTERRUPTED : exitCodeOf(envelope)
  }, asked.tool)
}

/** What it asks is put to whoever sits there, until it asks no more; elsewhere the envelope says what is asked. */
async function answerWhileAsking(
  answered: CallResult,
  { terminal, format }: CommandContext,
  backend: Backend,
): Promise<CallResult> {
  const { envelope: first, wasInterrupted } = answered
  if (
    wasInterrupted ||
    first.metadata.asking === undefined ||
    format === 'json' ||
    !isInteractive(terminal)
  )
    return answered
  const { answerUntilDone } = await import('../answer-rounds.ts')
  const { envelope, end } = await answerUntilDone(first, terminal, backend)
  if (end === 'interrupted' && envelope.metadata.job !== undefined)
    await cancelJob(envelope.metadata.call_id, terminal, backend)
  return { envelope, wasInterrupted: end !== 'answered' }
}

function parseCall({ line, command }: CommandContext): CallArguments {
  const { flags, rest } = take(line, command.flags)
  const [first, ...toolFlags] = rest
  if (first === undefined) throw new UsageError('TOOL is missing.', HELP_COMMAND)
  // where a flag stands first, its value could not be told from the tool
  if (first.kind === 'flag') throw new UsageError('TOOL comes first, then its flags.', HELP_COMMAND)
  return { tool: first.text, flags, toolFlags }
}

// a tool that is not there for this caller is asked for all the same: the runtime says why, and the audit keeps it
async function buildJson(
  asked: CallArguments,
  facts: ToolFacts | undefined,
  context: CommandContext,
  backend: Backend,
): Promise<string | typeof CANCELLED> {
  const { terminal, options } = context
  if (facts === undefined && (asked.toolFlags.length > 0 || asked.flags.has('field-from-env')))
    throw await toolNotFound(asked.tool, backend)
  return buildInput(
    {
      tool: asked.tool,
      flags: asked.toolFlags,
      given: one(asked.flags, 'input'),
      fromEnv: asked.flags.get('field-from-env') ?? [],
    },
    facts,
    { terminal, env: options.env },
  )
}

/** The caller's key, or one of our own where the tool wants it and a person is there to be shown it. */
function chooseKey(
  { flags }: CallArguments,
  facts: ToolFacts | undefined,
  { format, terminal }: CommandContext,
): string | undefined {
  const given = one(flags, 'key')
  if (given !== undefined || facts?.wantsKey !== true || format === 'json') return given
  const made = systemEntropy().newId('cli', systemClock().now())
  terminal.stderr.write(
    `Key: ${made}   (if this is cut off, the same command with --key ${made} does nothing twice)\n`,
  )
  return made
}

type LostCall = {
  readonly asked: CallArguments
  readonly facts: ToolFacts | undefined
  readonly key: string | undefined
}

/** The line to the server broke while it was asked; anything else goes on its way. */
function requireConnectionLoss(thrown: unknown): { readonly error: ToolError } {
  if (
    isToolError(thrown) &&
    (thrown.code === 'TOOL_NETWORK_ERROR' || thrown.code === 'TOOL_CANCELLED')
  )
    return { error: thrown }
  throw thrown
}

function printConnectionLoss(
  error: ToolError,
  { asked, facts, key }: LostCall,
  { terminal, format }: CommandContext,
): number {
  const mayBeDone = facts === undefined || /^writ/.test(facts.effect)
  const suggestions = mayBeDone
    ? [
        'Whether it was done is not known here.',
        key === undefined
          ? 'Look before you call again.'
          : 'With the same key nothing is done twice.',
      ]
    : ['It changes nothing: call again.']
  const told = { ...toEnvelopeError(error), recovery_suggestions: suggestions }
  const look = mayBeDone && key === undefined ? ['audit', 'list', '--tool', asked.tool] : undefined
  if (format === 'json') printJson(terminal, { error: told })
  else printError(terminal, told, { again: look ?? repeatArguments(asked), key })
  return exitCodeOf({ error: told })
}

type PreparedCall = {
  readonly asked: CallArguments
  readonly json: string
  readonly key: string | undefined
}
type CallResult = { readonly envelope: Envelope; readonly wasInterrupted: boolean }

async function performCall(
  { asked, json, key }: PreparedCall,
  { terminal, format }: CommandContext,
  backend: Backend,
): Promise<CallResult> {
  const { tool, flags } = asked
  const wait = one(flags, 'wait')
  const requestId = one(flags, 'request-id')
  const notify = one(flags, 'notify')
  const left = new AbortController()
  const stopListening = terminal.onInterrupt?.(() => left.abort())
  const view = progressOn(terminal, format === 'json' ? 'lines' : 'bar')
  try {
    const envelope = await backend.call({
      tool,
      json,
      signal: left.signal,
      onProgress: view.show,
      ...(key === undefined ? {} : { key }),
      ...(notify === undefined ? {} : { notify }),
      ...(wait === undefined ? {} : { waitMs: waitTime(wait, HELP_COMMAND) }),
      ...(flags.has('repeat') ? { repeat: 'meant' } : {}),
      ...(requestId === undefined ? {} : { requestId }),
    })
    view.end()
    if (left.signal.aborted && envelope.metadata.job !== undefined)
      await cancelJob(envelope.metadata.call_id, terminal, backend)
    return { envelope, wasInterrupted: left.signal.aborted }
  } finally {
    view.end()
    stopListening?.()
  }
}

// it was handed to a worker already: it is called back where that is still possible
async function cancelJob(
  callId: string,
  { stderr }: CommandContext['terminal'],
  backend: Backend,
): Promise<void> {
  try {
    const word = await backend.cancel(callId)
    if (word === 'cancelled') stderr.write(`Cancelled: ${safeLine(callId)} will not be done.\n`)
    else stderr.write(`${safeLine(callId)} had begun: it was told to stop.\n`)
  } catch (thrown) {
    stderr.write(`${safeLine(thrown instanceof Error ? thrown.message : thrown)}\n`)
  }
}

/** The same call once more, as it would be typed. */
function repeatArguments({ tool, flags, toolFlags }: CallArguments): readonly string[] {
  const own = [...flags].flatMap(([name, values]) =>
    name === 'key' || name === 'wait' || name === 'repeat' || name === 'notify'
      ? []
      : values.map((value) => `--${name}=${value}`),
  )
  const typed = toolFlags.map((token) =>
    token.kind === 'word'
      ? token.text
      : `--${token.name}${token.value === undefined ? '' : `=${token.value}`}`,
  )
  return ['call', tool, ...typed, ...own]
}
