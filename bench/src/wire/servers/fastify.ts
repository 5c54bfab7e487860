import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { z } from 'zod'
import { addToCart, type CartInput, cartInput, cartOutput } from '../../core/tool.ts'
import type { StartServer } from '../contenders.ts'
import { READ_TOOL } from '../protocols.ts'

export const startFastify: StartServer = async () => {
  // By default Fastify drops unknown fields and turns "3" into 3; the tool is strict.
  const app = fastify({ ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } })
  const schema = {
    body: z.toJSONSchema(cartInput, { io: 'input', target: 'draft-7' }),
    response: { 200: z.toJSONSchema(cartOutput, { target: 'draft-7' }) },
  }
  app.post<{ Body: CartInput }>(`/${READ_TOOL}`, { schema }, (request) => addToCart(request.body))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: (app.server.address() as AddressInfo).port }
}
