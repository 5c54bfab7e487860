import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { type Given, oneself } from '../../data/oneself.ts'
import { baseName } from '../file-name.ts'
import { readNote } from '../markdown-note.ts'
import { MOST_STEPS, Problem, TakeItem } from './shapes.ts'
import { takeFromVault } from './take.ts'

const Input = z.object({ items: z.array(TakeItem).min(1).max(MOST_STEPS) })

export const vaultTake = defineTool({
  id: 'data.vault_take',
  title: 'Take changes from files into notes',
  category: 'integration',
  description:
    'A step of data.sync_vault, which is what to call: brings what Markdown files say into the notes of a person. A note that was changed since the plan was made is left alone.',
  version: '2.0.0',
  aliases: ['tools.data.vault_take'],
  input: Input,
  output: z.object({ done: z.record(z.string(), z.int()), skipped: z.array(Problem) }),
  contract: {
    effect: 'writes.note',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: [
        { name: 'data.import', scope: 'self_only' },
        { name: 'knowledge.write', scope: 'self_only' },
      ],
    },
    securityLevel: 'confidential',
    maxInputBytes: 4 * 1024 * 1024,
    timeout: '60s',
    limits: [{ calls: 600, per: '1m' }],
  },
  examples: [
    {
      name: 'new_file',
      description: 'A file becomes a note',
      input: {
        items: [
          {
            kind: 'create',
            path: 'Inbox/From the phone.md',
            fileHash: 'a1',
            text: '---\ntags: [phone]\n---\nHello\n',
          },
        ],
      },
    },
    {
      name: 'another_file',
      input: {
        items: [{ kind: 'create', path: 'Another.md', fileHash: 'b2', text: 'Hello again\n' }],
      },
    },
  ],
  transaction: transact(takeFromVault, (execution: Given<z.output<typeof Input>>) => ({
    ...oneself(execution, 'knowledge.write'),
    now: execution.now(),
    items: execution.input.items.map((item) => told(item, execution.newId('note'))),
  })),
})

// the file's name is its title, also of the copy that is made of it
function told(item: TakeItem, newId: string) {
  if (!('text' in item)) return { ...item, newId }
  const { text, ...take } = item
  return {
    ...take,
    newId,
    note: readNote(text, baseName(take.kind === 'copy' ? take.copyPath : take.path)),
  }
}
