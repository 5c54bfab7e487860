import { createHash, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import { TokenBucket } from 'limiter'
import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, type CartOutput, cartInput, cartOutput, TOOL_NAME } from '../tool.ts'

type StoredResult = { readonly inputHash: string; readonly output: CartOutput }

const TIMEOUT_MS = 10_000
const AUDIT_LINES_KEPT = 1024

/** All the steps of a governed write, assembled from popular libraries. */
export const assembled: Start = async () => {
  const tools = new Map([
    [
      TOOL_NAME,
      { input: cartInput, output: cartOutput, capability: 'cart.write', execute: addToCart },
    ],
  ])
  const caller = { tenant: 'acme', capabilities: new Set(['cart.write', 'cart.read']) }
  const buckets = new Map([
    [
      `${caller.tenant}:${TOOL_NAME}`,
      new TokenBucket({ bucketSize: 1e9, tokensPerInterval: 1e9, interval: 'minute' }),
    ],
  ])
  const ledger = new Map<string, StoredResult>()
  const audit: string[] = []

  async function call(input: unknown, key: string): Promise<CartOutput> {
    const startedAt = performance.now()
    const id = randomUUID()
    const tool = tools.get(TOOL_NAME)
    if (tool === undefined) throw new Error('no such tool')
    const parsed = tool.input.safeParse(input)
    if (!parsed.success) throw parsed.error
    const inputHash = sha256(canonicalize(parsed.data))
    if (!caller.capabilities.has(tool.capability)) throw new Error('not permitted')
    const stored = ledger.get(key)
    if (stored !== undefined) {
      if (stored.inputHash !== inputHash) throw new Error('the key was used for another input')
      return stored.output
    }
    if (buckets.get(`${caller.tenant}:${TOOL_NAME}`)?.tryRemoveTokens(1) !== true)
      throw new Error('too many calls')
    const checked = tool.output.safeParse(await withTimeout(() => tool.execute(parsed.data)))
    if (!checked.success) throw checked.error
    ledger.set(key, { inputHash, output: checked.data })
    const outputHash = sha256(canonicalize(checked.data))
    audit.push(
      JSON.stringify({
        id,
        at: new Date().toISOString(),
        tenant: caller.tenant,
        tool: TOOL_NAME,
        key,
        inputHash,
        outputHash,
        outcome: 'done',
        tookMs: performance.now() - startedAt,
      }),
    )
    if (audit.length > AUDIT_LINES_KEPT) audit.length = 0
    return checked.data
  }

  return subject({
    payload: (input) => input,
    call: (input, serial) => call(input, `key-${serial}`),
    output: (answer) => answer,
  })
}

function sha256(text: string | undefined): string {
  return createHash('sha256')
    .update(text ?? '')
    .digest('hex')
}

async function withTimeout<Value>(run: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    controller.abort()
    reject(new Error('timed out'))
  }, TIMEOUT_MS)
  try {
    return await Promise.race([run(controller.signal), promise])
  } finally {
    clearTimeout(timer)
  }
}
