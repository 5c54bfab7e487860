import type { AuditRecord } from '@surehand/core/ports'
import { appendRecords } from '../append-records.ts'
import { type AuditKey, createAuditKey, publicKeyOf } from '../audit-key.ts'
import { eraseStep } from '../erase.ts'
import { sampleRecord } from '../fixtures/sample-record.ts'
import { type OpenDatabase, openInMemory } from '../fixtures/sqlite-database.ts'
import { auditSequencer } from '../sequencer.ts'
import type { SignedHead } from '../signed-head.ts'
import type { Trust } from '../verifier.ts'
import type { Dice } from './dice.ts'
import { type Backup, takeBackup } from './intruder.ts'
import { recordBatch } from '../fixtures/record-batch.ts'

export const TENANTS = ['acme', 'globex'] as const
export type Tenant = (typeof TENANTS)[number]

/** An app with two tenants that has been running for a while. */
export type Scene = {
  readonly database: OpenDatabase
  readonly trust: Trust
  readonly anchored: Readonly<Record<Tenant, number>>
  /** A backup from before some of the anchored heads. */
  readonly backup: Backup
  /**
   * Lets the app continue: it sequences the records it finds, signs, and returns the heads it
   * anchored.
   */
  readonly goOn: () => Promise<readonly SignedHead[]>
}

const NAMES = ['ann', 'ben', 'chloé', 'd"e\\n', '李']
const ERRORS = ['', '', 'No lamp.', 'Line\nbreak and "quotes"', 'é \u2028']

export async function openScene(dice: Dice): Promise<Scene> {
  const database = openInMemory()
  const anchors: SignedHead[] = []
  const keys = [createAuditKey(), createAuditKey()] as const
  let number = 0
  const write = (tenant: Tenant, count: number) =>
    database.step(
      appendRecords,
      recordBatch(Array.from({ length: count }, () => madeUp(dice, tenant, number++))),
    )

  async function round(key: AuditKey): Promise<void> {
    for (const tenant of TENANTS) await write(tenant, dice.between(1, 9))
    if (dice.below(4) === 0) await erase({ database, dice, key }, `aud_erase_${number}`)
    await sequence(database, {
      key,
      batchSize: dice.between(1, 12),
      keep: (head) => anchors.push(head),
    })
  }

  for (let rounds = dice.between(1, 3); rounds > 0; rounds--) await round(keys[0])
  const backup = takeBackup(database.raw)
  for (let rounds = dice.between(1, 3); rounds > 0; rounds--) await round(keys[1])
  // Erased between the backup and now: the backup still contains the person.
  if (dice.below(3) === 0) await erase({ database, dice, key: keys[1] }, 'aud_erase_last')
  await sequence(database, { key: keys[1], batchSize: 100, keep: (head) => anchors.push(head) })
  const anchored = { acme: newest(anchors, 'acme'), globex: newest(anchors, 'globex') }
  // Records without an anchor are not protected, and must not disturb the verification.
  for (const tenant of TENANTS) await write(tenant, dice.below(4))
  await sequence(database, { key: keys[1], batchSize: 100, keep: () => undefined })
  for (const tenant of TENANTS) await write(tenant, dice.below(3))
  async function goOn(): Promise<readonly SignedHead[]> {
    const heads: SignedHead[] = []
    await sequence(database, { key: keys[1], batchSize: 100, keep: (head) => heads.push(head) })
    return heads
  }
  return { database, trust: { publicKeys: keys.map(publicKeyOf), anchors }, anchored, backup, goOn }
}

function newest(anchors: readonly SignedHead[], tenant: Tenant): number {
  return Math.max(...anchors.filter((head) => head.tenant === tenant).map(({ size }) => size))
}

type Sequencing = {
  readonly key: AuditKey
  readonly batchSize: number
  readonly keep: (head: SignedHead) => void
}

async function sequence(
  database: OpenDatabase,
  { key, batchSize, keep }: Sequencing,
): Promise<void> {
  const troubles: unknown[] = []
  const sequencer = auditSequencer(database, {
    key,
    batchSize,
    anchors: [async (head) => keep(head)],
    onTrouble: (error) => troubles.push(error),
  })
  // Every second node is killed, and the next one waits for its lease to expire.
  await (batchSize % 2 === 0 ? sequencer.pass() : sequencer.stop())
  database.advance(6_000)
  if (troubles.length > 0) throw troubles[0]
}

type Eraser = { readonly database: OpenDatabase; readonly dice: Dice; readonly key: AuditKey }

async function erase({ database, dice, key }: Eraser, id: string): Promise<void> {
  await database.step(eraseStep, {
    tenant: dice.pick(TENANTS),
    principal: dice.pick(NAMES),
    by: 'root',
    actor: 'user',
    id,
    key,
  })
}

function madeUp(dice: Dice, tenant: Tenant, number: number): AuditRecord {
  return sampleRecord(number, {
    tenant,
    principal: dice.pick(NAMES),
    error: dice.pick(ERRORS),
    tool_name: dice.pick(['orders.place', 'shelf.look', 'audit.erase']),
    duration_ms: dice.below(1_000_000) / 1_000,
    phase: dice.pick(['intent', 'outcome', 'decision']),
  })
}
