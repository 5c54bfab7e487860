import { mkdirSync } from 'node:fs'
import { readConfig } from '../../../../apps/server/src/config/read-config.ts'
import { createLog } from '../../../../apps/server/src/log/log.ts'
import { serve } from '../../../../apps/server/src/serve/serve.ts'
import type { StartServer } from '../contenders.ts'
import { createUser, readPack } from './shop-app.ts'

/** The server as people start it with `surehand serve`: SQLite, every setting at its default but the rate limit. */
export const startSurehandServe: StartServer = async (file) => {
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
  const config = { ...(await readConfig({ env, folder })), packs: [readPack] }
  const { app, port } = await serve(config, createLog(config))
  return { port, token: await createUser(app.identityApi) }
}
