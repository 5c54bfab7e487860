import { listen } from '../../../../surfaces/http/src/index.ts'
import { mcpHandler } from '../../../../surfaces/mcp/src/index.ts'
import type { StartServer } from '../contenders.ts'
import { openReadHouse } from './house.ts'

export const startSurehandMcp: StartServer = async () => {
  const { runtime, identity, token } = await openReadHouse()
  // as the server's own doors do it: whoever is known is not waited for
  const authenticate = (bearer: string) => {
    const found = identity.authenticate(bearer)
    return found instanceof Promise ? found.then((signedIn) => signedIn?.caller) : found?.caller
  }
  const makeHandler = (at: number) => {
    const host = `127.0.0.1:${at}`
    return mcpHandler({
      runtime,
      authenticate,
      options: { hosts: [host], resource: `http://${host}/mcp` },
    })
  }
  const { port } = await listen(makeHandler, { port: 0, hostname: '127.0.0.1' })
  return { port, token }
}
