import type { DatabaseSync } from 'node:sqlite'
import type { Dice } from './dice.ts'
import { recordsOf, type StoredRecord } from './intruder.ts'
import type { Scene, Tenant } from './scene.ts'

/** Where the intruder tampers. */
export type Place = {
  readonly raw: DatabaseSync
  readonly dice: Dice
  readonly scene: Scene
  readonly tenant: Tenant
  readonly anchored: number
}
/** Records under an anchored head. */
export function listCovered({ raw, tenant, anchored }: Place): StoredRecord[] {
  return recordsOf(raw, tenant).slice(0, anchored)
}
