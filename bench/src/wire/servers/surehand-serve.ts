import { mkdirSync } from 'node:fs'
import { readConfig } from '../../../../apps/server/src/config/read-config.ts'
import { createLog } from '../../../../apps/server/src/log/log.ts'
import { serve } from '../../../../apps/server/src/serve/serve.ts'
import type { Pack } from '../../../../core/src/index.ts'
import type { Served, StartServer } from '../contenders.ts'
import { createUser, limitedPack, readPack } from './shop-app.ts'

/** The server as people start it with `surehand serve`: SQLite, every setting at its default but the rate limit. */
export const startSurehandServe: StartServer = (file) => startServe(file, [readPack])

export const startLimitedServe: StartServer = (file) => startServe(file, [limitedPack])

/** The same with these packs; `prepare` is called with its data folder before it is used. */
export async function startServe(
  file: string,
  packs: readonly Pack[],
  prepare?: (folder: string) => void,
): Promise<Served> {
  const folder = `${file}.d`
  mkdirSync(folder, { mode: 0o700 })
  const env = {
    SUREHAND_DATA: folder,
    SUREHAND_PORT: '0',
    SUREHAND_HOME: 'acme',
    SUREHAND_LOG_LEVEL: 'warn',
    SUREHAND_REQUESTS_PER_SECOND: '1000000',
    SUREHAND_REQUESTS_AT_ONCE: '1000000',
  }
  const config = { ...(await readConfig({ env, folder })), packs }
  const { app, port } = await serve(config, createLog(config))
  prepare?.(folder)
  return { port, token: await createUser(app.identityApi) }
}
