import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, relative, resolve } from 'node:path'
import {
  CANCELLED,
  exitCodeOf,
  isInteractive,
  printEnvelope,
  promptOn,
  safeLine,
  UsageError,
} from '@surehand/cli'
import { ask, dataOf, tell, type Use } from './use.ts'

type Page = {
  readonly content?: string
  readonly files?: Readonly<Record<string, string>>
  readonly rows: number
  readonly next_cursor?: string
}

const FORMATS = ['json', 'markdown', 'csv', 'icalendar']

/** Everything, in the open: to standard output, or into a folder with --to. */
export async function exportData(
  use: Use,
  [format = 'json', family]: readonly string[],
): Promise<number> {
  if (!FORMATS.includes(format))
    throw new UsageError(
      `There is no export as ${format}.`,
      `surehand pm export ${FORMATS.join('|')} [--to FOLDER]`,
    )
  const pages: Page[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await dataOf<Page>(use, 'data.export', {
      format,
      ...(family === undefined ? {} : { family }),
      ...(cursor === undefined ? {} : { cursor }),
    })
    pages.push(page)
    cursor = page.next_cursor
    if (cursor === undefined) break
  }
  const folder = use.flags.get('to')
  if (folder === undefined && format === 'markdown')
    throw new UsageError(
      'Markdown is a folder of files.',
      'surehand pm export markdown --to FOLDER',
    )
  if (folder === undefined) {
    for (const { content } of pages)
      if (content !== undefined)
        use.terminal.stdout.write(content.endsWith('\n') ? content : `${content}\n`)
    return 0
  }
  const written = pages.flatMap((page, index) => writePage(folder, page, { format, index }))
  return tell(use, { files: written }, [`${written.length} files in ${safeLine(folder)}.`])
}

const ENDINGS: Readonly<Record<string, string>> = { json: 'json', csv: 'csv', icalendar: 'ics' }

function writePage(
  folder: string,
  { content, files = {} }: Page,
  { format, index }: { readonly format: string; readonly index: number },
): readonly string[] {
  const named =
    content === undefined
      ? Object.entries(files)
      : [[`personal-${index + 1}.${ENDINGS[format] ?? 'txt'}`, content] as const]
  return named.map(([name, text]) => {
    const path = resolve(folder, name)
    // names come from a server: none leads out of the folder
    if (relative(folder, path).startsWith('..'))
      throw new UsageError(
        `"${safeLine(name)}" leads out of the folder.`,
        'surehand pm export json',
      )
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return name
  })
}

type Imported = {
  readonly applied: boolean
  readonly added: Readonly<Record<string, number>>
  readonly added_total: number
  readonly duplicates_total: number
  readonly problems_total: number
  readonly problems: readonly unknown[]
}

const KINDS: Readonly<Record<string, string>> = {
  '.json': 'json',
  '.csv': 'csv',
  '.md': 'markdown',
  '.ics': 'icalendar',
}

/** Says what it would do; --apply does it. */
export async function importData(use: Use, [file, family]: readonly string[]): Promise<number> {
  if (file === undefined)
    throw new UsageError('Say which file.', 'surehand pm import tasks.csv tasks [--apply]')
  const format = KINDS[extname(file).toLowerCase()]
  if (format === undefined)
    throw new UsageError(
      `${file} is none of ${Object.keys(KINDS).join(', ')}.`,
      'surehand pm import FILE',
    )
  const data = await dataOf<Imported>(use, 'data.import', {
    format,
    content: readFileSync(file, 'utf8'),
    dry_run: !use.flags.has('apply'),
    ...(family === undefined ? {} : { family }),
  })
  const added = Object.entries(data.added).map(([name, count]) => `${count} ${name}`)
  return tell(use, data, [
    `${data.applied ? 'Added' : 'It would add'} ${added.length === 0 ? 'nothing' : added.join(', ')}; ${data.duplicates_total} are there already, ${data.problems_total} can't be read.`,
    ...data.problems
      .slice(0, 20)
      .map(
        (problem) =>
          `  ${safeLine(typeof problem === 'string' ? problem : JSON.stringify(problem))}`,
      ),
    ...(data.applied || data.added_total === 0 ? [] : ['Do it: the same command with --apply']),
  ])
}

export async function sync(use: Use): Promise<number> {
  const data = await dataOf<{ readonly message?: string }>(use, 'data.sync_vault', {})
  return tell(use, data, [safeLine(data.message ?? JSON.stringify(data))])
}

/** `feed`, `feed renew`, `feed close` */
export async function feed(use: Use, [change = 'keep']: readonly string[]): Promise<number> {
  const data = await dataOf<{ readonly url: string | null; readonly message: string }>(
    use,
    'data.feed_address',
    { change },
  )
  return tell(use, data, [
    ...(data.url === null ? [] : [safeLine(data.url)]),
    safeLine(data.message),
  ])
}

/** "Forget me": a person says yes twice, here and to the approval. */
export async function forgetMe(use: Use): Promise<number> {
  if (use.format === 'words' && isInteractive(use.terminal)) {
    const sure = await promptOn(use.terminal).confirm(
      'Everything you keep here goes, for good. "surehand pm export json" keeps a copy. Go on?',
    )
    if (sure === CANCELLED || sure === 'no') return 0
  }
  const envelope = await ask(use, 'data.delete_all', {})
  printEnvelope(use.terminal, envelope, use.format)
  return exitCodeOf(envelope)
}

/** The clocks on the wall where the person is. */
export async function zone(use: Use, [name]: readonly string[]): Promise<number> {
  if (name === undefined) {
    const data = await dataOf<{
      readonly preferences: readonly { readonly name: string; readonly value?: unknown }[]
    }>(use, 'system.preferences_get', {})
    return tell(
      use,
      data,
      data.preferences.map((one) => `  ${one.name.padEnd(14)} ${safeLine(one.value ?? '–')}`),
    )
  }
  const data = await dataOf<object>(use, 'system.preferences_set', { time_zone: name })
  return tell(use, data, [`Your days are those of ${safeLine(name)} now.`])
}
