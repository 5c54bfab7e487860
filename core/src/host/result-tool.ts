import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import type { Envelope } from '../call/envelope.ts'
import type { Outcome } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { once } from '../define/once.ts'
import { defineTool, type Tool } from '../define/tool.ts'
import type { Clock } from '../ports/clock.ts'
import { wireName } from '../registry/registry.ts'
import { type AnswerSource, awaitAnswer, awaitOrKnown } from './await-answer.ts'

/** The id of the tool with which a model fetches the answer of an earlier call. */
export const RESULT_TOOL = 'surehand.result'

/** How long one request waits at most: clients and proxies give up after 30 or 60 seconds. */
export const LONGEST_WAIT_MS = 25_000

const DEFAULT_WAIT_SECONDS = 20

const Input = z.object({
  call_id: z.string().min(1).max(100).describe('The call id of the earlier answer.'),
  wait_seconds: z
    .number()
    .int()
    .min(0)
    .max(LONGEST_WAIT_MS / 1_000)
    .default(DEFAULT_WAIT_SECONDS)
    .describe('How long to wait for it.'),
})

/**
 * The tool as surfaces offer it to models. Surfaces answer it themselves with `fetchResult`: it is
 * not in the registry, where a tenant's policy could switch it off or make it wait for approval.
 */
export const resultTool: () => Tool = once(
  () =>
    defineTool({
      id: RESULT_TOOL,
      title: 'Get the answer of an earlier call',
      category: 'custom',
      description:
        'Returns the answer of a call that waited for a person or ran in the background, or says that it is still waiting. It never repeats the call.',
      input: Input,
      output: z.unknown(),
      contract: { effect: 'read' },
      execute: async () => {
        throw new ToolError('TOOL_CONFIGURATION_ERROR', `${RESULT_TOOL} is answered by a surface.`)
      },
    }) as Tool,
)

export function isResultTool(name: string): boolean {
  return name === RESULT_TOOL || name === wireName(RESULT_TOOL)
}

/**
 * Whether the call of this tool failed. Waiting is no error, and neither is what `surehand.result`
 * reports of another call: frameworks throw on errors, and the model would not read that it was
 * denied and why.
 */
export function isErrorFor(tool: string, { command, error, metadata }: Envelope): boolean {
  if (error === undefined || metadata.outcome === 'pending') return false
  return !isResultTool(tool) || isResultTool(command)
}

type VisibleTools = (caller: Caller) => readonly Tool[] | Promise<readonly Tool[]>

// The runtime returns the same list while nothing has changed, and so does this.
const extended = new WeakMap<readonly Tool[], readonly Tool[]>()

/** The tools that a caller may use, with the one that fetches answers. */
export async function toolsForModel(
  { visibleTools }: { readonly visibleTools: VisibleTools },
  caller: Caller,
): Promise<readonly Tool[]> {
  const visible = await visibleTools(caller)
  const known = extended.get(visible) ?? [...visible, resultTool()]
  extended.set(visible, known)
  return known
}

export type ResultOptions = { readonly clock: Clock; readonly signal?: AbortSignal | undefined }

/**
 * The answer of an earlier call of this caller. While the call waits for a person or a worker it is
 * awaited, for as long as the input says and never longer than `LONGEST_WAIT_MS`.
 */
export async function fetchResult(
  source: AnswerSource,
  caller: Caller,
  input: unknown,
  { clock, signal }: ResultOptions,
): Promise<Outcome> {
  const read = Input.safeParse(input)
  if (!read.success)
    return failedResult(
      new ToolError(
        'TOOL_INVALID_INPUT',
        `${RESULT_TOOL} takes call_id, and wait_seconds from 0 to ${LONGEST_WAIT_MS / 1_000}.`,
        { suggestions: ['Use the call id that the earlier answer names.'] },
      ),
    )
  const { call_id: callId, wait_seconds: seconds } = read.data
  const known = await source.answer(caller, callId)
  if (known === undefined) return failedResult(notFoundError(callId))
  return awaitOrKnown(known, () =>
    awaitAnswer(source, caller, callId, {
      clock,
      waitMs: seconds * 1_000,
      signal,
      until: 'news',
      beyond: personalRequestId(known),
    }),
  )
}

/** The approval request or question that only a person can settle; a model answers others itself. */
function personalRequestId(outcome: Outcome): string | undefined {
  if (outcome.status === 'pending') return outcome.approval.id
  return outcome.status === 'asking' && outcome.question.from === 'person'
    ? outcome.question.id
    : undefined
}

function notFoundError(callId: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `There is no stored answer of a call ${callId} that you made.`,
    { suggestions: ['Use the call id that the earlier answer names. Reads are not stored.'] },
  )
}

function failedResult(error: ToolError): Outcome {
  const { id, title, category, version } = resultTool()
  return {
    facts: {
      callId: '',
      tool: id,
      title,
      category,
      schemaVersion: version,
      permissionsUsed: [],
      durationMs: 0,
      validationMs: 0,
      notes: [],
    },
    status: 'failed',
    error,
    source: 'executed',
    originalCallId: undefined,
  }
}
