import { createEdge } from '../../../../libraries/edge/src/index.ts'
import { listen } from '../../../../surfaces/http/src/index.ts'
import { mcpHandler } from '../../../../surfaces/mcp/src/index.ts'
import type { StartServer } from '../contenders.ts'
import { openReadApp } from './shop-app.ts'

export const startSurehandMcp: StartServer = async () => {
  const { runtime, identity, token } = await openReadApp()
  const makeHandler = (at: number) => {
    const host = `127.0.0.1:${at}`
    return mcpHandler({
      runtime,
      authenticate: identity.authenticate,
      edge: createEdge({ perToken: { perSecond: 1_000_000, burst: 1_000_000 } }),
      options: { hosts: [host], resource: `http://${host}/mcp` },
    })
  }
  const { port } = await listen(makeHandler, { port: 0, hostname: '127.0.0.1' })
  return { port, token }
}
