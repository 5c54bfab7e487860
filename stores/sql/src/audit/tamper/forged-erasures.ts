import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { createAuditKey } from '../audit-key.ts'
import { sealErasure } from '../erasure-seal.ts'
import type { SignedHead } from '../signed-head.ts'
import { erasedPlaces } from '../tombstone.ts'
import { freeNumber, insert, type StoredRecord, setColumn } from './intruder.ts'
import { listCovered, type Place } from './place.ts'

type Stone = Readonly<Record<string, SQLInputValue>>

/** Empties a record as an erasure would. */
export function emptyRecord(
  raw: DatabaseSync,
  number: number,
  erasure: { readonly id: string; readonly at: number },
): void {
  for (const column of ['principal', 'error', 'input_hash', 'output_hash', 'salt'])
    setColumn(raw, number, column, '')
  setColumn(raw, number, 'erased_at', erasure.at)
  setColumn(raw, number, 'erasure', erasure.id)
}

/**
 * Writes a tombstone down that says just what is emptied then, and lets the honest house place,
 * sign and anchor it.
 */
export async function forgeErasure(place: Place): Promise<readonly SignedHead[]> {
  const { raw, dice, tenant, scene } = place
  const victims = victimsOf(place)
  const erasure = {
    tenant,
    id: 'aud_forged',
    at: dice.between(5, 1_800_000_000),
    outcome: outcomeOf(victims),
  }
  const own = createAuditKey()
  const seal = dice.pick([
    '',
    'aud_forged',
    ':',
    sealErasure(erasure, own),
    // A key of the intruder under a trusted name.
    sealErasure(erasure, { ...own, id: scene.trust.publicKeys[0]?.id ?? '' }),
    ...sealsOf(raw),
  ])
  insert(raw, 'audit_records', {
    ...blankStone(place),
    ...rowOf(erasure),
    call_id: erasure.id,
    request_id: seal,
    number: freeNumber(raw),
  })
  const heads = await scene.goOn()
  for (const { number } of victims) emptyRecord(raw, number, erasure)
  return heads
}

/**
 * Takes a tombstone that was rightly sealed, of this tenant or the other, and empties other records
 * in its name.
 */
export async function replayErasure(place: Place): Promise<readonly SignedHead[]> {
  const { raw, dice, tenant, scene } = place
  const stones = stonesOf(raw)
  if (stones.length === 0) return []
  const stone = dice.pick(stones)
  const victims = victimsOf(place)
  const { position: _, salt: _salt, leaf: _leaf, ...copied } = stone
  // Unchanged, with other positions, or under another name.
  const changed = dice.pick([
    {},
    { outcome: outcomeOf(victims) },
    { id: 'aud_replayed', outcome: outcomeOf(victims) },
  ])
  const copy: Stone = {
    ...copied,
    number: freeNumber(raw),
    tenant,
    principal: 'root',
    erased_at: null,
    erasure: null,
    ...changed,
  }
  insert(raw, 'audit_records', copy)
  const heads = await scene.goOn()
  for (const { number } of victims)
    emptyRecord(raw, number, { id: String(copy.id), at: Number(copy.created_at) })
  return heads
}

function victimsOf(place: Place): readonly StoredRecord[] {
  const full = listCovered(place).filter(({ erasure }) => erasure === null)
  const from = place.dice.below(full.length)
  return full.slice(from, from + place.dice.between(1, 3))
}

function outcomeOf(records: readonly StoredRecord[]): string {
  const places = erasedPlaces()
  for (const { position } of records) places.add(position)
  return places.outcome()
}

// a call to a tool of that name, which anybody may try, is no tombstone
function stonesOf(raw: DatabaseSync): readonly Stone[] {
  return raw
    .prepare("select * from audit_records where tool_name = 'audit.erase' and phase = 'change'")
    .all() as Stone[]
}

function sealsOf(raw: DatabaseSync): readonly string[] {
  return stonesOf(raw).map(({ request_id }) => String(request_id))
}

function rowOf({
  id,
  tenant,
  at,
  outcome,
}: {
  readonly id: string
  readonly tenant: string
  readonly at: number
  readonly outcome: string
}) {
  return {
    id,
    tenant,
    outcome,
    created_at: at,
    phase: 'change',
    tool_name: 'audit.erase',
    principal: 'root',
  }
}

function blankStone({ raw }: Place): Stone {
  const texts = [
    'actor',
    'surface',
    'tool_version',
    'definition_hash',
    'input_hash',
    'output_hash',
    'code',
    'error',
    'source',
  ]
  return {
    ...Object.fromEntries(texts.map((column) => [column, ''])),
    success: 1,
    duration_ms: 0,
    number: freeNumber(raw),
  }
}
