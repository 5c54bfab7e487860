import { inputs, invalidInputs, overflowingInput } from '../core/inputs.ts'
import { addToCart, type CartInput } from '../core/tool.ts'
import { check } from '../harness/check.ts'
import { subject } from '../harness/contender.ts'
import type { Contender } from './contenders.ts'
import { headersOf, KEY_PREFIX, OWN_LINE, type Reply, SPEECHES } from './speech.ts'

/** Throws unless the server answers rightly over the wire, and refuses exactly what its row says. */
export async function checkServer(
  contender: Contender,
  port: number,
  token: string,
): Promise<void> {
  const { speaks } = contender
  const { path, body, output } = SPEECHES[speaks]
  const call = async (text: string, serial: number): Promise<Reply> => {
    const headers = {
      ...headersOf(speaks, token),
      ...(speaks === 'keyed envelope' ? { 'idempotency-key': `${KEY_PREFIX}check${serial}` } : {}),
    }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: text,
    })
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
    }
  }
  const parts = subject({ payload: (input) => JSON.stringify(body(input)), call, output })
  const expected = async (input: object): Promise<unknown> => {
    const output = await addToCart(input as CartInput)
    return speaks === 'keyed envelope' ? { ...output, lineId: OWN_LINE } : output
  }
  // whoever answers always the same is right once
  const asked = speaks === 'constant' ? inputs.slice(0, 1) : inputs
  const unasked = speaks === 'constant' ? [] : invalidInputs
  await check({ ...contender, load: async () => async () => parts }, parts, {
    inputs: asked,
    invalidInputs: unasked,
    overflowingInput,
    expected,
  })
}
