import type { AuditRecord, CallTrace } from '../../../core/src/ports.ts'
import { appendRecords } from '../../../stores/sql/src/audit/append-records.ts'
import { packRecords } from '../../../stores/sql/src/audit/packed-records.ts'
import { olderValues, recordValues } from '../../../stores/sql/src/audit/record-row.ts'
import { appendTraces, traceValues } from '../../../stores/sql/src/calls/traces.ts'
import type { SqlStores } from '../../../stores/sql/src/index.ts'

const WEEK_MS = 7 * 86_400_000
const AT_ONCE = 1_000
const TOOLS = ['shop.price', 'shop.orders', 'shop.buy', 'shop.gift']
const PEOPLE = ['ann', 'bob', 'cleo', 'dan']
const STAGES = 'resolve validate authorize replay recall admit approve defer perform'.split(' ')

/**
 * Writes a week of calls, the oldest first, with their traces; returns the id of a call with a
 * trace. Waits until all of them have their place in the audit and are counted.
 */
export async function seedWeek(stores: SqlStores, tenant: string, calls: number): Promise<string> {
  for (let from = 0; from < calls; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, calls - from) }, (_, at) => from + at)
    const records = numbers.map((number) =>
      olderValues(recordValues(toRecord(number, tenant)), WEEK_MS * (1 - (number + 1) / calls)),
    )
    await stores.database.step(appendRecords, {
      packed: [{ text: packRecords(records), waitedMs: 0 }],
      sealKey: undefined,
      storedAs: 'segments',
    })
    await stores.database.step(
      appendTraces,
      numbers.map((number) => traceValues(toTrace(number, tenant))),
    )
  }
  const waiting = 'select count(*) as n from audit_records where position is null'
  while (Number((await stores.database.query(waiting, []))[0]?.n) > 0)
    await new Promise((resolve) => setTimeout(resolve, 500))
  return toRecord(calls - 7, tenant).call_id
}

function toRecord(number: number, tenant: string): AuditRecord {
  const isFailure = number % 13 === 0
  const isUnknown = number % 4_001 === 0
  const id = String(number).padStart(26, '0')
  return {
    id: `aud_${id}`,
    phase: 'outcome',
    call_id: `call_${id}`,
    request_id: `call_${id}`,
    tenant,
    // One in the whole week, near its beginning.
    principal: number === 500 ? 'zoe' : (PEOPLE[number % 4] ?? ''),
    actor: number % 3 === 0 ? 'ai_agent' : 'user',
    surface: 'http',
    tool_name: number === 600 ? 'shop.rare' : (TOOLS[number % TOOLS.length] ?? ''),
    tool_version: '1.0.0',
    definition_hash: 'd'.repeat(64),
    input_hash: 'a'.repeat(64),
    output_hash: isFailure ? '' : 'b'.repeat(64),
    success: !isFailure && !isUnknown,
    outcome: isUnknown ? 'unknown' : isFailure ? 'failed' : 'done',
    code: isUnknown ? 'TOOL_OUTCOME_UNKNOWN' : isFailure ? 'TOOL_RESOURCE_NOT_FOUND' : '',
    error: isFailure ? 'There is no such product. Search for it first.' : '',
    duration_ms: 2 + (number % 97) ** 1.5,
    source: 'executed',
    created_at: 0,
  }
}

function toTrace(number: number, tenant: string): CallTrace {
  const { call_id, principal, tool_name, outcome, duration_ms } = toRecord(number, tenant)
  const note = number === 700 ? 'a needle' : `order ${number} for the party on Friday`
  return {
    ...{ call_id, tenant, principal, tool_name, outcome, duration_ms },
    key: number % 2 === 0 ? '' : `key-${number}`,
    input: JSON.stringify({ productId: `p-${number % 500}`, quantity: number % 9, note }),
    started_at: Date.now(),
    stages: STAGES.map((stage, at) => ({
      ...{ stage, at_ms: at, duration_ms: stage === 'perform' ? duration_ms : 0.2 },
      outcome: stage === 'perform' ? 'answered' : 'passed',
    })),
    attempts: [{ at_ms: 8, duration_ms, code: '', reason: '' }],
    requests: [{ at_ms: 9, duration_ms, port: 'shop', method: 'find', code: '' }],
  }
}
