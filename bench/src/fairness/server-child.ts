import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../../apps/server/src/config/read-config.ts'
import { createLog } from '../../../apps/server/src/log/log.ts'
import { serve } from '../../../apps/server/src/serve/serve.ts'
import { type Caller, definePack } from '../../../core/src/index.ts'
import { manyTools } from '../core/registry.ts'
import { describeError } from '../harness/parent.ts'
import { readPack } from '../wire/servers/shop-app.ts'
import { SLOW_WEBHOOKS } from './attacks.ts'
import { vendorPack } from './vendor-pack.ts'

/** Where the server listens, and a token of a user of each tenant. */
export type FairnessServer = {
  readonly port: number
  readonly attacker: string
  readonly other: string
}

/** The most CPU time that the main thread took between two ticks of a timer, since it was last asked. */
export type LoopDelays = { readonly longestMs: number }

// `surehand serve` with its default limits on SQLite, two tenants and ten thousand tools.
const [folder = '', silent = ''] = process.argv.slice(2)
const data = join(folder, 'data')
mkdirSync(data, { mode: 0o700 })

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const silentHost = `127.0.0.1:${silent}`

try {
  const env = {
    SUREHAND_DATA: data,
    SUREHAND_PORT: '0',
    SUREHAND_HOME: 'acme',
    SUREHAND_LOG_LEVEL: 'error',
    SUREHAND_PRIVATE_HOSTS: silentHost,
  }
  const packs = [readPack, vendorPack, definePack({ name: 'many', tools: manyTools() })]
  const config = { ...(await readConfig({ env, folder: data })), packs }
  const { app, port } = await serve(config, createLog(config))
  const { tenants, principals, tokens } = app.identityApi
  const createUser = async (tenant: string): Promise<string> => {
    const by = adminOf(tenant)
    if (tenant !== 'acme') await tenants.put({ ...by, tenant: 'acme' }, tenant, { name: tenant })
    await principals.put(by, 'ann', { roles: ['user'], capabilities: ['cart.read'] })
    return (await tokens.create(by, { name: 'bench', principal: 'ann' })).token
  }
  const attacker = await createUser('globex')
  for (const id of SLOW_WEBHOOKS)
    await app.runtime.administration.change(adminOf('globex'), {
      kind: 'webhook',
      id,
      value: { url: `http://${silentHost}/${id}`, secret: WEBHOOK_SECRET },
    })
  process.send?.({
    port,
    attacker,
    other: await createUser('acme'),
  } satisfies FairnessServer)
} catch (thrown) {
  process.send?.({ error: describeError(thrown) })
}

function adminOf(tenant: string): Caller {
  return { tenant, principal: 'root', actor: 'user', roles: ['admin'], capabilities: [] }
}

// CPU time and not time: a thread that waits for its core does not hold up its own loop.
let longestMs = 0
let lastMs = cpuMs()
setInterval(() => {
  const nowMs = cpuMs()
  longestMs = Math.max(longestMs, nowMs - lastMs)
  lastMs = nowMs
}, 2)
process.on('message', () => {
  process.send?.({ longestMs } satisfies LoopDelays)
  longestMs = 0
})

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
process.on('disconnect', () => process.exit(0))
