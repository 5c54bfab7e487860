import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import type { LocalTarget } from '@surehand/cli'
import type { Pack } from '@surehand/core'
import { packManifest, visibleText } from '@surehand/core/host'
import { systemCaller } from '@surehand/identity'
import { type App, createApp } from '../app.ts'
import { ConfigError } from '../config/config-error.ts'
import { secretSource } from '../config/pack-secrets.ts'
import { type Config, readConfig } from '../config/read-config.ts'
import { describeOpenFolder } from '../data-folder.ts'
import { createScrubber } from '../log/scrub.ts'
import { configuredTools } from '../server-packs.ts'
import { printAnswer, type RunCommand, readOutput } from './with-app.ts'

/** One check: fine, switched off, or a problem with the way to fix it. */
type Finding = {
  readonly what: string
  readonly is: 'ok' | 'off' | 'warn' | 'bad'
  readonly says: string
}

export const runDoctor: RunCommand = async (args, terminal, at) => {
  const clean = createScrubber()
  const findings = (await examine(at)).map(({ what, is, says }) => ({
    what,
    is,
    says: visibleText(clean(says)),
  }))
  const bad = findings.filter((finding) => finding.is === 'bad').length
  printAnswer(readOutput(args, terminal).output, {
    data: { problems: bad, findings },
    text: [
      ...findings.map(({ what, is, says }) => `${MARKS[is]} ${what.padEnd(12)} ${says}\n`),
      bad === 0
        ? '\nNo problems found.\n'
        : `\n${bad} ${bad === 1 ? 'problem' : 'problems'} to fix.\n`,
    ].join(''),
  })
  return bad === 0 ? 0 : 1
}

const MARKS = { ok: ' ok ', off: ' off', warn: 'warn', bad: ' BAD' } as const

async function examine(at: LocalTarget): Promise<readonly Finding[]> {
  const node: Finding = { what: 'node', is: 'ok', says: process.version }
  try {
    const config = await readConfig({
      env: process.env,
      folder: process.cwd(),
      file: at.config,
      overrides: { data: at.data },
    })
    return [
      node,
      ...checkSettings(config),
      ...config.packs.map(describePack),
      checkDataFolder(config),
      ...(await checkApp(config)),
      await checkPort(config),
      ...(await checkJwks(config)),
    ]
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown
    return [node, { what: 'settings', is: 'bad', says: thrown.message }]
  }
}

function checkSettings(config: Config): Finding[] {
  const file = config.file ?? 'none in this folder; defaults apply'
  const set = [...config.sources].map(([name, source]) => `${name} (${source})`)
  return [
    { what: 'config', is: config.file === undefined ? 'off' : 'ok', says: file },
    { what: 'settings', is: 'ok', says: set.length === 0 ? 'all defaults' : set.join(', ') },
    describeOptional(
      'tracing',
      config.otlpEndpoint,
      'set SUREHAND_OTLP_ENDPOINT to send spans to a collector',
    ),
    describeOptional(
      'public',
      config.publicUrl,
      'reachable from this machine only; set SUREHAND_PUBLIC_URL behind a proxy',
    ),
    describeOptional(
      'sign-in by',
      config.jwt?.issuer,
      'own tokens only; set jwt to accept tokens of an OIDC issuer',
    ),
  ]
}

function describeOptional(what: string, value: string | undefined, otherwise: string): Finding {
  return value === undefined
    ? { what, is: 'off', says: otherwise }
    : { what, is: 'ok', says: value }
}

function describePack(pack: Pack): Finding {
  const { name, tools, ports, secrets, settings, hosts, routes, schedules } = packManifest(pack)
  const set = Object.keys(secrets).map(
    (secret) => `${secret} (${secretSource(secret, process.env) ?? 'not set, optional'})`,
  )
  const chosen = Object.keys(settings).filter((setting) => (process.env[setting] ?? '') !== '')
  const parts = [
    `${tools.length} tools`,
    ...(ports.length === 0 ? [] : [`ports ${ports.join(', ')}`]),
    ...(set.length === 0 ? [] : [`secrets ${set.join(', ')}`]),
    ...(chosen.length === 0 ? [] : [`settings ${chosen.join(', ')}`]),
    ...(hosts.length === 0 ? [] : [`connects to ${hosts.join(', ')}`]),
    ...(routes.length === 0 ? [] : [`answers ${routes.join(', ')}`]),
    ...(schedules.length === 0 ? [] : [`runs ${schedules.join(', ')}`]),
  ]
  return { what: 'pack', is: 'ok', says: `${name}: ${parts.join('; ')}` }
}

function checkDataFolder({ data }: Config): Finding {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    accessSync(data, constants.W_OK)
    const openFolder = describeOpenFolder(data)
    return openFolder === undefined
      ? { what: 'data', is: 'ok', says: data }
      : { what: 'data', is: 'warn', says: openFolder }
  } catch {
    return {
      what: 'data',
      is: 'bad',
      says: `${data} is not writable. Make it writable for this user, or set SUREHAND_DATA to another folder`,
    }
  }
}

async function checkApp(config: Config): Promise<Finding[]> {
  let app: App | undefined
  try {
    app = await createApp(config)
    const tools = configuredTools(app.runtime.tools()).length
    await app.stores.admin.version(config.home)
    return [
      { what: 'keys', is: 'ok', says: `${app.keys.id}, audit ${app.keys.audit.id}` },
      { what: 'database', is: 'ok', says: config.databaseUrl ?? 'SQLite, in the data folder' },
      tools === 0
        ? {
            what: 'tools',
            is: 'off',
            says: 'none: list packs in surehand.config.ts, or start with --demo',
          }
        : {
            what: 'tools',
            is: 'ok',
            says: `${tools}; every port they need has a provider`,
          },
      ...(await checkSecrets(app)),
      await checkAudit(app),
    ]
  } catch (thrown) {
    const says = thrown instanceof Error ? thrown.message : String(thrown)
    return [
      {
        what: 'app',
        is: 'bad',
        says: existsSync(config.data) ? says : `${says} (there is no ${config.data})`,
      },
    ]
  } finally {
    await app?.close()
  }
}

/**
 * Credentials and webhooks of every tenant that cannot be decrypted any more, by name; all others
 * keep working.
 */
async function checkSecrets(app: App): Promise<Finding[]> {
  const { identityApi, imports, runtime, config } = app
  const tenants = new Set([
    config.home,
    ...(await identityApi.tenants.list(systemCaller(config.home))).map(({ id }) => id),
  ])
  const findings: Finding[] = []
  for (const tenant of tenants) {
    const by = systemCaller(tenant)
    const suffix = tenant === config.home ? '' : ` (of ${tenant})`
    for (const { problem } of await imports.credentials.list(by))
      if (problem !== undefined)
        findings.push({
          what: 'credential',
          is: 'bad',
          says: [problem.reason + suffix, ...problem.suggestions].join(' '),
        })
    for (const { unopened } of await runtime.administration.list(by, 'webhook'))
      if (unopened !== undefined)
        findings.push({
          what: 'webhook',
          is: 'bad',
          says: [unopened.message + suffix, ...(unopened.suggestions ?? [])].join(' '),
        })
  }
  return findings
}

async function checkAudit({ audit, config }: App): Promise<Finding> {
  const verdict = (await audit.verify?.(config.home)) as {
    readonly kind: string
    readonly size?: number
    readonly flaw?: { readonly what: string }
  }
  return verdict.kind === 'intact'
    ? { what: 'audit', is: 'ok', says: `${verdict.size} records, intact` }
    : { what: 'audit', is: 'bad', says: `${verdict.flaw?.what} Compare it with a backup.` }
}

function checkPort({ host, port }: Config): Promise<Finding> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () =>
      resolve({
        what: 'port',
        is: 'off',
        says: `${host}:${port} is in use, perhaps by a running server`,
      }),
    )
    probe.listen(port, host, () =>
      probe.close(() => resolve({ what: 'port', is: 'ok', says: `${host}:${port} is free` })),
    )
  })
}

async function checkJwks({ jwt }: Config): Promise<Finding[]> {
  if (jwt === undefined) return []
  try {
    const response = await fetch(jwt.jwksUrl, { signal: AbortSignal.timeout(5_000) })
    if (response.ok) return [{ what: 'jwks', is: 'ok', says: jwt.jwksUrl }]
    return [
      {
        what: 'jwks',
        is: 'bad',
        says: `${jwt.jwksUrl} responds with status ${response.status}. Set jwt.jwksUrl to the address of the issuer's keys`,
      },
    ]
  } catch {
    return [
      {
        what: 'jwks',
        is: 'bad',
        says: `${jwt.jwksUrl} cannot be reached. Allow the connection, or correct jwt.jwksUrl`,
      },
    ]
  }
}
