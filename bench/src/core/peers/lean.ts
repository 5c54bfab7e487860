import { hash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Start, subject } from '../../harness/contender.ts'
import {
  addToCart,
  type CartInput,
  type CartOutput,
  cartInput,
  cartOutput,
  TOOL_NAME,
} from '../tool.ts'

type StoredResult = { readonly inputHash: string; readonly output: CartOutput }

const BLOCK_LINES = 64
const BURST = 1e9
const PER_MS = 1e6

/** The same steps as `assembled`, written for this one tool: a lower bound for a runtime. */
export const lean: Start = async () => {
  const input = z.compile(cartInput, { strict: true })
  const output = z.compile(cartOutput, { strict: true })
  const capabilities = new Set(['cart.write', 'cart.read'])
  const ledger = new Map<string, StoredResult>()
  const bucket = { tokens: BURST, at: performance.now() }
  let block = ''
  let lines = 0
  let chain = ''

  function takeToken(now: number): boolean {
    bucket.tokens = Math.min(BURST, bucket.tokens + (now - bucket.at) * PER_MS)
    bucket.at = now
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }

  function record(line: string): void {
    block += line
    lines += 1
    if (lines < BLOCK_LINES) return
    chain = hash('sha256', chain + block)
    block = ''
    lines = 0
  }

  async function call(value: unknown, key: string): Promise<CartOutput> {
    const startedAt = performance.now()
    const id = randomUUID()
    const parsed = input.safeParse(value)
    if (!parsed.success) throw parsed.error
    const inputHash = hash('sha256', inputJson(parsed.data))
    if (!capabilities.has('cart.write')) throw new Error('not permitted')
    const stored = ledger.get(key)
    if (stored !== undefined) {
      if (stored.inputHash !== inputHash) throw new Error('the key was used for another input')
      return stored.output
    }
    if (!takeToken(startedAt)) throw new Error('too many calls')
    const checked = output.safeParse(await addToCart(parsed.data))
    if (!checked.success) throw checked.error
    ledger.set(key, { inputHash, output: checked.data })
    record(
      `{"id":"${id}","at":${startedAt},"tenant":"acme","tool":"${TOOL_NAME}","key":"${key}","inputHash":"${inputHash}","output":${outputJson(checked.data)},"outcome":"done","tookMs":${performance.now() - startedAt}}\n`,
    )
    return checked.data
  }

  return subject({
    payload: (value) => value,
    call: (value, serial) => call(value, `key-${serial}`),
    output: (answer) => answer,
  })
}

/** Canonical JSON: the fields in the order of their names. */
function inputJson({ customer, notes, productId, quantity, tags, variantId }: CartInput): string {
  const written = notes === undefined ? '' : `"notes":${JSON.stringify(notes)},`
  return `{"customer":{"email":${JSON.stringify(customer.email)},"locale":${JSON.stringify(customer.locale)}},${written}"productId":${JSON.stringify(productId)},"quantity":${quantity},"tags":${JSON.stringify(tags)},"variantId":${JSON.stringify(variantId)}}`
}

function outputJson({ cartId, currency, lineId, quantity, totalCents }: CartOutput): string {
  return `{"cartId":${JSON.stringify(cartId)},"currency":"${currency}","lineId":${JSON.stringify(lineId)},"quantity":${quantity},"totalCents":${totalCents}}`
}
