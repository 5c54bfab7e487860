import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { addToCart, type CartInput, cartInput, cartOutput } from '../../core/tool.ts'
import type { StartServer } from '../contenders.ts'
import { READ_TOOL } from '../protocols.ts'
import { sendJson, serve, withBody } from './serve.ts'

type Message = {
  readonly id: number
  readonly method: string
  readonly params: { readonly name: string; readonly arguments: unknown }
}

/** The least that a `tools/call` server can do: everything but a valid call of the one tool gets the same refusal. */
export const startMinimalMcp: StartServer = async () => {
  const ajv = new Ajv2020({ validateFormats: false })
  const isInput = ajv.compile<CartInput>(z.toJSONSchema(cartInput, { io: 'input' }))
  const isOutput = ajv.compile(z.toJSONSchema(cartOutput))

  async function answer(text: string): Promise<string> {
    const { id, method, params } = JSON.parse(text) as Message
    if (method !== 'tools/call' || params.name !== READ_TOOL || !isInput(params.arguments))
      throw new Error('refused')
    const output = await addToCart(params.arguments)
    if (!isOutput(output)) throw new Error('refused')
    const content = [{ type: 'text', text: JSON.stringify(output) }]
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', content, structuredContent: output },
    })
  }

  const port = await serve(
    () => (request, response) =>
      withBody(request, (text) => {
        answer(text).then(
          (body) => sendJson(response, 200, body),
          () =>
            sendJson(
              response,
              200,
              '{"jsonrpc":"2.0","id":null,"result":{"isError":true,"content":[]}}',
            ),
        )
      }),
  )
  return { port }
}
