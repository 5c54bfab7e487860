import { safeLine, UsageError } from '@surehand/cli'
import { dataOf, tell, type Use } from './use.ts'

type Found = {
  readonly notes: readonly {
    readonly title: string
    readonly snippet?: string
    readonly tags?: readonly string[]
  }[]
  readonly total: number
}

const LONGEST_TITLE = 80

/** The first line is the title, the rest the note. */
export async function note(use: Use, words: readonly string[]): Promise<number> {
  const [first = '', ...rest] = words.join(' ').split('\n')
  if (first.trim() === '')
    throw new UsageError(
      'Say what is to be noted.',
      'surehand pm note "Compost: turn it once a week #garden"',
    )
  const colon = first.indexOf(': ')
  const end = colon > 0 && colon <= LONGEST_TITLE ? colon : first.length
  const body = [first.slice(end).replace(/^: /, ''), ...rest].join('\n').trim()
  const data = await dataOf<{ readonly note: { readonly title: string } }>(
    use,
    'knowledge.note_add',
    {
      title: first.slice(0, end).slice(0, LONGEST_TITLE),
      ...(body === '' ? {} : { body }),
    },
  )
  return tell(use, data, [`Noted under "${safeLine(data.note.title)}".`])
}

export async function notes(use: Use, words: readonly string[]): Promise<number> {
  const data = await dataOf<Found>(
    use,
    'knowledge.note_search',
    words.length === 0 ? {} : { query: words.join(' ') },
  )
  const lines = data.notes.flatMap(({ title, snippet, tags = [] }, index) => [
    `${String(index + 1).padStart(3)}  ${safeLine(title)}${tags.length === 0 ? '' : `   ${tags.map((tag) => `#${safeLine(tag)}`).join(' ')}`}`,
    ...(snippet === undefined || snippet === '' ? [] : [`       ${safeLine(snippet)}`]),
  ])
  return tell(use, data, lines.length === 0 ? ['No note says that.'] : lines)
}
