import { definePort } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'

/** The offers of operators whose page is open and who are ready to speak. */
export type CallOffers = {
  readonly take: (
    query: { readonly tenant: string; readonly callAttemptId: string },
    signal: AbortSignal,
  ) => Promise<{ readonly sdp: string } | null>
}

// Looking for an offer changes nothing; the page replaces it when the call has begun.
export const callOffersPort = definePort<CallOffers>('callOffers', { take: 'read' })

const KEY = 'marketplace/call-offer'
// A page renews its offer every minute.
const OFFER_MS = 2 * 60_000

export type OfferStore = {
  readonly offer: (tenant: string, sdp: string) => Promise<void>
  readonly withdraw: (tenant: string) => Promise<void>
}

export function storeOffers({ values }: Pick<PackGiven, 'values'>): OfferStore {
  return {
    offer: async (tenant, sdp) => {
      await values.set(tenant, KEY, sdp, OFFER_MS)
    },
    withdraw: async (tenant) => {
      await values.delete(tenant, KEY)
    },
  }
}

/** Offers from the operator's page, or the fixed one of the setting where no page is open. */
export function callOffers({ values, setting }: Pick<PackGiven, 'values' | 'setting'>): CallOffers {
  return {
    async take({ tenant }) {
      const sdp = (await values.get(tenant, KEY)) ?? setting('WHATSAPP_CALL_OFFER')
      return sdp === undefined ? null : { sdp }
    },
  }
}
