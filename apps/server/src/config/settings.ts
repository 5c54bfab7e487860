import { z } from 'zod'

const Url = z.url({ protocol: /^https?$/, error: 'is not an http(s) address, as in https://tools.example' })
const Port = z.coerce.number({ error: 'is not a port' }).int('is not a port').min(0, 'is not a port').max(65_535, 'is not a port')
const Names = z.union([z.array(z.string().min(1)), z.string().transform(listed)])
const Seconds = z.coerce.number({ error: 'is not a number of seconds' }).min(0, 'is not a number of seconds').max(3_600)
const Count = z.coerce.number({ error: 'is not a whole number' }).int('is not a whole number').min(0, 'is not a whole number')
const Switch = z.union([z.boolean(), z.stringbool()], { error: 'is neither yes nor no' })

const Jwt = z.strictObject({
  issuer: z.string().min(1),
  audience: z.string().min(1),
  jwksUrl: Url,
  algorithms: z.array(z.string()).exactOptional(),
  /** The names of the claims that say who it is. */
  claims: z
    .strictObject({ tenant: z.string().default('tenant'), roles: z.string().default('roles'), principal: z.string().default('sub') })
    .prefault({}),
})

/** What may be set, in the file by its name, in the environment as SUREHAND_ and its name in capitals. */
export const Settings = z.strictObject({
  /** Where the database, the keys and the heads of the audit are. */
  data: z.string().min(1).default('.surehand'),
  /** `postgres://…`; without it, SQLite in the data folder. */
  databaseUrl: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'is not an address of PostgreSQL, as in postgres://user:password@host/database')
    .exactOptional(),
  /** The file of this house's keys; all nodes of a house have the same. */
  keys: z.string().min(1).exactOptional(),
  host: z.string().min(1).default('127.0.0.1'),
  port: Port.default(4114),
  /** Where it is reached from outside; links and origins are made of it. */
  publicUrl: Url.exactOptional(),
  /** Further Host headers that are answered, with their ports. */
  hosts: Names.default([]),
  /** Origins of pages that may call. */
  corsOrigins: Names.default([]),
  /** How many proxies of ours stand in front; their X-Forwarded-For is believed so far. */
  trustedProxies: z.coerce.number({ error: 'is not a number of proxies' }).int().min(0).max(10).default(0),
  /** The first tenant: its administrators keep the list of tenants. */
  home: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is lower-case letters, digits and hyphens')
    .default('home'),
  /** Packs that come with the server: `personal`, `events`. */
  builtIn: Names.default([]),
  /** Tools to try, on a payment service of pretence, and all packs that come with the server. */
  demo: Switch.default(false),
  mcpMode: z.enum(['plain', 'compact'], { error: 'is plain or compact' }).default('plain'),
  jwt: Jwt.exactOptional(),
  /** Whoever reads /metrics must show it; without it only this machine may. */
  metricsToken: z.string().min(16, 'is shorter than 16 characters').exactOptional(),
  /** Spans go there, by OTLP over HTTP. */
  otlpEndpoint: Url.exactOptional(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'is one of debug, info, warn, error, silent' }).default('info'),
  /** How long what runs may take to end when the server stops. */
  shutdownSeconds: Seconds.default(20),
  /** Hosts in networks of our own that webhooks may be sent to all the same. */
  privateHosts: Names.default([]),
  /** How much a tenant may bring: imported documents, mounted MCP servers, and what is kept of both together. */
  mostDocuments: Count.default(200),
  mostMounts: Count.default(20),
  mostDocumentMegabytes: Count.default(256),
  /** Where signed heads of the audit go beside the data folder: a file on another disk, or `stdout`. */
  auditAnchor: z.string().min(1).exactOptional(),
})

export type Settings = z.infer<typeof Settings>
export type SettingName = keyof Settings

function listed(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** `publicUrl` is SUREHAND_PUBLIC_URL. */
export function variableOf(name: string): string {
  return `SUREHAND_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
