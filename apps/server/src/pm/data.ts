import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, relative, resolve } from 'node:path'
import {
  CANCELLED,
  createPrompt,
  exitCodeOf,
  isInteractive,
  printEnvelope,
  safeLine,
  UsageError,
} from '@surehand/cli'
import { callForData, callTool, type PmContext, printResult } from './pm-context.ts'

type Page = {
  readonly content?: string
  readonly files?: Readonly<Record<string, string>>
  readonly rows: number
  readonly next_cursor?: string
}

const FORMATS = ['json', 'markdown', 'csv', 'icalendar']

/** Exports all data to standard output, or into a folder with --to. */
export async function exportData(
  context: PmContext,
  [format = 'json', family]: readonly string[],
): Promise<number> {
  if (!FORMATS.includes(format))
    throw new UsageError(
      `"${format}" is not an export format.`,
      `surehand pm export ${FORMATS.join('|')} [--to FOLDER]`,
    )
  const pages: Page[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await callForData<Page>(context, 'data.export', {
      format,
      ...(family === undefined ? {} : { family }),
      ...(cursor === undefined ? {} : { cursor }),
    })
    pages.push(page)
    cursor = page.next_cursor
    if (cursor === undefined) break
  }
  const folder = context.flags.get('to')
  if (folder === undefined && format === 'markdown')
    throw new UsageError(
      'Markdown is exported as files, so it needs a folder.',
      'surehand pm export markdown --to FOLDER',
    )
  if (folder === undefined) {
    for (const { content } of pages)
      if (content !== undefined)
        context.terminal.stdout.write(content.endsWith('\n') ? content : `${content}\n`)
    return 0
  }
  const written = pages.flatMap((page, index) => writePage(folder, page, { format, index }))
  return printResult(context, { files: written }, [
    `${written.length} files in ${safeLine(folder)}.`,
  ])
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
    // The names come from a server, so a path that leads out of the folder is refused.
    if (relative(folder, path).startsWith('..'))
      throw new UsageError(
        `"${safeLine(name)}" leads out of the folder and was not written.`,
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

/** Imports a file. It only reports what it would do, unless --apply is given. */
export async function importData(
  context: PmContext,
  [file, family]: readonly string[],
): Promise<number> {
  if (file === undefined)
    throw new UsageError('Name the file to import.', 'surehand pm import tasks.csv tasks [--apply]')
  const format = KINDS[extname(file).toLowerCase()]
  if (format === undefined)
    throw new UsageError(
      `${file} must end in one of ${Object.keys(KINDS).join(', ')}.`,
      'surehand pm import FILE',
    )
  const data = await callForData<Imported>(context, 'data.import', {
    format,
    content: readFileSync(file, 'utf8'),
    dry_run: !context.flags.has('apply'),
    ...(family === undefined ? {} : { family }),
  })
  const added = Object.entries(data.added).map(([name, count]) => `${count} ${name}`)
  return printResult(context, data, [
    `${data.applied ? 'Added' : 'It would add'} ${added.length === 0 ? 'nothing' : added.join(', ')}; ${data.duplicates_total} exist already, ${data.problems_total} cannot be imported.`,
    ...data.problems
      .slice(0, 20)
      .map(
        (problem) =>
          `  ${safeLine(typeof problem === 'string' ? problem : JSON.stringify(problem))}`,
      ),
    ...(data.applied || data.added_total === 0
      ? []
      : ['To apply it, run the same command with --apply']),
  ])
}

export async function syncVault(context: PmContext): Promise<number> {
  const data = await callForData<{ readonly message?: string }>(context, 'data.sync_vault', {})
  return printResult(context, data, [safeLine(data.message ?? JSON.stringify(data))])
}

/** `feed`, `feed renew`, `feed close`. */
export async function manageFeed(
  context: PmContext,
  [change = 'keep']: readonly string[],
): Promise<number> {
  const data = await callForData<{ readonly url: string | null; readonly message: string }>(
    context,
    'data.feed_address',
    { change },
  )
  return printResult(context, data, [
    ...(data.url === null ? [] : [safeLine(data.url)]),
    safeLine(data.message),
  ])
}

/** Deletes all data of a person. They confirm here, and again in the approval. */
export async function forgetMe(context: PmContext): Promise<number> {
  if (context.format === 'words' && isInteractive(context.terminal)) {
    const sure = await createPrompt(context.terminal).confirm(
      'This deletes all your data permanently. "surehand pm export json" makes a copy first. Delete everything?',
    )
    if (sure === CANCELLED || sure === 'no') return 0
  }
  const envelope = await callTool(context, 'data.delete_all', {})
  printEnvelope(context.terminal, envelope, context.format)
  return exitCodeOf(envelope)
}

/** Sets the time zone of the person, or lists the preferences. */
export async function setTimeZone(context: PmContext, [name]: readonly string[]): Promise<number> {
  if (name === undefined) {
    const data = await callForData<{
      readonly preferences: readonly { readonly name: string; readonly value?: unknown }[]
    }>(context, 'system.preferences_get', {})
    return printResult(
      context,
      data,
      data.preferences.map((one) => `  ${one.name.padEnd(14)} ${safeLine(one.value ?? '–')}`),
    )
  }
  const data = await callForData<object>(context, 'system.preferences_set', { time_zone: name })
  return printResult(context, data, [`Your time zone is now ${safeLine(name)}.`])
}
