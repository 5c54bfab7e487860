import { hash } from 'node:crypto'
import { basename, join } from 'node:path'
import type { NodeSetup, StoreLocation } from '../node/messages.ts'
import type { Options } from '../options.ts'
import type { StoreBackend } from '../processes/store-backend.ts'
import type { VendorProcess } from '../processes/vendor-process.ts'
import type { Random } from '../random.ts'
import type { Report } from '../report/report.ts'

/** Short, so that recoveries happen while the scenario runs. */
export const LEASE_MS = 1_500
// Where no node dies, a node that many callers keep busy must not be mistaken for a dead one.
const LONG_LEASE_MS = 30_000
// A node that is about to die opens fewer sessions: opening them costs the server more than what
// they are used for.
const SHORT_LIFE_POOL = 4

/** What every scenario receives. */
export type ScenarioContext = {
  readonly options: Options
  readonly folder: string
  readonly backend: StoreBackend
  readonly vendor: VendorProcess
  readonly random: Random
  /** The bundled program that a node process runs. */
  readonly program: string
  /** The audit's signing key in PEM; it is never written to a store. */
  readonly auditKey: string
}

export type Scenario = (context: ScenarioContext) => Promise<Report>

export function createNodeSetup(
  context: Pick<ScenarioContext, 'vendor' | 'options' | 'program' | 'folder' | 'auditKey'>,
  location: StoreLocation,
  leases: 'short' | 'long' = 'short',
): NodeSetup {
  return {
    location,
    vendorUrl: context.vendor.url,
    ledger: context.options.ledger,
    ...(leases === 'short'
      ? { leaseMs: LEASE_MS, poolSize: SHORT_LIFE_POOL }
      : { leaseMs: LONG_LEASE_MS }),
    program: context.program,
    folder: context.folder,
    failpoints: [],
    codeVersion: 'original',
    audit: {
      key: context.auditKey,
      sealKey: hash('sha256', context.auditKey, 'hex'),
      anchorFile: join(context.folder, `${nameOf(location)}.anchors`),
    },
  }
}

function nameOf(location: StoreLocation): string {
  return basename(location.kind === 'sqlite' ? location.file : new URL(location.url).pathname)
}
