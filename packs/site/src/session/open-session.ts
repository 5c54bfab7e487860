import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { Locale } from '@surehand/documents'
import { z } from 'zod'
import { systemOnly, type WriteRequest, writeRequest } from '../write-request.ts'

/** A visitor's session ends at the latest after this time. */
export const LONGEST_SESSION_MS = 8 * 3_600_000

const Input = z.object({
  sessionId: z.string().regex(/^ses_[A-Za-z0-9_-]{16,64}$/),
  /** SHA-256 of the visitor's token: the token itself is stored nowhere. */
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  key: z.string().max(128),
  origin: z.string().max(300),
  address: z.string().max(64),
  locale: Locale.optional(),
  timeZone: z.string().max(64).optional(),
})
type OpenInput = z.output<typeof Input>

const open = defineTransaction(
  'site.open_session',
  async (tx, { tenant, now, input }: WriteRequest<OpenInput>) => {
    const key = await tx.get(
      'select revoked_at from site_keys where key = ? and tenant = ?',
      input.key,
      tenant,
    )
    if (key === undefined || key.revoked_at !== null)
      throw new ToolError(
        'TOOL_INSUFFICIENT_PERMISSIONS',
        'This publishable key is not valid. No session was opened.',
      )
    await tx.run(
      `insert into site_sessions (tenant, id, key, token_hash, origin, locale, time_zone, created_at, expires_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      tenant,
      input.sessionId,
      input.key,
      input.tokenHash,
      input.origin,
      input.locale ?? null,
      input.timeZone ?? null,
      now,
      now + LONGEST_SESSION_MS,
    )
    return { sessionId: input.sessionId, expiresAt: now + LONGEST_SESSION_MS }
  },
)

export const openSession = defineTool({
  id: 'site.open_session',
  title: 'Open a visitor session',
  category: 'site',
  description: 'Opens the session of a visitor. Called by the server when a page loads the widget.',
  input: Input,
  output: z.object({ sessionId: z.string(), expiresAt: z.number() }),
  contract: {
    ...systemOnly,
    effect: 'writes.session',
    reversible: true,
    idempotency: ({ sessionId }) => sessionId,
    timeout: '5s',
    limits: [
      { calls: 1_200, per: '1m', by: ({ key }: OpenInput) => `key ${key}` },
      { calls: 30, per: '1m', by: ({ address }: OpenInput) => `address ${address}` },
      { calls: 300, per: '1h', by: ({ address }: OpenInput) => `address ${address}` },
    ],
  },
  examples: [
    {
      name: 'a visitor',
      input: {
        sessionId: 'ses_0123456789abcdef',
        tokenHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        key: 'pk_demo',
        origin: 'https://shop.example',
        address: '203.0.113.7',
        locale: 'en',
      },
    },
  ],
  transaction: transact(open, writeRequest<OpenInput>('ses')),
})
