import { openSqlite } from '../../../../stores/sql/src/sql-stores.ts'
import { recordLatencies } from '../../harness/latencies.ts'
import { callShop, localTool, openShop, shopPack } from '../../stores/shop.ts'
import type { InProcessFigures, StartServer } from '../contenders.ts'
import { openShopApp } from './shop-app.ts'
import { listenHttp } from './surehand-http.ts'

// Above every serial that is used over the wire.
const FIRST_SERIAL = 5_000_000_000

export const startSurehandDurable: StartServer = async (file) => {
  const stores = await openSqlite({ file, packs: [shopPack] })
  const app = await openShopApp(openShop(stores), stores)
  let serial = FIRST_SERIAL
  const write = async (): Promise<void> => {
    await callShop(app.runtime, localTool, serial++)
  }
  return {
    port: await listenHttp(app),
    token: app.token,
    inProcess: (callers, timedMs) => driveInProcess(write, callers, timedMs),
  }
}

/** Concurrent callers without a wire, each with one call in flight. */
async function driveInProcess(
  call: () => Promise<void>,
  callers: number,
  timedMs: number,
): Promise<InProcessFigures> {
  const latencies = recordLatencies()
  const startedAt = performance.now()
  const caller = async (): Promise<void> => {
    for (let now = startedAt; now - startedAt < timedMs; ) {
      await call()
      const answeredAt = performance.now()
      latencies.record(answeredAt - now)
      now = answeredAt
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const seconds = (performance.now() - startedAt) / 1000
  return {
    rate: latencies.count() / seconds,
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
  }
}
