import { openSqlite } from '../../../../stores/sql/src/open-sqlite.ts'
import { callShop, localTool, openShop, shopPack } from '../../stores/shop.ts'
import type { StartServer } from '../contenders.ts'
import { driveInProcess } from './drive-in-process.ts'
import { openHouse } from './house.ts'
import { listenHttp } from './surehand-http.ts'

// above every serial that comes over the wire
const FIRST_SERIAL = 5_000_000_000

export const startSurehandDurable: StartServer = async (file) => {
  const stores = await openSqlite({ file, packs: [shopPack] })
  const house = await openHouse(openShop(stores), stores)
  let serial = FIRST_SERIAL
  const write = async (): Promise<void> => {
    await callShop(house.runtime, localTool, serial++)
  }
  return {
    port: await listenHttp(house),
    token: house.token,
    inProcess: (callers, timedMs) => driveInProcess(write, callers, timedMs),
  }
}
