import { basename, join } from 'node:path'
import type { Ground } from '../house/ground.ts'
import { NodeProcess } from '../house/node-process.ts'
import type { VendorProcess } from '../house/vendor-process.ts'
import type { NodeSetup, StorePlace } from '../node/messages.ts'
import type { Options } from '../options.ts'
import type { Random } from '../random.ts'
import type { Report } from '../report/report.ts'

/** Short, so that recoveries happen while the run goes on. */
export const LEASE_MS = 1_500
// where nobody dies, nobody is to be taken for dead because a thousand callers keep its node busy
const PATIENT_LEASE_MS = 30_000

/** What every scenario is given. */
export type World = {
  readonly options: Options
  readonly folder: string
  readonly ground: Ground
  readonly vendor: VendorProcess
  readonly random: Random
  /** What a node runs. */
  readonly program: string
  /** In PEM; it never stands in a store. */
  readonly auditKey: string
}

export type Scenario = (world: World) => Promise<Report>

export function setupOf(
  world: World,
  place: StorePlace,
  leases: 'short' | 'patient' = 'short',
): NodeSetup {
  return {
    place,
    vendorUrl: world.vendor.url,
    ledger: world.options.ledger,
    leaseMs: leases === 'short' ? LEASE_MS : PATIENT_LEASE_MS,
    program: world.program,
    folder: world.folder,
    failpoint: undefined,
    mind: 'steady',
    audit: { key: world.auditKey, anchorFile: join(world.folder, `${nameOf(place)}.anchors`) },
  }
}

function nameOf(place: StorePlace): string {
  return basename(place.kind === 'sqlite' ? place.file : new URL(place.url).pathname)
}

/** One node comes and goes in good order, and leaves behind what it has compiled. */
export async function warmUp(world: World): Promise<void> {
  const node = new NodeProcess(setupOf(world, await world.ground.newPlace()))
  if (!(await node.started)) throw new Error(`A node does not start: ${node.complaint}`)
  node.leave()
  await node.ended
}
