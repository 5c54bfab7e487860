import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'

/** The table for local effects of the fixture pack; the code that opens the stores creates it. */
export const NOTES_SCHEMA: readonly string[] = [
  'create table notes (id {serial}, text text not null)',
]
export const COUNT_NOTES = 'select count(*) as notes from notes'

/** Writes first and breaks afterwards, where the text says so: what it wrote must not stay. */
export const addNote = defineTransaction(
  'conformance.addNote',
  async (tx, { text }: { readonly text: string }) => {
    await tx.run('insert into notes (text) values (?)', text)
    if (text === 'break') throw new ToolError('TOOL_INTERNAL_ERROR', 'It broke after writing.')
    if (text === 'stuck') await new Promise(() => undefined)
    const row = await tx.get('select max(id) as id from notes')
    // a result that is not what the tool declares, on purpose
    const id = text === 'odd' ? 'odd' : Number(row?.id)
    return { id: id as number }
  },
)

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
