import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Approval } from '@surehand/core/ports'
import type { LinkedAction } from '@surehand/http'
import { z } from 'zod'

const Action = z.tuple([z.string(), z.string(), z.string(), z.string(), z.number()])

export type ActionLinks = {
  readonly write: (approval: Approval, principal: string) => string
  /** Undefined: this server did not write it, or its time is over. */
  readonly read: (text: string, nowMs: number) => LinkedAction | undefined
}

/**
 * Signs links that decide one approval request for one person. A link is used up by the decision,
 * because a request is decided once.
 */
export function createActionLinks(key: Uint8Array): ActionLinks {
  const sign = (text: string): Buffer =>
    createHmac('sha256', key).update(`surehand action link\n${text}`).digest()
  return {
    write({ tenant, id, digest, expiresAt }, principal) {
      const parts = [tenant, id, principal, digest, expiresAt]
      const text = Buffer.from(JSON.stringify(parts)).toString('base64url')
      return `${text}.${sign(text).toString('base64url')}`
    },
    read(link, nowMs) {
      const [text = '', signature = ''] = link.split('.')
      const [given, expected] = [Buffer.from(signature, 'base64url'), sign(text)]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      const [tenant, approval, principal, digest, expiresAt] = Action.parse(
        JSON.parse(Buffer.from(text, 'base64url').toString()),
      )
      return expiresAt > nowMs ? { tenant, approval, principal, digest } : undefined
    },
  }
}
