import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { requireSelfScope } from '../../person.ts'

import { personalVault } from './personal-vault.ts'
import { MOST_STEPS, WriteItem } from './shapes.ts'

export const vaultWrite = defineTool({
  id: 'data.vault_write',
  title: 'Write notes to files',
  category: 'integration',
  description:
    "A step of data.sync_vault; call that tool instead. Writes notes of a person to their folder of Markdown files, and moves the files of deleted notes to the folder's trash. A file that was changed since the plan was made is skipped.",
  version: '2.0.0',
  aliases: ['tools.data.vault_write'],
  input: z.object({ items: z.array(WriteItem).min(1).max(MOST_STEPS) }),
  output: z.object({
    written: z.array(
      z.object({
        path: z.string(),
        done: z.enum(['written', 'removed', 'same', 'skipped']),
        why: z.string().optional(),
      }),
    ),
  }),
  sideEffects: [
    {
      type: 'filesystem',
      description: "Writes Markdown files in the person's folder",
      reversible: true,
    },
  ],
  contract: {
    audience: 'steps',
    effect: 'writes.file',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: [
        { name: 'data.import', scope: 'self_only' },
        { name: 'knowledge.read', scope: 'self_only' },
      ],
      resources: [{ type: 'filesystem', mode: 'write', scope: 'current_user' }],
    },
    securityLevel: 'confidential',
    timeout: '60s',
    limits: [{ calls: 600, per: '1m' }],
  },
  ports: { vault: personalVault },
  examples: [
    {
      name: 'removed',
      description: 'The file of a note that was deleted goes to the trash',
      input: {
        items: [
          {
            kind: 'remove',
            path: 'Old.md',
            fileHash: '01d09d19c2139a46aebfb577780d123d7396e97201bc7ead210a2ebff8239dee',
          },
        ],
      },
    },
    {
      name: 'another',
      input: {
        items: [
          {
            kind: 'remove',
            path: 'Older.md',
            fileHash: 'f5851620a22110d6ebb73809df89c6321e79b4483dd2eb84ea77948505561463',
          },
        ],
      },
    },
  ],
  execute: async (execution) => {
    const person = requireSelfScope(execution, 'knowledge.read')
    const written = await execution.ports.vault.apply(
      { person, items: execution.input.items },
      execution.signal,
    )
    return { written: written.map((one) => ({ ...one })) }
  },
})
