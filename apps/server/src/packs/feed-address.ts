import { definePack, defineTool } from '@surehand/core'
import { z } from 'zod'
import { feedsPort } from './feeds-port.ts'

const MESSAGES = {
  keep: 'Subscribe to this address in a calendar. Keep it secret: everyone who knows it can read the calendar and what is due.',
  renew: 'The previous address no longer works.',
  close: 'The feed is closed; its address no longer works.',
} as const

export const feedAddress = defineTool({
  id: 'data.feed_address',
  title: 'Address of the calendar feed',
  category: 'data_analysis',
  description:
    'The secret address under which calendar programs subscribe to the own calendar and to what is due: tasks, habits with a reminder, project targets. It is created at the first call; "renew" replaces it, "close" ends it.',
  aliases: ['tools.data.feed_address'],
  input: z.object({ change: z.enum(['keep', 'renew', 'close']).default('keep') }),
  output: z.object({ url: z.string().nullable(), message: z.string() }),
  contract: {
    effect: 'writes.feed',
    reversible: true,
    idempotency: 'caller',
    permissions: { roles: ['user'], capabilities: [{ name: 'data.export', scope: 'self' }] },
    securityLevel: 'confidential',
    limits: [{ calls: 20, per: '1h' }],
  },
  ports: { feeds: feedsPort },
  examples: [
    { name: 'the address', input: {} },
    { name: 'another address', input: { change: 'renew' } },
  ],
  execute: async ({
    input: { change },
    caller: { tenant, principal },
    ports,
    idempotencyKey,
    signal,
  }) => ({
    ...(await ports.feeds.address({ tenant, principal, idempotencyKey, change }, signal)),
    message: MESSAGES[change],
  }),
})

/** Part of the server: the feed has the calendar of one pack and the tasks of another. */
export const feedPack = definePack({ name: 'personal-feed', tools: [feedAddress] })
