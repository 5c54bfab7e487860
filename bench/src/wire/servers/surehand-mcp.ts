import { mcpHandler } from '../../../../surfaces/mcp/src/index.ts'
import type { StartServer } from '../contenders.ts'
import { openReadHouse } from './house.ts'
import { serve } from './serve.ts'

export const startSurehandMcp: StartServer = async () => {
  const { runtime, identity, token } = await openReadHouse()
  const authenticate = async (bearer: string) => (await identity.authenticate(bearer))?.caller
  const port = await serve((at) => {
    const host = `127.0.0.1:${at}`
    return mcpHandler({ runtime, authenticate, options: { hosts: [host], resource: `http://${host}/mcp` } })
  })
  return { port, token }
}
