import { definePort, sameKey } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'

/** The offers of operators whose page is open and who are ready to speak. */
export type CallOffers = {
  /** Looking for an offer changes nothing; the page replaces it when a call has begun. */
  readonly find: (
    query: { readonly tenant: string },
    signal: AbortSignal,
  ) => Promise<{ readonly sdp: string } | null>
  /** Replaces the offer; without one, no operator is ready any more. */
  readonly put: (
    offer: { readonly tenant: string; readonly sdp: string | null },
    signal: AbortSignal,
  ) => Promise<{ readonly is_ready: boolean }>
}

export const callOffersPort = definePort<CallOffers>('callOffers', {
  find: 'read',
  put: sameKey({ validFor: '30d' }),
})

const KEY = 'marketplace/call-offer'
// A page renews its offer every minute.
const OFFER_MS = 2 * 60_000

/** Offers from the operator's page, or the fixed one of the setting where no page is open. */
export function callOffers({ values, setting }: Pick<PackGiven, 'values' | 'setting'>): CallOffers {
  return {
    async find({ tenant }) {
      const sdp = (await values.get(tenant, KEY)) ?? setting('WHATSAPP_CALL_OFFER')
      return sdp === undefined ? null : { sdp }
    },
    async put({ tenant, sdp }) {
      if (sdp === null) await values.delete(tenant, KEY)
      else await values.set(tenant, KEY, sdp, OFFER_MS)
      return { is_ready: sdp !== null }
    },
  }
}
