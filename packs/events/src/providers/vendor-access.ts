import type { Fetch } from './send-json.ts'

/** How a live provider reaches its vendor: where, with what, and through whose way out. */
export type VendorAccess = {
  readonly baseUrl: string
  readonly key: string
  readonly fetchFor: (tenant: string) => Fetch
}
