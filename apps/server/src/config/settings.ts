import { z } from 'zod'

const url = () =>
  z.url({ protocol: /^https?$/, error: 'is not an http(s) address, as in https://tools.example' })
const names = () => z.union([z.array(z.string().min(1)), z.string().transform(splitList)])
const count = () =>
  z.coerce
    .number({ error: 'is not a whole number' })
    .int('is not a whole number')
    .min(0, 'is not a whole number')
const positive = () =>
  z.coerce
    .number({ error: 'is not a whole number above 0' })
    .int('is not a whole number above 0')
    .min(1, 'is not a whole number above 0')
const text = () => z.string().min(1)

const jwt = () =>
  z.strictObject({
    issuer: z.string().min(1),
    audience: z.string().min(1),
    jwksUrl: url(),
    algorithms: z.array(z.string()).exactOptional(),
    /** The names of the claims that identify the caller. */
    claims: z
      .strictObject({
        tenant: z.string().default('tenant'),
        roles: z.string().default('roles'),
        principal: z.string().default('sub'),
      })
      .prefault({}),
  })

/**
 * The settings: in the file by name, in the environment as SUREHAND_ and the name in capitals.
 * Each schema is created only when its setting is given, which keeps the start of a command short.
 */
const FIELDS = {
  /** The folder of the database, the keys and the signed audit heads. */
  data: text,
  /** `postgres://…`; without it, SQLite in the data folder. */
  databaseUrl: () =>
    z
      .string()
      .regex(
        /^postgres(?:ql)?:\/\//,
        'is not an address of PostgreSQL, as in postgres://user:password@host/database',
      ),
  /** The key file; all nodes of an installation need the same one. */
  keys: text,
  host: text,
  port: () =>
    z.coerce
      .number({ error: 'is not a port' })
      .int('is not a port')
      .min(0, 'is not a port')
      .max(65_535, 'is not a port'),
  /** The server's address as seen from outside; links and origins are built from it. */
  publicUrl: url,
  /** Further accepted Host headers, with their ports. */
  hosts: names,
  /** Origins of web pages that may call the API. */
  corsOrigins: names,
  /** The number of proxies in front of the server whose X-Forwarded-For entries are trusted. */
  trustedProxies: () =>
    z.coerce.number({ error: 'is not a number of proxies' }).int().min(0).max(10),
  /** Requests with one token: so many a second, and so many at once. */
  requestsPerSecond: positive,
  requestsAtOnce: positive,
  /** Streams (events, subscriptions) that are open at once in one process. */
  streamsPerPrincipal: positive,
  streamsPerTenant: positive,
  streamsInAll: positive,
  /** How large an MCP message may be that does not name its tool in a header. */
  mcpMessageBytes: positive,
  /** Off: Node's HTTP server answers every request (docs/performance/http-fast-path.md). */
  fastPath: () => z.union([z.boolean(), z.stringbool()], { error: 'is neither true nor false' }),
  /** Memory is collected whole when it has grown so much (docs/performance/heap-growth.md). */
  heapGrowthPercent: () => count().max(1_000, 'is more than 1000'),
  /** The first tenant; its administrators manage the list of tenants. */
  home: () =>
    z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is lower-case letters, digits and hyphens'),
  /** Built-in packs to load: `personal`, `events`. */
  builtIn: names,
  /** Loads the demo shop and all built-in packs. */
  demo: () => z.union([z.boolean(), z.stringbool()], { error: 'is neither true nor false' }),
  mcpMode: () => z.enum(['plain', 'compact'], { error: 'is plain or compact' }),
  jwt,
  /** MCP clients can connect with the server's address alone: people sign in and consent. */
  oauth: () => z.union([z.boolean(), z.stringbool()], { error: 'is neither true nor false' }),
  /** How many days a consent to such a client lasts. */
  oauthDays: () => positive().max(365, 'is more than 365 days'),
  /** Clients that register themselves: from one address in an hour, and in all in a day. */
  oauthRegistrationsPerAddress: positive,
  oauthRegistrationsInAll: positive,
  /** The bearer token for /metrics; without it, only this machine may read them. */
  metricsToken: () => z.string().min(16, 'is shorter than 16 characters'),
  /** Where spans are sent, by OTLP over HTTP. */
  otlpEndpoint: url,
  logLevel: () =>
    z.enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'is one of debug, info, warn, error, silent',
    }),
  /** How long running calls may take to end when the server stops. */
  shutdownSeconds: () =>
    z.coerce
      .number({ error: 'is not a number of seconds' })
      .min(0, 'is not a number of seconds')
      .max(3_600),
  /** Hosts in private networks that webhooks, imports and packs may reach. */
  privateHosts: names,
  /**
   * Limits per tenant: imported documents, mounted MCP servers, and the storage of both together.
   */
  mostDocuments: count,
  mostMounts: count,
  mostDocumentMegabytes: count,
  /** The mail server that notifications are sent by, as in smtps://user:password@mail.example. */
  smtpUrl: () =>
    z.url({
      protocol: /^smtps?$/,
      error: 'is not an address as in smtps://user:password@mail.example',
    }),
  /** The sender of these mails. */
  mailFrom: () => z.email('is not an e-mail address'),
  /** A bot's token, by which people are written to in Slack. */
  slackToken: text,
  /** Where Slack's API is. */
  slackUrl: url,
  /** A second place for signed audit heads: a file on another disk, or `stdout`. */
  auditAnchor: text,
} as const satisfies Readonly<Record<string, () => z.ZodType>>

type Fields = typeof FIELDS
export type SettingName = keyof Fields
type Read<N extends SettingName> = z.output<ReturnType<Fields[N]>>

/** Defaults; settings without one stay undefined. */
export const DEFAULTS = {
  data: '.surehand',
  host: '127.0.0.1',
  port: 4114,
  hosts: [],
  corsOrigins: [],
  trustedProxies: 0,
  requestsPerSecond: 200,
  requestsAtOnce: 400,
  streamsPerPrincipal: 50,
  streamsPerTenant: 500,
  streamsInAll: 2_000,
  mcpMessageBytes: 2 * 1024 * 1024,
  fastPath: true,
  heapGrowthPercent: 100,
  home: 'home',
  builtIn: [],
  demo: false,
  mcpMode: 'plain',
  oauth: false,
  oauthDays: 90,
  oauthRegistrationsPerAddress: 20,
  oauthRegistrationsInAll: 1_000,
  logLevel: 'info',
  shutdownSeconds: 20,
  privateHosts: [],
  mostDocuments: 200,
  mostMounts: 20,
  mostDocumentMegabytes: 256,
  slackUrl: 'https://slack.com/api',
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

/** Parses all given settings, or returns everything that is wrong with them. */
export function readSettings(
  given: Readonly<Record<string, unknown>>,
): { readonly settings: Settings } | { readonly issues: readonly SettingIssue[] } {
  const read: Record<string, unknown> = {}
  const issues: SettingIssue[] = []
  for (const name of SETTING_NAMES) {
    if (!Object.hasOwn(given, name)) continue
    // Each schema is used once: compiling it would take longer than interpreting it.
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
  // each was parsed by the schema of its own name
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
