import { fromNetworkFailure, fromProviderStatus } from '@surehand/core'
import { z } from 'zod'
import type { OutsideKind, Receipt, Vendor } from '../pack/vendor-port.ts'

const ReceiptJson = z.object({ receipt: z.string(), item: z.string() })

/** The vendor over HTTP; which ledge of it is asked decides whether it knows a key it has seen. */
export function httpVendor(url: string, kind: OutsideKind): Vendor {
  return {
    make: ({ item, key }, signal) => ask(`${url}/${kind}/${item}`, { method: 'POST', headers: { 'idempotency-key': key }, signal }),
    find: async ({ idempotencyKey }, signal) => {
      const found = await ask(`${url}/found/${encodeURIComponent(idempotencyKey)}`, { method: 'GET', signal })
      return found.receipt === '' ? null : found
    },
  }
}

async function ask(url: string, init: RequestInit): Promise<Receipt> {
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw fromNetworkFailure(cause, 'The vendor')
  })
  const text = await response.text().catch((cause: unknown) => {
    throw fromNetworkFailure(cause, 'The vendor')
  })
  if (!response.ok) throw fromProviderStatus(response.status, `The vendor said ${response.status}.`)
  return ReceiptJson.parse(JSON.parse(text))
}
