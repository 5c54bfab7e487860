import type { Caller } from '@surehand/core'
import type { Row, SqlValue } from '@surehand/core/internal'
import type {
  BootTime,
  CallRow,
  CallState,
  KeyScope,
  NewCall,
  StartedEffect,
  StoredAnswer,
} from '@surehand/core/ports'
import type { Sql, Statement } from '../step.ts'

const TEXT = 'text'
const NUMBER = 'bigint'

/** The values a call brings along, by column, with their types. */
export const GIVEN = {
  call_id: [TEXT, (call) => call.callId],
  tenant: [TEXT, (call) => call.tenant],
  principal: [TEXT, (call) => call.principal],
  tool_id: [TEXT, (call) => call.toolId],
  key: [TEXT, (call) => call.key],
  key_source: [TEXT, (call): string => call.keySource],
  tool_version: [TEXT, (call) => call.toolVersion],
  definition_hash: [TEXT, (call) => call.definitionHash],
  input_hash: [TEXT, (call) => call.inputHash],
  input: [TEXT, (call) => call.input],
  provider_key: [TEXT, (call) => call.providerKey],
  scopes: [TEXT, (call) => JSON.stringify(call.scopes)],
  irreversible: [NUMBER, (call) => Number(call.irreversible)],
  is_secret: [NUMBER, (call) => Number(call.isSecret)],
  caller: [TEXT, (call) => JSON.stringify(call.caller)],
  surface: [TEXT, (call) => call.surface],
  request_id: [TEXT, (call) => call.requestId],
  parent_id: [TEXT, (call) => call.parentId ?? null],
  notify: [TEXT, (call) => call.notify ?? null],
} as const satisfies Record<string, readonly [string, (call: NewCall) => SqlValue]>

const GIVEN_COLUMNS = Object.keys(GIVEN)
const GIVEN_CASTS = Object.values(GIVEN).map(([type]) => `cast(? as ${type})`)

/** The values a call brings along as a flat array, which can be sent to another thread cheaply. */
export type Given = readonly SqlValue[]

const GIVEN_VALUES = Object.values(GIVEN).map(([, value]) => value)
const GIVEN_PLACES: ReadonlyMap<string, number> = new Map(
  GIVEN_COLUMNS.map((column, place) => [column, place]),
)

export function givenValues(call: NewCall): Given {
  return GIVEN_VALUES.map((value) => value(call))
}

/** One of the values a call brought along. */
export function givenValue(given: Given, column: keyof typeof GIVEN): SqlValue {
  return given[GIVEN_PLACES.get(column) ?? -1] ?? null
}

/** The call that brought these values along. */
export function givenCall(given: Given): NewCall {
  return toNewCall(
    Object.fromEntries(GIVEN_COLUMNS.map((column, place) => [column, given[place] ?? null])),
  )
}

const COLUMNS = `${GIVEN_COLUMNS.join(', ')}, state, fence, lease_until, lease_boot, lease_ticks, deaths, approval_id,
  effect_port, effect_method, effect_args_hash, effect_started_at, effect_last_started_at, effect_boot, effect_ticks, effect_last_ticks, answer, to_stop, spent_ms, created_at, updated_at, {now} as read_at`

export const SELECT_CALL = `select ${COLUMNS} from calls`
export const RETURNING_CALL = `returning ${COLUMNS}`

/** The fence of a key that was unused before. */
export const FIRST_FENCE = 1

export type RowStart = {
  readonly state: Extract<CallState, 'waiting' | 'queued' | 'claimed'>
  readonly fence: number
  readonly leaseMs: number | undefined
  readonly at?: BootTime | undefined
  readonly approvalId: string | undefined
  /** Unless an equal call of the last time has an unknown outcome. */
  readonly guardMs?: number | undefined
}

// An insert whose key is in use, or whose administration version is outdated, inserts nothing and
// returns nothing.
export const INSERT_CALL: string = `insert into calls (${GIVEN_COLUMNS.join(', ')}, holds_key, state, fence, lease_until, lease_boot, lease_ticks, approval_id, created_at, updated_at)
  select ${GIVEN_CASTS.join(', ')}, 1, cast(? as text), cast(? as bigint), {now} + cast(? as bigint), cast(? as text), cast(? as bigint), cast(? as text), {now}, {now}
  where (cast(? as bigint) is null or cast(? as bigint) = coalesce((select version from admin_versions where tenant = cast(? as text)), 0))
  {take} on conflict do nothing returning lease_until, created_at`

const INSERT_GUARDED = INSERT_CALL.replace(
  '{take}',
  `and not exists (select 1 from calls earlier where earlier.state = 'unknown' and earlier.tenant = ? and earlier.principal = ?
    and earlier.tool_id = ? and earlier.input_hash = ? and earlier.created_at > (select {now}) - cast(? as bigint)) {take}`,
)
const COMPARED = ['tenant', 'principal', 'tool_id', 'input_hash'] as const

/**
 * Creates the row of a call if its key is free and the administration has not changed; otherwise
 * returns undefined.
 */
export async function insertCall(
  sql: Sql,
  call: NewCall,
  start: RowStart,
  adminVersion?: number,
): Promise<CallRow | undefined> {
  const times = await insertGiven(sql, givenValues(call), { ...start, adminVersion })
  if (times === undefined) return undefined
  return {
    ...call,
    state: start.state,
    fence: start.fence,
    leaseUntil: optionalNumber(times.lease_until),
    leaseBoot: start.at && { boot: start.at.boot, ticks: start.at.ticks + (start.leaseMs ?? 0) },
    deaths: 0,
    approvalId: start.approvalId,
    effect: undefined,
    answer: undefined,
    isToStop: false,
    spentMs: 0,
    createdAt: Number(times.created_at),
    updatedAt: Number(times.created_at),
    readAt: Number(times.created_at),
  }
}

/** The same, but returns only the times of the created row. */
export function insertGiven(
  sql: Sql,
  given: Given,
  start: RowStart & { readonly adminVersion: number | undefined },
): Promise<Row | undefined> {
  const { state, fence, leaseMs = null, approvalId = null, adminVersion = null } = start
  const [boot, ticks] = leaseBoot(start.at, start.leaseMs)
  const { guardMs } = start
  const guard =
    guardMs === undefined ? [] : [...COMPARED.map((column) => givenValue(given, column)), guardMs]
  return sql.get(
    guardMs === undefined ? INSERT_CALL : INSERT_GUARDED,
    ...given,
    state,
    fence,
    leaseMs,
    boot,
    ticks,
    approvalId,
    adminVersion,
    adminVersion,
    givenValue(given, 'tenant'),
    ...guard,
  )
}

/** When a lease that begins at this moment of a machine's monotonic clock ends: boot and ticks. */
export function leaseBoot(
  at: BootTime | undefined,
  leaseMs = 0,
): readonly [boot: string | null, ticks: number | null] {
  return at === undefined ? [null, null] : [at.boot, Math.round(at.ticks + leaseMs)]
}

/** The columns of a call that was done in the transaction that claimed it. */
export const DONE_COLUMNS: readonly string[] = [
  ...GIVEN_COLUMNS,
  'holds_key',
  'state',
  'fence',
  'answer',
  'created_at',
  'updated_at',
]

const INPUT = GIVEN_COLUMNS.indexOf('input')

/**
 * The values that a first claim and its end leave, without the input, which is not needed any more.
 */
export function doneValues(given: Given, answer: string, now: number): SqlValue[] {
  const values = [...given, 1, 'succeeded', FIRST_FENCE, answer, now, now]
  values[INPUT] = ''
  return values
}

/**
 * Writes an edited call over the row of the original one. The key, its origin, the parent and the
 * requested notice stay.
 */
export function rewriteCall(call: NewCall, approvalId: string): Statement {
  const kept = new Set(['call_id', 'tenant', 'key_source', 'parent_id', 'notify'])
  const columns = Object.entries(GIVEN).filter(([column]) => !kept.has(column))
  return {
    text: `update calls set ${columns.map(([column]) => `${column} = ?`).join(', ')}, approval_id = ?, updated_at = {now} where call_id = ? and tenant = ?`,
    values: [...columns.map(([, [, value]]) => value(call)), approvalId, call.callId, call.tenant],
  }
}

export async function byCall(
  sql: Sql,
  tenant: string,
  callId: string,
  lock: '' | '{lock}' = '',
): Promise<CallRow | undefined> {
  return callRow(
    await sql.get(`${SELECT_CALL} where call_id = ? and tenant = ? ${lock}`, callId, tenant),
  )
}

const BY_KEY = `${SELECT_CALL} where tenant = ? and principal = ? and tool_id = ? and key = ? and holds_key = 1`

export async function byKey(
  sql: Sql,
  scope: KeyScope,
  lock: '' | '{lock}' = '',
): Promise<CallRow | undefined> {
  return callRow(
    await sql.get(`${BY_KEY} ${lock}`, scope.tenant, scope.principal, scope.toolId, scope.key),
  )
}

export function callRow(row: Row | undefined): CallRow | undefined {
  return row === undefined ? undefined : toCallRow(row)
}

// erased: every row was written by the statements of this folder
function toNewCall(row: Row): NewCall {
  return {
    callId: String(row.call_id),
    tenant: String(row.tenant),
    principal: String(row.principal),
    toolId: String(row.tool_id),
    key: String(row.key),
    keySource: row.key_source as CallRow['keySource'],
    toolVersion: String(row.tool_version),
    definitionHash: String(row.definition_hash),
    inputHash: String(row.input_hash),
    input: String(row.input),
    providerKey: String(row.provider_key),
    scopes: JSON.parse(String(row.scopes)) as CallRow['scopes'],
    irreversible: row.irreversible === 1,
    isSecret: row.is_secret === 1,
    caller: JSON.parse(String(row.caller)) as Caller,
    surface: String(row.surface),
    requestId: String(row.request_id),
    parentId: optionalText(row.parent_id),
    notify: optionalText(row.notify),
  }
}

export function toCallRow(row: Row): CallRow {
  return {
    ...toNewCall(row),
    state: row.state as CallState,
    fence: Number(row.fence),
    leaseUntil: optionalNumber(row.lease_until),
    leaseBoot:
      row.lease_boot === null
        ? undefined
        : { boot: String(row.lease_boot), ticks: Number(row.lease_ticks) },
    deaths: optionalNumber(row.deaths) ?? 0,
    approvalId: optionalText(row.approval_id),
    effect: effectOf(row),
    answer: row.answer === null ? undefined : (JSON.parse(String(row.answer)) as StoredAnswer),
    isToStop: row.to_stop !== null,
    spentMs: optionalNumber(row.spent_ms) ?? 0,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    readAt: Number(row.read_at),
  }
}

function effectOf(row: Row): StartedEffect | undefined {
  if (row.effect_started_at === null) return undefined
  return {
    port: String(row.effect_port),
    method: String(row.effect_method),
    argsHash: String(row.effect_args_hash),
    startedAt: Number(row.effect_started_at),
    lastStartedAt: Number(row.effect_last_started_at),
    bootTimes:
      row.effect_boot === null
        ? undefined
        : {
            boot: String(row.effect_boot),
            startedTicks: optionalNumber(row.effect_ticks),
            lastStartedTicks: Number(row.effect_last_ticks),
          },
  }
}

function optionalNumber(value: Row[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

function optionalText(value: Row[string] | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value)
}
