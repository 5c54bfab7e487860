import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { addNote } from './add-note.ts'

/** The table for local effects of the fixture pack; the code that opens the stores creates it. */
export const NOTES_SCHEMA: readonly string[] = [
  'create table notes (id {serial}, text text not null)',
]
export const COUNT_NOTES = 'select count(*) as notes from notes'

export const addNoteTool = defineTool({
  id: 'notes.add',
  title: 'Add a note',
  category: 'custom',
  description: 'Keeps a note in our own database.',
  input: z.object({ text: z.string().max(100) }),
  output: z.object({ id: z.number() }),
  contract: { effect: 'writes.note', reversible: true, idempotency: 'caller', timeout: '1s' },
  examples: [{ name: 'milk', input: { text: 'buy milk' } }],
  transaction: transact(
    addNote,
    ({ input }: { readonly input: { readonly text: string } }) => input,
  ),
})
