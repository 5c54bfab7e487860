import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isToolError } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { z } from 'zod'
import { type App, OWNER_ID } from '../app.ts'

/** What the first start hands out. */
export type FirstStart = {
  /** A link that signs the first administrator in, once; undefined when there is one already. */
  readonly adminLink: string | undefined
  readonly demoTokens: DemoTokens | undefined
}

const DemoTokens = z.strictObject({ ann: z.string(), agent: z.string() })
export type DemoTokens = z.infer<typeof DemoTokens>

const LINK_SECONDS = 3_600
const FIRST_ADMIN = 'admin'

/**
 * Makes sure that there is an administrator or a link to become one, and the tokens of the demo.
 */
export async function prepareFirstStart(app: App): Promise<FirstStart> {
  const by = systemCaller(app.config.home)
  const people = await app.identityApi.principals.list(by)
  const hasAdmin = people.some(
    ({ id, record }) => id !== OWNER_ID && record.roles.includes('admin') && !record.disabled,
  )
  const adminLink = hasAdmin
    ? undefined
    : await app.identityApi.links.create(by, {
        principal: FIRST_ADMIN,
        roles: ['admin', 'user'],
        lifeSeconds: LINK_SECONDS,
      })
  return { adminLink, demoTokens: app.config.demo ? await demoTokens(app) : undefined }
}

// Only hashes of tokens are stored. The demo's tokens are written beside the database, so that a
// second start can show them again.
async function demoTokens({ config, identityApi }: App): Promise<DemoTokens> {
  const file = join(config.data, 'demo-tokens.json')
  if (existsSync(file)) return DemoTokens.parse(JSON.parse(readFileSync(file, 'utf8')))
  const by = systemCaller(config.home)
  try {
    await identityApi.principals.put(by, 'ann', {
      name: 'Ann (demo)',
      roles: ['user', 'power_user'],
    })
  } catch (thrown) {
    // Another node created her first.
    if (!isToolError(thrown) || thrown.code !== 'TOOL_RESOURCE_ALREADY_EXISTS') throw thrown
  }
  const [ann, agent] = await Promise.all([
    identityApi.tokens.create(by, { principal: 'ann', name: 'demo: Ann' }),
    identityApi.tokens.create(by, {
      principal: 'ann',
      name: "demo: Ann's agent",
      actor: 'ai_agent',
    }),
  ])
  const tokens = { ann: ann.token, agent: agent.token }
  writeFileSync(file, `${JSON.stringify(tokens)}\n`, { mode: 0o600 })
  return tokens
}
