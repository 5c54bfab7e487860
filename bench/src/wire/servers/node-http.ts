import { inputs } from '../../core/inputs.ts'
import { addToCart, type CartInput } from '../../core/tool.ts'
import type { StartServer } from '../contenders.ts'
import { sendJson, serve, withBody } from './serve.ts'

export const startNodeHttp: StartServer = async () => {
  const text = JSON.stringify(await addToCart(inputs[0] as CartInput))
  const port = await serve(
    () => (request, response) => withBody(request, () => sendJson(response, 200, text)),
  )
  return { port }
}
