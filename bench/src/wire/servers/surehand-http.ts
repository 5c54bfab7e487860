import { createEdge } from '../../../../libraries/edge/src/index.ts'
import { httpHandler, listen } from '../../../../surfaces/http/src/index.ts'
import type { StartServer } from '../contenders.ts'
import { openReadApp, type ShopApp } from './shop-app.ts'

export const startSurehandHttp: StartServer = async () => {
  const app = await openReadApp()
  return { port: await listenHttp(app), token: app.token }
}

/** The HTTP surface as the server runs it. Its rate limiter is active, with a limit that no load reaches. */
export async function listenHttp({ runtime, identity }: ShopApp): Promise<number> {
  const { port } = await listen(
    (at) =>
      httpHandler({
        runtime,
        identity,
        publicUrl: `http://127.0.0.1:${at}`,
        edge: createEdge({ perToken: { perSecond: 1_000_000, burst: 1_000_000 } }),
      }),
    { port: 0, hostname: '127.0.0.1' },
  )
  return port
}
