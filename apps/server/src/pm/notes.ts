import { safeLine, UsageError } from '@surehand/cli'
import { callForData, type PmContext, printResult } from './pm-context.ts'

type Found = {
  readonly notes: readonly {
    readonly title: string
    readonly snippet?: string
    readonly tags?: readonly string[]
  }[]
  readonly total: number
}

const LONGEST_TITLE = 80

/** The first line is the title, the rest is the text of the note. */
export async function addNote(context: PmContext, words: readonly string[]): Promise<number> {
  const [first = '', ...rest] = words.join(' ').split('\n')
  if (first.trim() === '')
    throw new UsageError(
      'The note is empty.',
      'surehand pm note "Compost: turn it once a week #garden"',
    )
  const colon = first.indexOf(': ')
  const end = colon > 0 && colon <= LONGEST_TITLE ? colon : first.length
  const body = [first.slice(end).replace(/^: /, ''), ...rest].join('\n').trim()
  const data = await callForData<{ readonly note: { readonly title: string } }>(
    context,
    'knowledge.note_add',
    {
      title: first.slice(0, end).slice(0, LONGEST_TITLE),
      ...(body === '' ? {} : { body }),
    },
  )
  return printResult(context, data, [`Added the note "${safeLine(data.note.title)}".`])
}

export async function searchNotes(context: PmContext, words: readonly string[]): Promise<number> {
  const data = await callForData<Found>(
    context,
    'knowledge.note_search',
    words.length === 0 ? {} : { query: words.join(' ') },
  )
  const lines = data.notes.flatMap(({ title, snippet, tags = [] }, index) => [
    `${String(index + 1).padStart(3)}  ${safeLine(title)}${tags.length === 0 ? '' : `   ${tags.map((tag) => `#${safeLine(tag)}`).join(' ')}`}`,
    ...(snippet === undefined || snippet === '' ? [] : [`       ${safeLine(snippet)}`]),
  ])
  return printResult(context, data, lines.length === 0 ? ['No note matches.'] : lines)
}
