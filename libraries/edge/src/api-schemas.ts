import type { StepNode } from '@surehand/core/host'
import { z } from 'zod'
import { Count, Digest, Schema, Time } from './tool-schemas.ts'

export { OpenSessionSchema, WebhookDeliverySchema, WebhookSchema } from './account-schemas.ts'
export {
  ApprovalSchema,
  InboxItemSchema,
  QuestionSchema,
  ViewListItemSchema,
  ViewSchema,
} from './inbox-schemas.ts'

export {
  SearchResultSchema,
  ToolAccessSchema,
  ToolContractSchema,
  ToolFiguresSchema,
  ToolSchema,
} from './tool-schemas.ts'

// What the HTTP API returns, once for all: the server publishes these schemas in its OpenAPI
// document, and clients check answers with them. Objects are loose, because a server may be newer
// than its client.

const EnvelopeErrorSchema = z
  .looseObject({
    code: z.string().describe('A code of the error table, such as TOOL_INVALID_INPUT.'),
    message: z.string().describe('What happened and what to do, for a person or a model.'),
    details: z.unknown().optional(),
    recovery_suggestions: z.array(z.string()).optional(),
  })
  .meta({ id: 'EnvelopeError' })

const Change = z.looseObject({
  path: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})

const Pending = z.looseObject({
  approval_id: z.string(),
  asks: z.string(),
  expires_at: Time,
  url: z.string().optional().describe('The page on which a person decides.'),
  changed: z.array(Change).optional(),
})

const Asking = z.looseObject({
  question_id: z.string(),
  asks: z.string(),
  from: z.string().describe('Who may answer: person, model or either.'),
  schema: z.unknown().describe('The JSON Schema of the answer.'),
  draft: z.unknown().optional(),
  expires_at: Time,
  url: z.string().optional(),
})

const Metadata = z.looseObject({
  version: z.string().describe('The version of the envelope format.'),
  execution_time: z.number().describe('Seconds.'),
  call_id: z.string(),
  outcome: z
    .enum(['done', 'pending', 'accepted', 'denied', 'cancelled', 'unknown', 'failed'])
    .describe('How the call ended or what it waits for. Programs branch on this word.'),
  original_call_id: z.string().optional(),
  source: z.string().optional(),
  degraded: z.literal(true).optional(),
  warnings: z.array(z.string()).optional(),
  pending: Pending.optional().describe('Set while a person must approve.'),
  asking: Asking.optional().describe('Set while the call waits for an answer to a question.'),
  job: z.looseObject({ id: z.string() }).optional().describe('Set while a worker runs the call.'),
  tool_info: z.looseObject({
    name: z.string(),
    category: z.string(),
    permissions_used: z.array(z.string()),
  }),
  input_validation: z.looseObject({ schema_version: z.string(), validation_time: z.number() }),
})

/** The form of every answer. */
export const EnvelopeSchema = z
  .looseObject({
    status: z.enum(['success', 'failed', 'error']),
    command: z.string(),
    data: z.unknown().describe('The answer itself; null where there is none.'),
    error: EnvelopeErrorSchema.optional(),
    metadata: Metadata,
  })
  .meta({ id: 'Envelope' })

export const ProgressSchema = z.looseObject({
  fraction: z.number().optional(),
  message: z.string().optional(),
})

/** How the calls of a tenant have gone over time, and what is under way. */
export const FiguresSchema = z
  .looseObject({
    complete: z.boolean().describe('false: there were answers that are not counted yet.'),
    step_ms: z.int(),
    points: z.array(
      z.looseObject({
        at: z.int().describe('Where its time begins, in milliseconds since 1970.'),
        calls: Count,
        failures: Count.describe('Answers with an error code, refusals included.'),
        unknown: Count.describe('Answers that say that the outcome is unknown.'),
        p50_ms: z.number().nullable(),
        p95_ms: z.number().nullable(),
      }),
    ),
    open: z
      .record(z.string(), Count)
      .describe('Calls that are queued, running or unknown, by state: at most the newest 1,000.'),
    oldest_queued_at: Time.nullable().describe('Since when the longest waiting one is queued.'),
    samples: z
      .array(
        z.looseObject({
          at: z.int(),
          queued: Count,
          parked: Count,
          running: Count,
          expired: Count.describe('Claims whose process died, not taken over yet.'),
          unknown: Count,
          unsequenced: Count.describe('Audit records without a place in the tree yet.'),
          lag_ms: Count.describe('How long the oldest of these waits.'),
          store_bytes: Count.describe('Of the whole database; 0 outside the home tenant.'),
        }),
      )
      .describe('The highest counts of each step; steps without a sample are left out.'),
  })
  .meta({ id: 'Figures' })

/** A composite that was proposed as data. */
export const ProgramViewSchema = z
  .looseObject({
    id: z.string(),
    state: z
      .enum(['proposed', 'accepted', 'withdrawn'])
      .describe('withdrawn: a tool that it calls has changed since it was accepted.'),
    program: z.unknown(),
    examples: z.array(z.looseObject({ name: z.string(), input: z.unknown() })).readonly(),
    proposed_by: z.string(),
    proposed_at: z.number().describe('Milliseconds since 1970.'),
    actor: z.string(),
    digest: Digest.describe('Of the program and the tools that it calls, as they are now.'),
    parts: z
      .array(
        z.looseObject({
          tool: z.string(),
          effect: z.string(),
          state: z.enum(['same', 'changed', 'missing']),
        }),
      )
      .readonly(),
    warnings: z.array(z.string()).readonly().describe('What could not be proven.'),
    problem: z.string().optional().describe('Why it cannot be used as it is.'),
    in_use: z
      .looseObject({ version: z.string(), accepted_by: z.string() })
      .optional()
      .describe('The version that can be called.'),
    former: z
      .array(
        z.looseObject({ version: z.string(), accepted_by: z.string(), accepted_at: z.number() }),
      )
      .readonly(),
  })
  .meta({ id: 'Program' })

/** What a program would do. */
export const DryRunSchema = z
  .looseObject({
    steps: z
      .array(
        z.looseObject({
          path: z.string(),
          how: z.enum(['read', 'simulated', 'asked']),
          tool: z.string(),
          input: z.unknown(),
          output: z.unknown().optional(),
          error: z.string().optional(),
        }),
      )
      .readonly(),
    answer: z.unknown().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'DryRun' })

const Timed = { at_ms: z.number(), duration_ms: z.number() }

/** One pass of a call through the pipeline. */
export const CallTraceSchema = z
  .looseObject({
    call_id: z.string(),
    principal: z.string(),
    tool_name: z.string(),
    key: z.string().describe('The idempotency key; empty where it has none of its own.'),
    input: z.string().describe('Redacted JSON; empty where it was refused or is too long.'),
    outcome: z.string(),
    started_at: z.number().describe('Milliseconds since 1970.'),
    duration_ms: z.number(),
    stages: z.array(
      z.looseObject({
        ...Timed,
        stage: z.string(),
        outcome: z.enum(['passed', 'answered', 'refused']),
      }),
    ),
    attempts: z.array(z.looseObject({ ...Timed, code: z.string(), reason: z.string() })),
    requests: z
      .array(z.looseObject({ ...Timed, port: z.string(), method: z.string(), code: z.string() }))
      .describe('Requests to providers, by port and method.'),
  })
  .meta({ id: 'CallTrace' })

const Verdict = z.enum([
  'unchanged',
  'refused',
  'allowed',
  'asked',
  'not_asked',
  'limited',
  'timed_out',
  'unknown',
])

/** What a change would have made of the calls of the last days. */
export const WhatIfSchema = z
  .looseObject({
    days: z.int(),
    calls: Count.describe('How many calls were looked at, refusals included.'),
    complete: z.boolean().describe('false: there were more calls than are looked at.'),
    since: Time.optional().describe('The time of the oldest of them.'),
    verdicts: z
      .partialRecord(Verdict, Count)
      .describe('unknown: what decides it is not kept, such as the input.'),
    groups: z
      .array(
        z.looseObject({
          verdict: Verdict,
          reason: z.string(),
          tool: z.string(),
          principal: z.string(),
          actor: z.string(),
          calls: Count,
        }),
      )
      .describe('The changed and the unknown ones, the most first.'),
    examples: z.array(
      z.looseObject({
        verdict: Verdict,
        reason: z.string(),
        call_id: z.string(),
        tool: z.string(),
        principal: z.string(),
        at: Time,
      }),
    ),
  })
  .meta({ id: 'WhatIf' })

/** Who the caller is. */
export const SessionSchema = z
  .looseObject({
    tenant: z.string(),
    principal: z.string(),
    actor: z.string().describe('user, or ai_agent for the token of an agent.'),
    roles: z.array(z.string()),
    is_administrator: z.boolean(),
  })
  .meta({ id: 'Session' })

const StepSchema: z.ZodType<StepNode> = z
  .looseObject({
    path: z.string(),
    what: z.enum(['step', 'ask']),
    tool: z.string().optional(),
    call_id: z.string().optional(),
    question_id: z.string().optional(),
    state: z.enum(['done', 'failed', 'waiting', 'running', 'unknown', 'called_off']),
    code: z.string().optional(),
    steps: z.lazy(() => z.array(StepSchema)),
  })
  // erased: JSON has no fields that are undefined
  .meta({ id: 'Step' }) as never

export const RunTreeSchema = z
  .looseObject({
    call_id: z.string(),
    tool: z.string(),
    state: z.string(),
    created_at: Time,
    updated_at: Time,
    steps: z.array(StepSchema),
  })
  .meta({ id: 'RunTree' })

export const OpenCallSchema = z
  .looseObject({
    call_id: z.string(),
    principal: z.string(),
    tool: z.string(),
    tool_version: z.string(),
    state: z.string(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'OpenCall' })

export const AuditRecordSchema = z
  .looseObject({
    id: z.string(),
    phase: z.enum(['intent', 'outcome', 'decision', 'change']),
    call_id: z.string(),
    request_id: z.string().optional(),
    tenant: z.string().optional(),
    principal: z.string(),
    actor: z.string().optional(),
    surface: z.string(),
    tool_name: z.string(),
    tool_version: z.string().optional(),
    definition_hash: z.string().optional(),
    input_hash: z.string().optional(),
    output_hash: z.string().optional(),
    success: z.boolean().optional(),
    outcome: z.string(),
    code: z.string(),
    error: z.string().optional(),
    duration_ms: z.number().optional(),
    source: z.string().optional(),
    created_at: z.number().describe('Milliseconds since 1970.'),
  })
  .meta({ id: 'AuditRecord' })

export const AuditKeySchema = z
  .looseObject({
    key_id: z.string(),
    public_key: z.string().describe('Ed25519, SPKI (DER) in Base64.'),
  })
  .meta({ id: 'AuditKey' })

const Days = z.int().min(0)
/** How many days what is stored about calls is kept. */
export const RetentionSchema = z
  .object({
    calls: Days.describe('Inputs and answers, after the call ended.'),
    traces: Days.describe('Times of stages and redacted inputs.'),
    figures: Days.describe('Counts over time.'),
  })
  .meta({ id: 'Retention' })

/** Proves that a record is in the audit's tree under a signed head. */
export const AuditProofSchema = z
  .looseObject({
    record: z.looseObject({
      text: z.string().describe('What the leaf is the hash of, byte for byte.'),
      leaf: Digest,
      payload: Schema.describe('What the record commits to, and what can be erased.'),
    }),
    position: Count,
    path: z.array(Digest).describe("The hashes from the record's leaf up to the root (RFC 6962)."),
    head: z.looseObject({
      tenant: z.string(),
      size: Count,
      root: Digest,
      signed_at: z.number(),
      key_id: z.string(),
      signature: z.string(),
    }),
  })
  .meta({ id: 'AuditProof' })

/** A part of a list: the same form for every list of the API. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.looseObject({
    items: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .describe('Send it as `cursor` to get the next page; null at the end of the list.'),
  })
}
