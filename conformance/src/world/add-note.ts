import { defineTransaction, ToolError } from '@surehand/core/worker-entry'

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
