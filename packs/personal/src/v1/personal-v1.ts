import {
  type Caller,
  type Envelope,
  type Runtime,
  type ToolErrorCode,
  toEnvelope,
} from '@surehand/core'
import type { PackRoute } from '@surehand/core/host'
import {
  codeOf,
  createV1Adapter,
  type MigrationWarning,
  type V1Adapter,
  type V2ToolRequest,
} from '@surehand/documents'
import { z } from 'zod'
import { personalMigration } from './personal-migration.ts'

type PersonalV1Options = {
  /** The clock, because the support of v1 ends on a date. */
  readonly now: () => number
  readonly log?: (warning: MigrationWarning) => void
}

/**
 * Serves the functions of v1 with the tools of a runtime that has this pack. Every call goes
 * through the same pipeline as any other.
 * @example await personalV1(runtime, { now }).callV1({ tool: 'create_habit', args: { habit_name: 'Read' } }, caller)
 */
export function personalV1({ call }: Pick<Runtime, 'call'>, options: PersonalV1Options): V1Adapter {
  return personalV1Over(
    async ({ tool, input }, caller) =>
      toEnvelope(await call({ tool, input, caller, surface: 'v1' })),
    options,
  )
}

/** The same over anything that calls the tools of this pack and returns their envelopes. */
export function personalV1Over(
  call: (request: V2ToolRequest, caller: Caller) => Promise<Envelope>,
  { now, log }: PersonalV1Options,
): V1Adapter {
  return createV1Adapter({
    migration: personalMigration,
    call: async (request, caller) => addErrorWords(await call(request, caller)),
    now,
    ...(log === undefined ? {} : { log }),
  })
}

const Request = z.strictObject({
  tool: z.string().min(1).max(200),
  args: z.record(z.string(), z.unknown()).default({}),
})

/** `{ tool, args }` in, `{ success, message, data }` out, for clients of v1. */
export const v1Route: PackRoute = {
  method: 'POST',
  path: '/personal/v1/call',
  auth: 'token',
  async handle({ request, caller, services: { call, now } }) {
    const parsed = Request.safeParse(await request.json().catch(() => undefined))
    if (!parsed.success || caller === undefined)
      return Response.json(
        {
          success: false,
          message: 'Invalid: a v1 call is a JSON object with "tool" and "args".',
          data: null,
        },
        { status: 400 },
      )
    const key = request.headers.get('idempotency-key') ?? undefined
    const adapter = personalV1Over(
      async ({ tool, input }, by) =>
        toEnvelope(
          await call({
            tool,
            input,
            caller: by,
            surface: 'v1',
            ...(key === undefined ? {} : { idempotencyKey: key }),
          }),
        ),
      { now },
    )
    return Response.json(await adapter.callV1(parsed.data, caller))
  },
}

const WORDS: ReadonlyMap<string, string> = new Map<ToolErrorCode, string>([
  ['TOOL_RESOURCE_NOT_FOUND', 'Not found'],
  ['TOOL_RESOURCE_ALREADY_EXISTS', 'Already exists'],
  ['TOOL_INVALID_INPUT', 'Invalid'],
  ['TOOL_MISSING_REQUIRED_FIELD', 'Invalid'],
  ['TOOL_INVALID_FIELD_TYPE', 'Invalid'],
  ['TOOL_INVALID_FIELD_VALUE', 'Invalid'],
  ['TOOL_INPUT_TOO_LARGE', 'Invalid'],
  ['TOOL_INSUFFICIENT_PERMISSIONS', 'Permission denied'],
  ['TOOL_ROLE_NOT_AUTHORIZED', 'Permission denied'],
  ['TOOL_CAPABILITY_MISSING', 'Permission denied'],
  ['TOOL_RESOURCE_ACCESS_DENIED', 'Permission denied'],
  ['TOOL_CONFIGURATION_ERROR', 'Not configured'],
])

/**
 * v1 has no error codes. Its clients recognise an error by words in the message, so these words are
 * put in front.
 */
function addErrorWords(envelope: Envelope): Envelope {
  const { error } = envelope
  const word = error === undefined ? undefined : WORDS.get(error.code)
  if (error === undefined || word === undefined) return envelope
  const isSaid = codeOf(error.message) === codeOf(word)
  return isSaid
    ? envelope
    : { ...envelope, error: { ...error, message: `${word}: ${error.message}` } }
}
