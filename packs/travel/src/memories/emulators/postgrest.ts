import type { EffectLog, EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'

/**
 * PostgREST over the table travel_memories, as Supabase serves it: filters `eq.`, `order`, `limit`,
 * `offset`, `select`, `on_conflict`, and the Prefer header. Anything else is refused, as PostgREST
 * refuses what it cannot parse.
 */
export const routes: readonly EmulatorRoute[] = [
  { method: 'GET', path: '/rest/v1/travel_memories', handle: requireToken(readRows) },
  { method: 'POST', path: '/rest/v1/travel_memories', handle: requireToken(insertRows) },
  { method: 'DELETE', path: '/rest/v1/travel_memories', handle: requireToken(deleteRows) },
]

type Row = Readonly<Record<string, string | null>>
type RowEffect =
  | { readonly kind: 'insert'; readonly rows: readonly Row[] }
  | { readonly kind: 'delete'; readonly keys: readonly string[] }

const COLUMNS = [
  'tenant',
  'user_id',
  'id',
  'content',
  'category',
  'session_id',
  'embedding_model',
  'embedding',
  'created_at',
]
const PARAMETERS = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns'])

type Handle = EmulatorRoute['handle']

function requireToken(handle: Handle): Handle {
  return (request, log) =>
    /^Bearer .+/.test(request.headers.authorization ?? '') && request.headers.apikey !== undefined
      ? handle(request, log)
      : { status: 401, body: { message: 'No API key found in request' } }
}

function refuse(status: number, code: string, message: string): EmulatorReply {
  return { status, body: { code, details: null, hint: null, message } }
}

const keyOf = (row: Row): string => JSON.stringify([row.tenant, row.user_id, row.id])

function rowsIn(log: EffectLog): readonly Row[] {
  const rows = new Map<string, Row>()
  for (const { effect } of log.effects()) {
    const change = effect as RowEffect
    if (change.kind === 'insert') for (const row of change.rows) rows.set(keyOf(row), row)
    else for (const key of change.keys) rows.delete(key)
  }
  return [...rows.values()]
}

/** The rows that the filters of a query match, or the problem with a filter. */
function selectRows(query: URLSearchParams, log: EffectLog): readonly Row[] | EmulatorReply {
  let rows = rowsIn(log)
  for (const [name, condition] of query) {
    if (PARAMETERS.has(name)) continue
    if (!COLUMNS.includes(name))
      return refuse(400, '42703', `column travel_memories.${name} does not exist`)
    const wanted = /^eq\.(.*)$/s.exec(condition)?.[1]
    if (wanted === undefined)
      return refuse(400, 'PGRST100', `"failed to parse filter (${condition})" (line 1, column 1)`)
    rows = rows.filter((row) => row[name] === wanted)
  }
  return rows
}

function sortRows(rows: readonly Row[], order: string | null): readonly Row[] {
  const keys = (order ?? '').split(',').filter((key) => key !== '')
  return rows.toSorted((left, right) => {
    for (const key of keys) {
      const [column = '', direction = 'asc'] = key.split('.')
      const [one, other] = [left[column] ?? '', right[column] ?? '']
      if (one !== other) return one < other === (direction === 'asc') ? -1 : 1
    }
    return 0
  })
}

function project(row: Row, select: string | null): Row {
  if (select === null || select === '*') return row
  return Object.fromEntries(select.split(',').map((column) => [column, row[column] ?? null]))
}

function isReply(value: readonly Row[] | EmulatorReply): value is EmulatorReply {
  return !Array.isArray(value)
}

function readRows({ query }: EmulatorRequest, log: EffectLog): EmulatorReply {
  const found = selectRows(query, log)
  if (isReply(found)) return found
  const start = Number(query.get('offset') ?? 0)
  const end = start + Number(query.get('limit') ?? 1_000)
  const rows = sortRows(found, query.get('order')).slice(start, end)
  return { body: rows.map((row) => project(row, query.get('select'))) }
}

function insertRows(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const given = request.json() as Row | readonly Row[]
  const wanted = (Array.isArray(given) ? given : [given]) as readonly Row[]
  const unknown = wanted.flatMap(Object.keys).find((column) => !COLUMNS.includes(column))
  if (unknown !== undefined)
    return refuse(
      400,
      'PGRST204',
      `Could not find the '${unknown}' column of 'travel_memories' in the schema cache`,
    )
  const prefer = request.headers.prefer ?? ''
  const known = new Set(rowsIn(log).map(keyOf))
  const conflicts = wanted.some((row) => known.has(keyOf(row)))
  if (conflicts && !/resolution=(?:ignore|merge)-duplicates/.test(prefer))
    return refuse(
      409,
      '23505',
      'duplicate key value violates unique constraint "travel_memories_pkey"',
    )
  const ignores = prefer.includes('ignore-duplicates')
  const rows = wanted.filter((row) => !ignores || !known.has(keyOf(row)))
  return {
    status: 201,
    ...represent(prefer, rows, request.query),
    ...(rows.length === 0 ? {} : { effect: { kind: 'insert', rows } }),
  }
}

function deleteRows(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const found = selectRows(request.query, log)
  if (isReply(found)) return found
  const prefer = request.headers.prefer ?? ''
  return {
    status: prefer.includes('return=representation') ? 200 : 204,
    ...represent(prefer, found, request.query),
    ...(found.length === 0 ? {} : { effect: { kind: 'delete', keys: found.map(keyOf) } }),
  }
}

function represent(prefer: string, rows: readonly Row[], query: URLSearchParams): EmulatorReply {
  return prefer.includes('return=representation')
    ? { body: rows.map((row) => project(row, query.get('select'))) }
    : {}
}
