import { ToolError } from '@surehand/core'
import type { Parcel, Parcels } from './parcels.ts'

/** A carrier in memory, to begin with. Replace it with requests to your carrier's API. */
export function localParcels(): Parcels {
  const known = new Map<string, Parcel>([
    ['p-1', { id: 'p-1', status: 'on its way', address: 'Rua Augusta 1, Lisbon' }],
    ['p-2', { id: 'p-2', status: 'at the depot', address: 'Main Street 5, Dublin' }],
  ])
  const redirections = new Map<string, Parcel>()
  return {
    find: async ({ id }) => known.get(id),
    async redirect({ id, address, idempotencyKey }) {
      const before = redirections.get(idempotencyKey)
      if (before !== undefined) return before
      const parcel = known.get(id)
      if (parcel === undefined)
        throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no parcel ${id}.`)
      const redirected = { ...parcel, address }
      known.set(id, redirected)
      redirections.set(idempotencyKey, redirected)
      return redirected
    },
  }
}
