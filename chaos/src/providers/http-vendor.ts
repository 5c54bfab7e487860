import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import { z } from 'zod'
import { UNREACHABLE_PREFIX } from '../emulators/vendor-routes.ts'
import type { OutsideKind, Vendor } from '../pack/vendor-port.ts'

const ReceiptJson = z.object({ receipt: z.string(), item: z.string() })
const TicketJson = z.object({ number: z.number() })
const PriceJson = z.object({ euros: z.number() })

/** The vendor over HTTP. The path decides whether it recognizes a repeated key. */
export function httpVendor(url: string, kind: OutsideKind, folder: string): Vendor {
  // Nothing listens on this address: a refused connection has carried no byte.
  const closed = url.replace('127.0.0.1', '127.0.0.2')
  const chooseUrl = (item: string): string =>
    item.startsWith(UNREACHABLE_PREFIX) && isFirst(join(folder, item)) ? closed : url
  return {
    make: async ({ item, key }, signal) =>
      ReceiptJson.parse(
        await ask(`${chooseUrl(item)}/${kind}/${item}`, {
          method: 'POST',
          headers: { 'idempotency-key': key },
          signal,
        }),
      ),
    find: async ({ idempotencyKey }, signal) => {
      const found = ReceiptJson.parse(
        await ask(`${url}/found/${encodeURIComponent(idempotencyKey)}`, { method: 'GET', signal }),
      )
      return found.receipt === '' ? null : found
    },
    ticket: async (_, signal) =>
      TicketJson.parse(await ask(`${url}/ticket`, { method: 'GET', signal })),
    price: async ({ item }, signal) =>
      PriceJson.parse(await ask(`${url}/price/${item}`, { method: 'GET', signal })),
  }
}

async function ask(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw fromNetworkFailure(cause, 'The vendor')
  })
  const text = await response.text().catch((cause: unknown) => {
    throw fromNetworkFailure(cause, 'The vendor')
  })
  if (!response.ok) throw fromProviderStatus(response.status, `The vendor said ${response.status}.`)
  return JSON.parse(text)
}

// True for the first node that asks, and only for that one.
function isFirst(mark: string): boolean {
  try {
    closeSync(openSync(mark, 'wx'))
    return true
  } catch {
    return false
  }
}
