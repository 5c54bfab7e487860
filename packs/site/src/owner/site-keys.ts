import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { operatorOnly, type WriteRequest, writeRequest } from '../write-request.ts'

const Create = z.object({ name: z.string().trim().min(1).max(100) })
type CreateInput = z.output<typeof Create>

const create = defineTransaction(
  'site.create_key',
  async (tx, { tenant, now, id, input }: WriteRequest<CreateInput>) => {
    await tx.run(
      'insert into site_keys (key, tenant, name, created_at) values (?, ?, ?, ?)',
      id,
      tenant,
      input.name,
      now,
    )
    return { key: id, name: input.name }
  },
)

export const createKey = defineTool({
  id: 'site.create_key',
  title: 'Create a publishable key',
  category: 'site',
  description:
    'Creates a key for the script tag of the site. It is not secret: it opens sessions of visitors from the origins of the site, and does nothing else.',
  input: Create,
  output: z.object({ key: z.string(), name: z.string() }),
  contract: {
    ...operatorOnly,
    effect: 'writes.site',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  examples: [
    { name: 'production', input: { name: 'Production' } },
    { name: 'staging', input: { name: 'Staging' } },
  ],
  transaction: transact(create, writeRequest<CreateInput>('pk')),
})

const Revoke = z.object({ key: z.string().max(128) })
type RevokeInput = z.output<typeof Revoke>

const revoke = defineTransaction(
  'site.revoke_key',
  async (tx, { tenant, now, input }: WriteRequest<RevokeInput>) => {
    const { changes } = await tx.run(
      'update site_keys set revoked_at = ? where key = ? and tenant = ? and revoked_at is null',
      now,
      input.key,
      tenant,
    )
    if (changes === 0)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `There is no valid publishable key ${input.key}. List them with site.report.`,
      )
    const ended = await tx.run(
      'update site_sessions set ended_at = ? where tenant = ? and key = ? and ended_at is null',
      now,
      tenant,
      input.key,
    )
    return { key: input.key, endedSessions: ended.changes }
  },
)

export const revokeKey = defineTool({
  id: 'site.revoke_key',
  title: 'Revoke a publishable key',
  category: 'site',
  description: 'Revokes a publishable key and ends every session that was opened with it.',
  input: Revoke,
  output: z.object({ key: z.string(), endedSessions: z.int() }),
  contract: {
    ...operatorOnly,
    effect: 'writes.site',
    reversible: false,
    idempotency: 'caller',
    timeout: '5s',
  },
  examples: [{ name: 'a key', input: { key: 'pk_demo' } }],
  transaction: transact(revoke, writeRequest<RevokeInput>('rev')),
})
