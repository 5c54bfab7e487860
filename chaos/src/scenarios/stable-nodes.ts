import { type ClientOptions, LONG_TIMEOUTS_MS } from '../clients/call-until-answered.ts'
import type { StoreLocation } from '../node/messages.ts'
import { createLedgerReader, type LedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import { createNodeSetup, type ScenarioContext } from './scenario.ts'
import { MAX_WAIT_MS } from './settle.ts'

/** Nodes that are not killed, and clients with long timeouts. */
export type StableNodes = {
  readonly pool: NodePool
  readonly ledger: LedgerReader
  readonly client: ClientOptions
  readonly location: StoreLocation
  readonly startedMs: number
}

/** `patience` multiplies the time a client has; it is higher where more clients race. */
export async function startStableNodes(
  context: ScenarioContext,
  patience: number,
  onDetour: ClientOptions['onRetry'] = () => undefined,
): Promise<StableNodes> {
  const { options, backend, random } = context
  const location = await backend.createStore()
  const pool = new NodePool(options.nodes, createNodeSetup(context, location, 'long'), random)
  const ledger = createLedgerReader(location)
  await pool.waitUntilAllReady()
  const startedMs = performance.now()
  const client: ClientOptions = {
    random,
    nextNode: (last) => pool.pickNode(last),
    timeoutsMs: LONG_TIMEOUTS_MS,
    hasTimeLeft: () => performance.now() - startedMs < MAX_WAIT_MS * patience,
    onRetry: onDetour,
  }
  return { pool, ledger, client, location, startedMs }
}
