import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { once } from '@surehand/core/internal'
import {
  type AuditKey,
  createAuditKey,
  publicKeyOf,
  readAuditKey,
  readPublicAuditKey,
  writeAuditKey,
  writePublicAuditKey,
} from '@surehand/sql'
import { z } from 'zod'
import { ConfigError } from './config/config-error.ts'

// base64, 44 characters
const SECRET = /^[A-Za-z0-9+/]{42}(?:[A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==)$/
const Master = z.strictObject({ id: z.string().min(1), secret: z.string().regex(SECRET) })
const KeyFile = z.strictObject({
  /** The first seals what is new; with the others, what is old is opened. */
  masters: z.array(Master).min(1),
  auditKey: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  /** Public halves of audit keys that were in use once: their heads are still believed. */
  retiredAuditKeys: z.array(z.string()).default([]),
})
type KeyFile = z.infer<typeof KeyFile>

/** What only this app knows. */
export type Keys = {
  readonly sessions: Uint8Array
  readonly requestState: string
  /** For fields at rest: the first seals, all open. */
  readonly secretKeys: readonly Uint8Array[]
  /** For the credentials of tenants, likewise. */
  readonly vault: readonly [Uint8Array, ...Uint8Array[]]
  readonly audit: AuditKey
  readonly auditPublic: readonly ReturnType<typeof readPublicAuditKey>[]
  /** Names the newest, and tells nothing of it. */
  readonly id: string
}

export type KeyLocation = {
  readonly data: string
  readonly keys?: string | undefined
  readonly databaseUrl?: string | undefined
}

export function keyPath({ data, keys }: KeyLocation): string {
  return keys ?? join(data, 'keys.json')
}

/** The app's keys; made at the first start of an app on one machine. */
export function openKeys(place: KeyLocation): Keys {
  const path = keyPath(place)
  if (!existsSync(path)) {
    // each node would make its own, and none could open what another sealed
    if (place.databaseUrl !== undefined)
      throw new ConfigError(
        `There are no keys at ${path}: make them once with "surehand keys new ${path}", and give every node the same file.`,
      )
    makeKeys(path)
  }
  return readKeys(place)
}

/** Those that are there; none are made. */
export function readKeys(place: KeyLocation): Keys {
  const path = keyPath(place)
  if (!existsSync(path))
    throw new ConfigError(
      `There are no keys at ${path}: set SUREHAND_DATA or SUREHAND_KEYS to where this app has them.`,
    )
  return toKeys(readKeyFile(path))
}

/** Writes a new file of keys; one that is there already is never written over. */
export function makeKeys(path: string): void {
  if (existsSync(path))
    throw new ConfigError(
      `There are keys at ${path} already: what they sealed could not be opened any more.`,
    )
  write(path, {
    masters: [newMaster()],
    auditKey: writeAuditKey(createAuditKey()),
    retiredAuditKeys: [],
  })
}

/** New keys go before the old ones: what is new is sealed with them, what is old is opened as before. */
export function rotateKeys(path: string): { readonly id: string; readonly auditKeyId: string } {
  const before = readKeyFile(path)
  const auditKey = createAuditKey()
  const retired = writePublicAuditKey(publicKeyOf(readAuditKey(before.auditKey)))
  const master = newMaster()
  write(path, {
    masters: [master, ...before.masters],
    auditKey: writeAuditKey(auditKey),
    retiredAuditKeys: [retired, ...before.retiredAuditKeys],
  })
  return { id: master.id, auditKeyId: auditKey.id }
}

function newMaster(): z.infer<typeof Master> {
  return { id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('base64') }
}

// beside it first: a machine that stops meanwhile leaves the old file whole
function write(path: string, file: KeyFile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.new`
  writeFileSync(beside, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(beside, path)
}

function readKeyFile(path: string): KeyFile {
  if ((statSync(path).mode & 0o077) !== 0)
    throw new ConfigError(`${path} can be read by others: "chmod 600 ${path}" mends it.`)
  try {
    return KeyFile.parse(JSON.parse(readFileSync(path, 'utf8')), { jitless: true })
  } catch (thrown) {
    // what is wrong with it may quote it
    throw new ConfigError(
      `${path} is no file of keys: take it back from your backup. Without its keys, what they sealed cannot be opened.`,
      {
        cause: thrown instanceof z.ZodError ? undefined : thrown,
      },
    )
  }
}

function toKeys({ masters, auditKey, retiredAuditKeys }: KeyFile): Keys {
  // it has one: without any it would not have been read
  const [newest, ...older] = masters as [KeyFile['masters'][number], ...KeyFile['masters']]
  const sessions = once(() => deriveKey(newest.secret, 'sessions'))
  const requestState = once(() =>
    Buffer.from(deriveKey(newest.secret, 'request state')).toString('base64url'),
  )
  const secretKeys = once(() => masters.map(({ secret }) => deriveKey(secret, 'fields at rest')))
  const vault = once((): Keys['vault'] => [
    deriveKey(newest.secret, 'credentials'),
    ...older.map(({ secret }) => deriveKey(secret, 'credentials')),
  ])
  return {
    // made when they are asked for: most calls seal and sign nothing
    get sessions() {
      return sessions()
    },
    get requestState() {
      return requestState()
    },
    get secretKeys() {
      return secretKeys()
    },
    get vault() {
      return vault()
    },
    get audit() {
      return readAuditKey(auditKey)
    },
    get auditPublic() {
      return [
        publicKeyOf(readAuditKey(auditKey)),
        ...retiredAuditKeys.map((pem) => readPublicAuditKey(pem)),
      ]
    },
    id: newest.id,
  }
}

// one purpose, one key: what is learned of one tells nothing of another
function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(
    hkdfSync('sha256', Buffer.from(secret, 'base64'), '', `surehand ${purpose}`, 32),
  )
}
