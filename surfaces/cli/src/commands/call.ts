import { type Envelope, isToolError, type ToolError } from '@surehand/core'
import { systemClock, systemEntropy } from '@surehand/core/ports'
import { type FlagValues, flagValue, formatToken, type Token } from '../arguments.ts'
import type { Backend, ToolFacts } from '../backend.ts'
import { buildInput } from '../build-input.ts'
import type { CommandContext } from '../command.ts'
import { EXIT_INTERRUPTED, exitCodeOf } from '../exit-code.ts'
import { parseWait } from '../flag-values.ts'
import { printEnvelope, printError, printJson, toEnvelopeError } from '../print.ts'
import { progressOn } from '../progress.ts'
import { CANCELLED } from '../prompt.ts'
import { safeLine } from '../safe-text.ts'
import { isInteractive } from '../terminal.ts'
import { toolNotFound } from '../tool-not-found.ts'
import { UsageError } from '../usage-error.ts'

const HELP_COMMAND = 'surehand help call'

/** The command line of `call`, read. */
type CallArguments = {
  readonly tool: string
  readonly flags: FlagValues
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

/**
 * On a terminal, puts the tool's questions to the user until there are none left; elsewhere the
 * envelope carries the question.
 */
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
  const { answerUntilDone } = await import('../answer-until-done.ts')
  const { envelope, end } = await answerUntilDone(first, terminal, backend)
  if (end === 'interrupted' && envelope.metadata.job !== undefined)
    await cancelJob(envelope.metadata.call_id, terminal, backend)
  return { envelope, wasInterrupted: end !== 'answered' }
}

function parseCall({ line, command }: CommandContext): CallArguments {
  const flags = new Map([...line.flags].filter(([name]) => Object.hasOwn(command.flags, name)))
  const [first, ...toolFlags] = line.rest
  if (first === undefined) throw new UsageError('TOOL is missing.', HELP_COMMAND)
  // Behind an unknown flag, the next word could be its value or the tool.
  if (first.kind === 'flag') throw new UsageError('TOOL comes first, then its flags.', HELP_COMMAND)
  return { tool: first.text, flags, toolFlags }
}

// A tool this caller does not have is called all the same: the runtime refuses it with the reason,
// and the audit records that.
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
      given: flagValue(asked.flags, 'input'),
      fromEnv: asked.flags.get('field-from-env') ?? [],
    },
    facts,
    { terminal, env: options.env },
  )
}

/**
 * The caller's key, or a generated one where the tool needs it and a person is there to note it.
 */
function chooseKey(
  { flags }: CallArguments,
  facts: ToolFacts | undefined,
  { format, terminal }: CommandContext,
): string | undefined {
  const given = flagValue(flags, 'key')
  if (given !== undefined || facts?.wantsKey !== true || format === 'json') return given
  const made = systemEntropy().newId('cli', systemClock().now())
  terminal.stderr.write(
    `Key: ${made}   (if the connection breaks, run the same command with --key ${made}: the call is made once)\n`,
  )
  return made
}

type LostCall = {
  readonly asked: CallArguments
  readonly facts: ToolFacts | undefined
  readonly key: string | undefined
}

/** Returns the error of a connection that broke during the call; rethrows any other. */
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
        'It is not known whether the call was made.',
        key === undefined
          ? 'Check before you call again.'
          : 'Repeat it with the same key: the call is made at most once.',
      ]
    : ['The tool changes nothing: call it again.']
  const reported = { ...toEnvelopeError(error), recovery_suggestions: suggestions }
  const look = mayBeDone && key === undefined ? ['audit', 'list', '--tool', asked.tool] : undefined
  if (format === 'json') printJson(terminal, { error: reported })
  else printError(terminal, reported, { again: look ?? repeatArguments(asked), key })
  return exitCodeOf({ error: reported })
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
  const wait = flagValue(flags, 'wait')
  const requestId = flagValue(flags, 'request-id')
  const notify = flagValue(flags, 'notify')
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
      ...(wait === undefined ? {} : { waitMs: parseWait(wait, HELP_COMMAND) }),
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

// A worker has the call already: cancel it where that is still possible.
async function cancelJob(
  callId: string,
  { stderr }: CommandContext['terminal'],
  backend: Backend,
): Promise<void> {
  try {
    const word = await backend.cancel(callId)
    if (word === 'cancelled') stderr.write(`Cancelled: ${safeLine(callId)} will not be made.\n`)
    else stderr.write(`${safeLine(callId)} has started already; it was asked to stop.\n`)
  } catch (thrown) {
    stderr.write(`${safeLine(thrown instanceof Error ? thrown.message : thrown)}\n`)
  }
}

/** The arguments that make the same call once more. */
function repeatArguments({ tool, flags, toolFlags }: CallArguments): readonly string[] {
  const own = [...flags].flatMap(([name, values]) =>
    name === 'key' || name === 'wait' || name === 'repeat' || name === 'notify'
      ? []
      : values.map((value) => `--${name}=${value}`),
  )
  const typed = toolFlags.map(formatToken)
  return ['call', tool, ...typed, ...own]
}
