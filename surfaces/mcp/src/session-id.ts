import { Buffer } from 'node:buffer'
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { sha256 } from '@surehand/core/internal'
import type { Clock } from '@surehand/core/ports'
import { z } from 'zod'

export type Owner = { readonly tenant: string; readonly principal: string }

const Opening = z.object({
  owner: z.string(),
  at: z.number(),
  nonce: z.string(),
  protocol: z.string(),
  client: z.object({ name: z.string(), version: z.string() }),
  capabilities: z.record(z.string(), z.unknown()),
})
type Opening = z.infer<typeof Opening>

const VALID_MS = 30 * 86_400_000
// Capabilities beyond this would make the header larger than proxies accept.
const MAX_CAPABILITIES = 2_000
const MAX_NAME = 64

type Sealing = { readonly owner: Owner; readonly key: string; readonly clock: Pick<Clock, 'now'> }

/**
 * The id of a session that is opened with these parameters. It says all that a node must know to
 * continue the session, signed with the key that the nodes share.
 */
export function sealId(
  params: { readonly [name: string]: unknown },
  { owner, key, clock }: Sealing,
): string {
  const { capabilities, clientInfo, protocolVersion } = params as {
    readonly capabilities?: Readonly<Record<string, unknown>>
    readonly clientInfo?: { readonly name?: unknown; readonly version?: unknown }
    readonly protocolVersion?: unknown
  }
  const opening: Opening = {
    owner: digestOf(owner),
    at: clock.now(),
    nonce: randomUUID(),
    protocol: String(protocolVersion).slice(0, MAX_NAME),
    client: {
      name: String(clientInfo?.name).slice(0, MAX_NAME),
      version: String(clientInfo?.version).slice(0, MAX_NAME),
    },
    capabilities: shorten(capabilities ?? {}),
  }
  const body = Buffer.from(JSON.stringify(opening)).toString('base64url')
  return `${body}.${macOf(body, key)}`
}

/** What a session id says; undefined when it is forged, too old, or of another principal. */
export function openId(id: string, { owner, key, clock }: Sealing): Opening | undefined {
  const [body = '', mac = '', ...rest] = id.split('.')
  if (rest.length > 0 || !isSame(mac, macOf(body, key))) return undefined
  const opening = Opening.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  const isOwn = opening.owner === digestOf(owner)
  return isOwn && clock.now() - opening.at < VALID_MS ? opening : undefined
}

// A client whose capabilities do not fit is not asked in the middle of a call.
function shorten(capabilities: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.stringify(capabilities).length > MAX_CAPABILITIES ? {} : { ...capabilities }
}

function digestOf({ tenant, principal }: Owner): string {
  return sha256(JSON.stringify([tenant, principal])).slice(0, 32)
}

export function isSameOwner(left: Owner, right: Owner): boolean {
  return left.tenant === right.tenant && left.principal === right.principal
}

function macOf(body: string, key: string): string {
  return createHmac('sha256', key).update(`mcp-session:${body}`).digest('base64url')
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
