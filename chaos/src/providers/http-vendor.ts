import { closeSync, openSync } from 'node:fs'
import { request } from 'node:http'
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

type Request = {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

async function ask(url: string, init: Request): Promise<unknown> {
  const { status, text } = await send(url, init).catch((cause: unknown) => {
    throw fromNetworkFailure(cause, 'The vendor')
  })
  if (status < 200 || status > 299) throw fromProviderStatus(status, `The vendor said ${status}.`)
  return JSON.parse(text)
}

// Not with fetch: its first request costs four times as much CPU, and most nodes live for few of
// them.
function send(
  url: string,
  { method, headers = {}, signal }: Request,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal }, (response) => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          text += chunk
        })
        .once('error', reject)
        .once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.once('error', reject).end()
  })
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
