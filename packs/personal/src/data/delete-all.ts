import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { deleteEverything } from './delete-everything.ts'
import { type Given, oneself } from './oneself.ts'

const Input = z.object({
  shared_projects: z
    .enum(['hand_over', 'delete'])
    .default('hand_over')
    .describe(
      'Projects that others work on: handed to whoever has been with them the longest, or deleted for everybody.',
    ),
})

function asks({ shared_projects }: z.output<typeof Input>): string {
  const shared =
    shared_projects === 'hand_over'
      ? 'Projects of yours that others work on are handed to whoever has been with them the longest.'
      : 'Projects of yours that others work on are deleted for them too.'
  return `Delete everything that is kept of you: habits and their records, tasks, projects, deep work, reviews, notes and preferences? ${shared} Files of a vault stay until data.forget_vault. This can not be undone; data.export gives you a copy first.`
}

export const deleteAll = defineTool({
  id: 'data.delete_all',
  title: 'Delete all of your data',
  category: 'data_analysis',
  description:
    'Forgets a person: deletes everything that the personal manager keeps of them, for good, after they said yes themselves. Offer data.export first. Files in a vault and the records of calls are not touched: data.forget_vault and the house do that.',
  version: '2.0.0',
  aliases: ['tools.data.delete_all'],
  input: Input,
  output: z.object({
    deleted: z.record(z.string(), z.int()),
    projects_handed_over: z.int(),
    memberships_left: z.int(),
  }),
  sideEffects: [
    {
      type: 'delete',
      description: 'Deletes everything that is kept of the person',
      reversible: false,
    },
  ],
  contract: {
    effect: 'writes.data',
    reversible: false,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: [{ name: 'data.delete_all', scope: 'self_only' }],
    },
    // nobody says yes to this for somebody else, and no host relays it
    approval: { kind: 'consent', asks },
    securityLevel: 'confidential',
    timeout: '60s',
    limits: [
      { calls: 3, per: '1m' },
      { calls: 10, per: '1h' },
    ],
  },
  examples: [
    { name: 'forget_me', description: 'Shared projects live on with the others', input: {} },
    {
      name: 'with_projects',
      description: 'Shared projects go too',
      input: { shared_projects: 'delete' },
    },
  ],
  transaction: transact(deleteEverything, (execution: Given<z.output<typeof Input>>) => ({
    ...oneself(execution, 'data.delete_all'),
    now: execution.now(),
    sharedProjects: execution.input.shared_projects,
  })),
})
