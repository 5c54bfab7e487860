import { z } from 'zod'

const url = () =>
  z.url({ protocol: /^https?$/, error: 'is not an http(s) address, as in https://tools.example' })
const names = () => z.union([z.array(z.string().min(1)), z.string().transform(splitList)])
const count = () =>
  z.coerce
    .number({ error: 'is not a whole number' })
    .int('is not a whole number')
    .min(0, 'is not a whole number')
const text = () => z.string().min(1)

const jwt = () =>
  z.strictObject({
    issuer: z.string().min(1),
    audience: z.string().min(1),
    jwksUrl: url(),
    algorithms: z.array(z.string()).exactOptional(),
    /** The names of the claims that say who it is. */
    claims: z
      .strictObject({
        tenant: z.string().default('tenant'),
        roles: z.string().default('roles'),
        principal: z.string().default('sub'),
      })
      .prefault({}),
  })

/**
 * What may be set, in the file by its name, in the environment as SUREHAND_ and its name in capitals.
 * Each is made when it is set: a command that is given three settings does not wait for all.
 */
const FIELDS = {
  /** Where the database, the keys and the heads of the audit are. */
  data: text,
  /** `postgres://…`; without it, SQLite in the data folder. */
  databaseUrl: () =>
    z
      .string()
      .regex(
        /^postgres(?:ql)?:\/\//,
        'is not an address of PostgreSQL, as in postgres://user:password@host/database',
      ),
  /** The file of this app's keys; all nodes of an app have the same. */
  keys: text,
  host: text,
  port: () =>
    z.coerce
      .number({ error: 'is not a port' })
      .int('is not a port')
      .min(0, 'is not a port')
      .max(65_535, 'is not a port'),
  /** Where it is reached from outside; links and origins are made of it. */
  publicUrl: url,
  /** Further Host headers that are answered, with their ports. */
  hosts: names,
  /** Origins of pages that may call. */
  corsOrigins: names,
  /** How many proxies of ours stand in front; their X-Forwarded-For is believed so far. */
  trustedProxies: () =>
    z.coerce.number({ error: 'is not a number of proxies' }).int().min(0).max(10),
  /** Off: Node's HTTP server answers every request (docs/performance/http-fast-path.md). */
  fastPath: () => z.union([z.boolean(), z.stringbool()], { error: 'is neither true nor false' }),
  /** The first tenant: its administrators keep the list of tenants. */
  home: () =>
    z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is lower-case letters, digits and hyphens'),
  /** Packs that come with the server: `personal`, `events`. */
  builtIn: names,
  /** Tools to try, on a payment service of pretence, and all packs that come with the server. */
  demo: () => z.union([z.boolean(), z.stringbool()], { error: 'is neither yes nor no' }),
  mcpMode: () => z.enum(['plain', 'compact'], { error: 'is plain or compact' }),
  jwt,
  /** Whoever reads /metrics must show it; without it only this machine may. */
  metricsToken: () => z.string().min(16, 'is shorter than 16 characters'),
  /** Spans go there, by OTLP over HTTP. */
  otlpEndpoint: url,
  logLevel: () =>
    z.enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'is one of debug, info, warn, error, silent',
    }),
  /** How long what runs may take to end when the server stops. */
  shutdownSeconds: () =>
    z.coerce
      .number({ error: 'is not a number of seconds' })
      .min(0, 'is not a number of seconds')
      .max(3_600),
  /** Hosts in networks of our own that webhooks may be sent to all the same. */
  privateHosts: names,
  /** How much a tenant may bring: imported documents, mounted MCP servers, and what is kept of both together. */
  mostDocuments: count,
  mostMounts: count,
  mostDocumentMegabytes: count,
  /** Where signed heads of the audit go beside the data folder: a file on another disk, or `stdout`. */
  auditAnchor: text,
} as const satisfies Readonly<Record<string, () => z.ZodType>>

type Fields = typeof FIELDS
export type SettingName = keyof Fields
type Read<N extends SettingName> = z.output<ReturnType<Fields[N]>>

/** What holds where nothing is set; the others are left out then. */
export const DEFAULTS = {
  data: '.surehand',
  host: '127.0.0.1',
  port: 4114,
  hosts: [],
  corsOrigins: [],
  trustedProxies: 0,
  fastPath: true,
  home: 'home',
  builtIn: [],
  demo: false,
  mcpMode: 'plain',
  logLevel: 'info',
  shutdownSeconds: 20,
  privateHosts: [],
  mostDocuments: 200,
  mostMounts: 20,
  mostDocumentMegabytes: 256,
} as const satisfies { readonly [N in SettingName]?: Readonly<Read<N>> }

export type Settings = { readonly [N in keyof typeof DEFAULTS]: Readonly<Read<N>> } & {
  readonly [N in Exclude<SettingName, keyof typeof DEFAULTS>]?: Readonly<Read<N>>
}

export const SETTING_NAMES: readonly SettingName[] = Object.keys(FIELDS) as SettingName[]

export type SettingIssue = {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code?: string
  readonly keys?: readonly string[]
}

/** Everything that was given, read; or all that is wrong with it. */
export function readSettings(
  given: Readonly<Record<string, unknown>>,
): { readonly settings: Settings } | { readonly issues: readonly SettingIssue[] } {
  const read: Record<string, unknown> = {}
  const issues: SettingIssue[] = []
  for (const name of SETTING_NAMES) {
    if (!Object.hasOwn(given, name)) continue
    // each is read once: compiling how would take longer
    const parsed = FIELDS[name]().safeParse(given[name], { jitless: true })
    if (parsed.success) read[name] = parsed.data
    else
      issues.push(
        ...parsed.error.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] })),
      )
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(FIELDS, name))
  if (unknown.length > 0)
    issues.push({ code: 'unrecognized_keys', keys: unknown, path: [], message: '' })
  // erased: each was read by the field of its own name
  return issues.length > 0 ? { issues } : { settings: { ...DEFAULTS, ...read } as Settings }
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** `publicUrl` is SUREHAND_PUBLIC_URL. */
export function environmentVariable(name: string): string {
  return `SUREHAND_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
