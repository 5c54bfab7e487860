import { inputs, invalidInputs, overflowingInput } from '../core/inputs.ts'
import { addToCart, type CartInput } from '../core/tool.ts'
import { checkContender } from '../harness/check.ts'
import { subject } from '../harness/contender.ts'
import type { HttpContender } from './contenders.ts'
import { headersOf, KEY_PREFIX, OWN_LINE, PROTOCOLS, type Reply } from './protocols.ts'

/** Throws unless the server answers correctly over the wire and refuses exactly the inputs that its row says it validates. */
export async function checkServer(
  contender: HttpContender,
  port: number,
  token: string,
): Promise<void> {
  const { protocol } = contender
  const { path, body, output } = PROTOCOLS[protocol]
  const call = async (text: string, serial: number): Promise<Reply> => {
    const headers = {
      ...headersOf(protocol, token),
      ...(protocol === 'keyed envelope'
        ? { 'idempotency-key': `${KEY_PREFIX}check${serial}` }
        : {}),
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
  const server = subject({ payload: (input) => JSON.stringify(body(input)), call, output })
  const expectedOutput = async (input: object): Promise<unknown> => {
    const output = await addToCart(input as CartInput)
    return protocol === 'keyed envelope' ? { ...output, lineId: OWN_LINE } : output
  }
  // The server with the constant answer is right for the first input only, and validates nothing.
  const isConstant = protocol === 'constant'
  await checkContender(contender, server, {
    inputs: isConstant ? inputs.slice(0, 1) : inputs,
    invalidInputs: isConstant ? [] : invalidInputs,
    overflowingInput,
    expected: expectedOutput,
  })
}
