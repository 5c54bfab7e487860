import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { requireSelfScope } from '../../person.ts'

import { personalVault } from './personal-vault.ts'

export const forgetVault = defineTool({
  id: 'data.forget_vault',
  title: 'Delete your vault folder',
  category: 'integration',
  description:
    "Deletes a person's folder of Markdown files with everything in it, after their own consent. The notes in the database stay: data.delete_all deletes those.",
  version: '2.0.0',
  aliases: ['tools.data.forget_vault'],
  input: z.object({}),
  output: z.object({ files: z.int() }),
  sideEffects: [
    { type: 'filesystem', description: "Deletes the person's folder", reversible: false },
  ],
  contract: {
    effect: 'writes.file',
    reversible: false,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: [{ name: 'data.delete_all', scope: 'self_only' }],
    },
    approval: {
      kind: 'consent',
      asks: () => 'Delete the folder of your notes with every file in it?',
    },
    securityLevel: 'confidential',
    timeout: '60s',
    limits: [
      { calls: 3, per: '1m' },
      { calls: 10, per: '1h' },
    ],
  },
  ports: { vault: personalVault },
  examples: [{ name: 'forget', input: {} }],
  execute: async (execution) => {
    const { files } = await execution.ports.vault.forget(
      requireSelfScope(execution, 'data.delete_all'),
      execution.signal,
    )
    return { files }
  },
})
