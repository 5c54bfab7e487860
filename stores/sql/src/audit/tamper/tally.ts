import { exportAudit } from '../export-audit.ts'
import { verifyAudit } from '../verify-audit.ts'
import { verifyStored } from '../verify-stored.ts'
import { diceOf } from './dice.ts'
import { openScene, type Scene, TENANTS } from './scene.ts'
import { TAMPERINGS, tamper } from './tamperings.ts'

export type Tally = {
  seen: number
  missed: number /** Changed nothing that is promised. */
  void: number
}

/** A missed tampering can be reproduced with its seed. */
export type Tallied = {
  readonly kinds: ReadonlyMap<string, Tally>
  readonly missed: readonly string[]
}

const PER_SCENE = 65

/** What the verifier is given. */
export type Memory = 'keys and anchors' | 'keys alone'

/**
 * Tampers `count` times, each time with a clean app, kind after kind; a tampering that changed
 * nothing is repeated with other random numbers.
 */
export async function tallyTamperings(
  count: number,
  seed: string,
  memory: Memory = 'keys and anchors',
): Promise<Tallied> {
  const names = [...TAMPERINGS.keys()]
  const kinds = new Map(
    names.map((name): [string, Tally] => [name, { seen: 0, missed: 0, void: 0 }]),
  )
  const missed: string[] = []
  let scene = await openScene(diceOf(seed))
  for (let done = 0, tried = 0; done < count; tried++) {
    if (tried % PER_SCENE === PER_SCENE - 1) scene = await openScene(diceOf(`${seed} ${tried}`))
    const kind = names[done % names.length] ?? ''
    const result = await tamperOnce(kind, rememberSeed(scene, memory), `${seed} ${tried} ${kind}`)
    const tally = kinds.get(kind)
    if (tally !== undefined) tally[result]++
    if (result === 'missed') missed.push(`${seed} ${tried} ${kind}`)
    if (result !== 'void') done++
  }
  return { kinds, missed }
}

function rememberSeed(scene: Scene, memory: Memory): Scene {
  return memory === 'keys and anchors'
    ? scene
    : { ...scene, trust: { ...scene.trust, anchors: [] } }
}

async function tamperOnce(kind: string, scene: Scene, seed: string): Promise<keyof Tally> {
  const { raw } = scene.database
  const before = readProtected(scene)
  raw.exec('savepoint clean')
  try {
    const since = await tamper(kind, scene, diceOf(seed))
    if (readProtected(scene) === before) return 'void'
    const anchors = [...scene.trust.anchors, ...since]
    return (await isSeen({ ...scene, trust: { ...scene.trust, anchors } })) ? 'seen' : 'missed'
  } finally {
    raw.exec('rollback to clean; release clean')
  }
}

/** The content of all records under an anchored head. */
function readProtected({ database, anchored }: Scene): string {
  const records = database.raw.prepare(
    'select * from audit_records where tenant = ? and position < ? order by position, number',
  )
  return JSON.stringify(
    TENANTS.map((tenant) => records.all(tenant, anchored[tenant])),
    (_, value) => (value instanceof Uint8Array ? { blob: [...value] } : value),
  )
}

async function verdictsOf(scene: Scene, how: 'stored' | 'exported'): Promise<readonly string[]> {
  const verdicts = TENANTS.map((tenant) =>
    how === 'stored'
      ? verifyStored(scene.database, tenant, scene.trust)
      : verifyAudit(exportAudit(scene.database, tenant), scene.trust),
  )
  return (await Promise.all(verdicts)).map((verdict) => verdict.kind)
}

/** In the database and in an export: both must detect it. */
async function isSeen(scene: Scene): Promise<boolean> {
  return (
    (await verdictsOf(scene, 'stored')).includes('broken') &&
    (await verdictsOf(scene, 'exported')).includes('broken')
  )
}

/** Opens `count` clean apps; returns the seeds of those that were reported as broken. */
export async function falseAlarms(runs: number, seed: string): Promise<readonly string[]> {
  const alarms: string[] = []
  for (let run = 0; run < runs; run++) {
    const scene = await openScene(diceOf(`${seed} clean ${run}`))
    const verdicts = [
      ...(await verdictsOf(scene, 'stored')),
      ...(await verdictsOf(scene, 'exported')),
    ]
    if (verdicts.includes('broken')) alarms.push(`${seed} clean ${run}`)
    scene.database.raw.close()
  }
  return alarms
}
