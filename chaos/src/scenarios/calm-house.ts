import { CALMLY_MS, type Journey } from '../clients/pursue.ts'
import { type LedgerReader, ledgerReader } from '../house/ledger-reader.ts'
import { NodePool } from '../house/node-pool.ts'
import { CALM_MS } from './settle.ts'
import { setupOf, type World } from './world.ts'

/** Nodes in which nobody dies, and clients who have time. */
export type CalmHouse = {
  readonly pool: NodePool
  readonly ledger: LedgerReader
  readonly journey: Journey
  readonly startedMs: number
}

/** `patience`: how many times the usual a client may take; more where more of them race. */
export async function openCalmHouse(
  world: World,
  patience: number,
  onDetour: Journey['onDetour'] = () => undefined,
): Promise<CalmHouse> {
  const { options, ground, random } = world
  const place = await ground.newPlace()
  const pool = new NodePool(options.nodes, setupOf(world, place, 'patient'), random)
  const ledger = ledgerReader(place)
  await pool.allReady()
  const startedMs = performance.now()
  const journey: Journey = {
    random,
    nextNode: (last) => pool.any(last),
    listensMs: CALMLY_MS,
    hasPatience: () => performance.now() - startedMs < CALM_MS * patience,
    onDetour,
  }
  return { pool, ledger, journey, startedMs }
}
