import type { Caller } from '@surehand/core'
import {
  type ChangedRights,
  createWhatIf,
  type JudgedCall,
  policyForm,
  type WhatIfVerdict,
} from '@surehand/core/internal'
import type { AuditRecord } from '@surehand/core/ports'
import { WhatIfSchema } from '@surehand/edge/api'
import { PrincipalRecord } from '@surehand/identity'
import { z } from 'zod'
import type { Surface } from '../options.ts'
import { parseAs, readJson } from '../parse-request.ts'
import type { Route } from '../route.ts'
import { auditFor, readOutcomes } from './audit.ts'
import { callerOf } from './tool-details.ts'

const DAY_MS = 86_400_000
// One to three seconds' work, in turns with other requests.
const MOST_RECORDS = 50_000
const MOST_GROUPS = 100
const MOST_EXAMPLES = 20

const Change = z.strictObject({
  days: z.int().min(1).max(90).default(7),
  policy: z.lazy(() => policyForm().nullable()).exactOptional(),
  principals: z
    .record(z.string().min(1).max(128), PrincipalRecord)
    .exactOptional()
    .describe('Principals as they would be.'),
})

type Report = z.output<typeof WhatIfSchema>

/** What a change would have made of the calls that were made. Nothing is changed by it. */
export const whatIfRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/what-if',
    command: 'policy.whatIf',
    summary:
      'Replays a change of the policy or of principals over the calls of the last days, without making it. For administrators.',
    body: {
      schema: () => Change,
      example: { days: 7, policy: { disabledTools: ['mail.*'] } },
    },
    returns: {
      schema: () => WhatIfSchema,
      example: {
        days: 7,
        calls: 1_204,
        complete: true,
        since: '2026-11-10T09:00:00.000Z',
        verdicts: { unchanged: 1_159, refused: 14, unknown: 31 },
        groups: [
          {
            verdict: 'refused',
            reason: 'mail.bulk would be switched off.',
            tool: 'mail.bulk',
            principal: 'ann',
            actor: 'ai_agent',
            calls: 9,
          },
        ],
        examples: [
          {
            verdict: 'refused',
            reason: 'mail.bulk would be switched off.',
            call_id: 'call_01jd3k8m2nq4r5s6t7v8w9x0ya',
            tool: 'mail.bulk',
            principal: 'ann',
            at: '2026-11-16T09:00:00.000Z',
          },
        ],
      },
    },
    async handle(context, caller, surface) {
      auditFor(caller, surface)
      const { days, policy, principals = {} } = parseAs(Change, await readJson(context, surface))
      const { runtime } = surface
      await runtime.ready(caller.tenant)
      const before = runtime.registry.policyOf(caller.tenant)
      const after =
        policy === undefined ? before : policy === null ? undefined : { ...policy, version: 0 }
      const judge = createWhatIf(
        { before, after, principals: await changedRights(caller, principals, surface) },
        { find: runtime.registry.of(caller.tenant).find, scheme: runtime.registry.scheme },
      )
      const since = surface.clock.now() - days * DAY_MS
      const wanted = { since, most: MOST_RECORDS }
      const { records, complete } = await readOutcomes(context, caller, surface, wanted)
      return { days, complete, ...summarize(firstOfCalls(records), judge) }
    },
  },
]

async function changedRights(
  caller: Caller,
  changed: Readonly<Record<string, PrincipalRecord>>,
  surface: Surface,
): Promise<ReadonlyMap<string, ChangedRights>> {
  const ids = Object.keys(changed)
  if (ids.length === 0) return new Map()
  const toRights = (id: string, record: PrincipalRecord | undefined) =>
    record === undefined || record.disabled ? undefined : callerOf(caller.tenant, id, record)
  const { administration } = surface.runtime
  const found = await Promise.all(ids.map((id) => administration.get(caller, 'principal', id)))
  return new Map(
    ids.map((id, index) => [
      id,
      { before: toRights(id, readRecord(found[index])), after: toRights(id, changed[id]) },
    ]),
  )
}

function readRecord(item: { readonly value: string } | undefined): PrincipalRecord | undefined {
  return item === undefined ? undefined : PrincipalRecord.parse(JSON.parse(item.value))
}

/** A call that waited has several; its first one says when it was made. */
function firstOfCalls(newestFirst: readonly AuditRecord[]): readonly AuditRecord[] {
  const first = new Map(newestFirst.map((record) => [record.call_id, record]))
  return [...first.values()].sort((one, other) => one.created_at - other.created_at)
}

function summarize(
  records: readonly AuditRecord[],
  judge: (record: AuditRecord) => JudgedCall,
): Omit<Report, 'days' | 'complete'> {
  const verdicts: Partial<Record<WhatIfVerdict, number>> = {}
  const groups = new Map<string, Report['groups'][number]>()
  const examples: Report['examples'] = []
  for (const record of records) {
    const { verdict, reason } = judge(record)
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
    if (verdict === 'unchanged') continue
    const { call_id, tool_name: tool, principal, actor } = record
    const key = JSON.stringify([verdict, reason, tool, principal, actor])
    const group = groups.get(key) ?? { verdict, reason, tool, principal, actor, calls: 0 }
    groups.set(key, { ...group, calls: group.calls + 1 })
    if (examples.length < MOST_EXAMPLES && verdict !== 'unknown') {
      const at = new Date(record.created_at).toISOString()
      examples.push({ verdict, reason, call_id, tool, principal, at })
    }
  }
  const [oldest] = records
  return {
    calls: records.length,
    ...(oldest === undefined ? {} : { since: new Date(oldest.created_at).toISOString() }),
    verdicts,
    groups: [...groups.values()]
      .sort((one, other) => other.calls - one.calls)
      .slice(0, MOST_GROUPS),
    examples,
  }
}
