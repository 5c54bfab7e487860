import { type Caller, ToolError } from '@surehand/core'
import type { Pace } from '@surehand/core/host'
import { isAdministrator } from '@surehand/core/internal'
import { type AuditFilter, type AuditRecord, toPage } from '@surehand/core/ports'
import {
  AuditKeySchema,
  AuditProofSchema,
  AuditRecordSchema,
  RetentionSchema,
} from '@surehand/edge/api'
import { z } from 'zod'
import { paceListing } from '../call-tool.ts'
import type { HttpContext } from '../http-env.ts'
import type { HttpAudit, Surface } from '../options.ts'
import { PAGE_FIELDS, PageQuery, pageOf, pageReturned, pageView, readPage } from '../paging.ts'
import { parseQuery } from '../parse-request.ts'
import { SAFE_HEADERS } from '../reply.ts'
import type { Documented, Route } from '../route.ts'

const Time = z.iso.datetime({ offset: true })

const Filter = z.strictObject({
  call_id: z.string().max(100).exactOptional(),
  tool: z.string().max(200).exactOptional(),
  principal: z.string().max(200).exactOptional(),
  actor: z.enum(['user', 'ai_agent', 'system']).exactOptional(),
  phase: z.enum(['intent', 'outcome', 'decision', 'change']).exactOptional(),
  outcome: z.string().max(40).exactOptional().describe('As in done, pending, failed, unknown.'),
  since: Time.exactOptional().describe('Only records of this time or later.'),
  until: Time.exactOptional().describe('Only records before this time.'),
  key: z.string().max(255).exactOptional().describe('The idempotency key, of the last seven days.'),
  text: z
    .string()
    .max(200)
    .exactOptional()
    .describe('Contained in the redacted input, of the last seven days.'),
  ...PAGE_FIELDS,
})

const Count = z.int().min(0)
const AuditVerdict = z
  .looseObject({
    kind: z.enum(['intact', 'broken']),
    tenant: z.string(),
    size: Count.optional().describe('How many records the tree holds.'),
    signedSize: Count.optional().describe('How many are covered by a signed head.'),
    anchoredSize: Count.optional().describe('How many are covered by an anchored head.'),
    erasures: Count.optional(),
    unsequenced: Count.optional().describe('How many records have no place in the tree yet.'),
    unsealed: Count.optional().describe('How many records are older than the seals.'),
    flaw: z.looseObject({ position: z.number(), what: z.string() }).optional(),
  })
  .meta({ id: 'AuditVerdict' })

const HASH = '8f0e5c1d7b2a4936c5e8d1f0a7b3924e6c8d5f1a0b7e3c9d2f4a6b8c0e1d3f57'

const record: Documented = {
  schema: () => AuditRecordSchema,
  example: {
    id: 'aud_01jd3k8m2nq4r5s6t7v8w9x0yz',
    phase: 'outcome',
    call_id: 'call_01jd3k8m2nq4r5s6t7v8w9x0ya',
    request_id: 'call_01jd3k8m2nq4r5s6t7v8w9x0ya',
    tenant: 'home',
    principal: 'ann',
    actor: 'user',
    surface: 'http',
    tool_name: 'shop.buy',
    tool_version: '1.0.0',
    definition_hash: HASH,
    input_hash: HASH,
    output_hash: HASH,
    success: true,
    outcome: 'done',
    code: '',
    error: '',
    duration_ms: 12,
    source: 'executed',
    created_at: 1_794_823_200_000,
  },
}

/** The audit of the caller's tenant, for its administrators. */
export const auditRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/audit',
    command: 'audit.list',
    summary:
      'Lists the records, or those of a call, tool, person, phase, outcome, time, key or text of the input, the newest first.',
    query: Filter,
    returns: pageReturned(record),
    async handle(context, caller, surface) {
      const { limit: most, cursor, ...filter } = parseQuery(context, Filter)
      const { limit, after } = readPage('audit.list', { limit: most, ...(cursor && { cursor }) })
      const [before, id = ''] = after?.split(' ') ?? []
      const records = await auditFor(caller, surface).list({
        tenant: caller.tenant,
        limit: limit + 1,
        ...toAuditFilter(filter, surface.clock.now()),
        ...(before === undefined ? {} : { before: { call_id: before, id } }),
      })
      const nameOf = (one: AuditRecord): string => `${one.call_id} ${one.id}`
      return pageView('audit.list', toPage(records.toReversed(), limit, nameOf))
    },
  },
  {
    method: 'GET',
    path: '/v1/audit/export',
    command: 'audit.export',
    summary: 'Exports the whole audit as JSON lines, to be verified offline.',
    returns: 'lines',
    handle(context, caller, surface) {
      const lines = auditFor(caller, surface).export?.(caller.tenant)
      if (lines === undefined) throw unavailable('exported')
      const pace = paceListing(context, caller, surface)
      return new Response(ReadableStream.from(encodeLines(lines, pace)), {
        headers: { ...SAFE_HEADERS, 'content-type': 'application/x-ndjson' },
      })
    },
  },
  {
    method: 'GET',
    path: '/v1/audit/keys',
    command: 'audit.keys',
    summary: 'Lists the public keys that sign the heads of the audit, to verify an export with.',
    query: PageQuery,
    returns: pageReturned({
      schema: () => AuditKeySchema,
      example: {
        key_id: '3f1c9b2e',
        public_key: 'MCowBQYDK2VwAyEAqMwIvTqQ5pIe7VwqvjWRQwzt0N9Yk7l0b0m2m4mXf2k=',
      },
    }),
    handle(context, caller, surface) {
      const wanted = readPage('audit.keys', parseQuery(context, PageQuery))
      const keys = auditFor(caller, surface).publicKeys?.()
      if (keys === undefined) throw unavailable('verified')
      return pageView(
        'audit.keys',
        pageOf(keys, wanted, ({ key_id }) => key_id),
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/audit/retention',
    command: 'audit.retention',
    summary:
      'Returns after how many days what is stored about calls is removed. Audit records stay as long as the tenant.',
    returns: {
      schema: () => RetentionSchema,
      example: { calls: 30, traces: 7, figures: 31 },
    },
    handle(_, caller, surface) {
      const { retention } = auditFor(caller, surface)
      if (retention === undefined) throw unavailable('pruned')
      return retention
    },
  },
  {
    method: 'GET',
    path: '/v1/audit/records/:id/proof',
    command: 'audit.prove',
    summary:
      'Proves that a record is in the tree under a signed head. A record of the last seconds may have no head yet.',
    returns: {
      schema: () => AuditProofSchema,
      example: {
        record: { text: '{"position":4,…}', leaf: HASH, payload: { principal: 'ann' } },
        position: 4,
        path: [HASH],
        head: {
          tenant: 'home',
          size: 6,
          root: HASH,
          signed_at: 1_794_823_200_000,
          key_id: '3f1c9b2e',
          signature: 'eZ0…',
        },
      },
    },
    handle(context, caller, surface) {
      const proof = auditFor(caller, surface).prove?.(caller.tenant, context.req.param('id') ?? '')
      if (proof === undefined) throw unavailable('proven')
      return proof
    },
  },
  {
    method: 'POST',
    path: '/v1/audit/verify',
    command: 'audit.verify',
    summary: 'Checks whether the stored audit was tampered with.',
    returns: {
      schema: () => z.object({ verdict: AuditVerdict }),
      example: {
        verdict: {
          kind: 'intact',
          tenant: 'home',
          size: 4_711,
          signedSize: 4_711,
          anchoredSize: 4_096,
          erasures: 0,
        },
      },
    },
    async handle(_, caller, surface) {
      const verdict = auditFor(caller, surface).verify?.(caller.tenant)
      if (verdict === undefined) throw unavailable('verified')
      return { verdict: await verdict }
    },
  },
]

// Inputs and keys are found in traces, which are stored for so long.
const TRACED_MS = 7 * 24 * 3_600_000

type Wanted = Omit<z.output<typeof Filter>, 'limit' | 'cursor'>

function toAuditFilter(
  { call_id, tool, since, until, ...others }: Wanted,
  now: number,
): Omit<AuditFilter, 'tenant'> {
  const isTraced = others.text !== undefined || others.key !== undefined
  const from = since === undefined ? undefined : Date.parse(since)
  const oldest = isTraced ? Math.max(from ?? 0, now - TRACED_MS) : from
  return {
    ...others,
    ...(call_id === undefined ? {} : { callId: call_id }),
    ...(tool === undefined ? {} : { toolName: tool }),
    ...(oldest === undefined ? {} : { since: oldest }),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
  }
}

// A line for each write would take most of the time of an export.
const CHARACTERS_A_PART = 65_536

async function* encodeLines(lines: AsyncIterable<string>, pace: Pace): AsyncGenerator<Uint8Array> {
  let part = ''
  for await (const line of lines) {
    part += `${line}\n`
    // The lines of a page come without a pause of their own.
    await pace()
    if (part.length < CHARACTERS_A_PART) continue
    yield Buffer.from(part)
    part = ''
  }
  yield Buffer.from(part)
}

const A_TURN = 500

/** The outcomes since a time, the newest first; not complete where there are too many. */
export async function readOutcomes(
  context: HttpContext,
  caller: Caller,
  surface: Surface,
  { since, most }: { readonly since: number; readonly most: number },
): Promise<{ readonly records: readonly AuditRecord[]; readonly complete: boolean }> {
  const audit = auditFor(caller, surface)
  const pace = paceListing(context, caller, surface)
  const filter = { tenant: caller.tenant, phase: 'outcome', since, limit: A_TURN } as const
  const records: AuditRecord[] = []
  for (;;) {
    await pace()
    const before = records.at(-1)
    const page = await audit.list({ ...filter, ...(before === undefined ? {} : { before }) })
    records.push(...page.toReversed())
    if (page.length < A_TURN) return { records, complete: true }
    if (records.length >= most) return { records, complete: false }
  }
}

export function auditFor(caller: Caller, { audit }: Surface): HttpAudit {
  if (!isAdministrator(caller))
    throw new ToolError('TOOL_ROLE_NOT_AUTHORIZED', 'Only administrators may read the audit.')
  if (audit === undefined) throw unavailable('read')
  return audit
}

function unavailable(action: string): ToolError {
  return new ToolError(
    'TOOL_TEMPORARILY_DISABLED',
    `The audit cannot be ${action} on this server: its store does not offer it.`,
  )
}
