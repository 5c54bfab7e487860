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
  /** The first encrypts; all of them decrypt. */
  masters: z.array(Master).min(1),
  auditKey: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  /** Public keys of former audit keys: tree heads that they signed stay valid. */
  retiredAuditKeys: z.array(z.string()).default([]),
  /** Stays the same when keys are rotated: keys for providers are made with it. */
  installation: z.string().min(32).optional(),
})
type KeyFile = z.infer<typeof KeyFile>

/** The secret keys of an installation. */
export type Keys = {
  readonly sessions: Uint8Array
  readonly requestState: string
  /** For encrypted fields: the first encrypts, all decrypt. */
  readonly secretKeys: readonly Uint8Array[]
  /** For tenants' credentials, likewise. */
  readonly vault: readonly [Uint8Array, ...Uint8Array[]]
  /** For the cookies of the authorization server: the first signs, all verify. */
  readonly oauth: readonly Uint8Array[]
  readonly audit: AuditKey
  readonly auditPublic: readonly ReturnType<typeof readPublicAuditKey>[]
  /** The id of the newest key; it reveals nothing of the key. */
  readonly id: string
  /** Identifies this installation towards providers; see `RuntimeOptions.installation`. */
  readonly installation: string
  /** Seals audit records; stays the same when keys are rotated. */
  readonly seal: Uint8Array
}

export type KeyLocation = {
  readonly data: string
  readonly keys?: string | undefined
  readonly databaseUrl?: string | undefined
}

export function keyPath({ data, keys }: KeyLocation): string {
  return keys ?? join(data, 'keys.json')
}

/** Reads the keys; on SQLite, creates them at the first start. */
export function openKeys(place: KeyLocation): Keys {
  const path = keyPath(place)
  if (!existsSync(path)) {
    // Each node would create its own keys, and none could decrypt what another encrypted.
    if (place.databaseUrl !== undefined)
      throw new ConfigError(
        `There are no keys at ${path}. Create them once with "surehand keys new ${path}" and give every node the same file.`,
      )
    makeKeys(path)
  }
  return readKeys(place)
}

/** Reads the keys and never creates any. */
export function readKeys(place: KeyLocation): Keys {
  const path = keyPath(place)
  if (!existsSync(path))
    throw new ConfigError(
      `There are no keys at ${path}. Set SUREHAND_DATA or SUREHAND_KEYS to the place of this installation's keys.`,
    )
  return toKeys(readKeyFile(path))
}

/** Writes a new key file; never overwrites one. */
export function makeKeys(path: string): void {
  if (existsSync(path))
    throw new ConfigError(
      `There are keys at ${path} already. They are not overwritten, because what they encrypted could not be decrypted any more.`,
    )
  write(path, {
    masters: [newMaster()],
    auditKey: writeAuditKey(createAuditKey()),
    retiredAuditKeys: [],
    installation: randomBytes(32).toString('hex'),
  })
}

/** Puts new keys before the old ones: the new ones encrypt, the old ones still decrypt. */
export function rotateKeys(path: string): { readonly id: string; readonly auditKeyId: string } {
  const before = readKeyFile(path)
  const auditKey = createAuditKey()
  const retired = writePublicAuditKey(publicKeyOf(readAuditKey(before.auditKey)))
  const master = newMaster()
  write(path, {
    masters: [master, ...before.masters],
    auditKey: writeAuditKey(auditKey),
    retiredAuditKeys: [retired, ...before.retiredAuditKeys],
    installation: installationOf(before),
  })
  return { id: master.id, auditKeyId: auditKey.id }
}

// A file from before this field existed: its oldest key is the one that no rotation has replaced.
function installationOf({ installation, masters }: KeyFile): string {
  return (
    installation ??
    Buffer.from(deriveKey(masters.at(-1)?.secret ?? '', 'installation')).toString('hex')
  )
}

function newMaster(): z.infer<typeof Master> {
  return { id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('base64') }
}

// Written beside it first and then renamed: a crash in between leaves the old file intact.
function write(path: string, file: KeyFile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.new`
  writeFileSync(beside, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(beside, path)
}

function readKeyFile(path: string): KeyFile {
  if ((statSync(path).mode & 0o077) !== 0)
    throw new ConfigError(
      `${path} can be read by other users. To fix this, run "chmod 600 ${path}".`,
    )
  try {
    return KeyFile.parse(JSON.parse(readFileSync(path, 'utf8')), { jitless: true })
  } catch (thrown) {
    // zod's message may quote the keys, so it is not passed on.
    throw new ConfigError(
      `${path} is not a key file. Restore it from your backup: without its keys, what they encrypted cannot be decrypted.`,
      {
        cause: thrown instanceof z.ZodError ? undefined : thrown,
      },
    )
  }
}

function toKeys(file: KeyFile): Keys {
  const { masters, auditKey, retiredAuditKeys } = file
  // The schema requires at least one.
  const [newest, ...older] = masters as [KeyFile['masters'][number], ...KeyFile['masters']]
  const sessions = once(() => deriveKey(newest.secret, 'sessions'))
  const installation = once(() => installationOf(file))
  const seal = once(() => deriveKey(installation(), 'audit records'))
  const requestState = once(() =>
    Buffer.from(deriveKey(newest.secret, 'request state')).toString('base64url'),
  )
  const secretKeys = once(() => masters.map(({ secret }) => deriveKey(secret, 'fields at rest')))
  const vault = once((): Keys['vault'] => [
    deriveKey(newest.secret, 'credentials'),
    ...older.map(({ secret }) => deriveKey(secret, 'credentials')),
  ])
  const oauth = once(() => masters.map(({ secret }) => deriveKey(secret, 'oauth')))
  return {
    // Derived on first use: most calls encrypt and sign nothing.
    get sessions() {
      return sessions()
    },
    get requestState() {
      return requestState()
    },
    get seal() {
      return seal()
    },
    get secretKeys() {
      return secretKeys()
    },
    get vault() {
      return vault()
    },
    get oauth() {
      return oauth()
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
    get installation() {
      return installation()
    },
    id: newest.id,
  }
}

// One key per purpose: a leaked key reveals nothing of the others.
function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(
    hkdfSync('sha256', Buffer.from(secret, 'base64'), '', `surehand ${purpose}`, 32),
  )
}
