import { createEdge } from '../../../../libraries/edge/src/index.ts'
import { httpHandler, listen } from '../../../../surfaces/http/src/index.ts'
import type { StartServer } from '../contenders.ts'
import { type House, openReadHouse } from './house.ts'

export const startSurehandHttp: StartServer = async () => {
  const house = await openReadHouse()
  return { port: await listenHttp(house), token: house.token }
}

/** The surface as a server runs it; its limit is there, and out of reach. */
export async function listenHttp({ runtime, identity }: House): Promise<number> {
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
