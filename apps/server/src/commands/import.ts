import { parseArgs } from 'node:util'
import { UsageError } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { ImportForm, ImportReport, ImportView } from '@surehand/imports'
import type { App } from '../app.ts'
import {
  IMPORT_FLAGS,
  type ImportKind,
  readImportForm,
  readJson,
  withEverything,
} from './import-form.ts'
import { describeUnmatched, formatReport, type ReportContext } from './import-report.ts'
import { asPrincipal, type Output, printAnswer, type RunCommand, wrongUsage } from './with-app.ts'

/** Imports documents and mounts servers as tools, in a local data folder. */
export const runImport: RunCommand = asPrincipal(runImportAction)

export const runMount: RunCommand = asPrincipal(async (app, by, [name, ...rest], output) => {
  const { values } = parseArgs({
    args: [...rest],
    options: {
      url: { type: 'string' },
      server: { type: 'string' },
      overlay: { type: 'string' },
      credential: { type: 'string' },
    },
  })
  const { url, server, overlay, credential } = values
  if (name === undefined || (url === undefined) === (server === undefined))
    throw wrongUsage('mount')
  const settings = {
    ...(overlay === undefined ? {} : { overlay: readJson(overlay) }),
    ...(credential === undefined ? {} : { credential }),
  }
  return add(
    app,
    by,
    { name, form: { kind: 'mcp', from: url === undefined ? { server } : { url }, settings } },
    output,
  )
})

/** One use of `surehand import`, in an open app. */
export async function runImportAction(
  app: App,
  by: Caller,
  [verb = 'list', name, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  const { imports } = app.imports
  if (verb === 'list') {
    const data = await imports.list(by)
    printAnswer(output, { data, text: data.map((view) => `${formatImport(view)}\n`).join('') })
    return 0
  }
  if (name === undefined) throw wrongUsage('import')
  switch (verb) {
    case 'openapi':
    case 'graphql':
    case 'actions':
    case 'webmcp':
      return importDocument(app, by, { verb, name, rest }, output)
    case 'show':
      return printImport(await imports.get(by, name), output)
    case 'refresh':
      return printImport(await imports.refresh(by, name, new AbortController().signal), output)
    case 'accept':
      return accept(app, by, { name, rest }, output)
    case 'remove':
      await imports.remove(by, name)
      printAnswer(output, {
        data: { name, removed: true },
        text: `${visibleText(name)} and its tools were removed.\n`,
      })
      return 0
    default:
      throw wrongUsage('import')
  }
}

type ImportArguments = {
  readonly verb: ImportKind
  readonly name: string
  readonly rest: readonly string[]
}

async function importDocument(
  app: App,
  by: Caller,
  { verb, name, rest }: ImportArguments,
  output: Output,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...rest],
    options: IMPORT_FLAGS,
    allowPositionals: true,
  })
  const [place] = positionals
  if (place === undefined) throw wrongUsage('import')
  const form = readImportForm(verb, place, values)
  output.stderr.write(`Reading ${visibleText(place)} …\n`)
  const preview = (wanted: ImportForm): Promise<ImportReport> =>
    app.imports.imports.preview(by, name, wanted, new AbortController().signal)
  if (values.list === true) {
    const { taken } = await preview(withEverything(form))
    printAnswer(output, {
      data: taken,
      text: taken.map((id) => `${visibleText(id)}\n`).join(''),
      note: 'These could become tools. Nothing was imported.\n',
    })
    return 0
  }
  // A name that matches nothing is a mistake, and is found before anything is stored.
  const hasNames = values.allow !== undefined && !['all', 'reads'].includes(values.allow[0] ?? '')
  if (!hasNames && values['dry-run'] !== true) return add(app, by, { name, form }, output)
  const report = await preview(form)
  if (hasNames && (report.unmatched ?? []).length > 0)
    throw new UsageError(describeUnmatched(report.unmatched ?? []), 'surehand help import')
  if (values['dry-run'] !== true) return add(app, by, { name, form }, output)
  const text = formatReport(report, await reportContext(app, by))
  printAnswer(output, { data: report, text: `${text}Dry run: nothing was imported.\n` })
  return 0
}

async function reportContext(app: App, by: Caller): Promise<ReportContext> {
  const credentials = await app.imports.credentials.list(by)
  return { credentials: new Set(credentials.map(({ id }) => id)) }
}

async function add(
  app: App,
  by: Caller,
  wanted: { name: string; form: ImportForm },
  output: Output,
): Promise<number> {
  const { view, report } = await app.imports.imports.add(
    by,
    wanted.name,
    wanted.form,
    new AbortController().signal,
  )
  const text = formatReport(report, await reportContext(app, by)) + importPage(view)
  printAnswer(output, { data: { ...view, report }, text })
  return 0
}

async function accept(
  app: App,
  by: Caller,
  { name, rest }: { readonly name: string; readonly rest: readonly string[] },
  output: Output,
): Promise<number> {
  const { values } = parseArgs({
    args: [...rest],
    options: { tool: { type: 'string', multiple: true }, document: { type: 'string' } },
  })
  const { document } = values
  // The hash proves that the administrator has seen the document that is accepted.
  if (document === undefined) throw wrongUsage('import')
  const view = await app.imports.imports.accept(by, name, {
    document,
    ...(values.tool === undefined ? {} : { tools: values.tool }),
  })
  return printImport(view, output)
}

function formatImport({ name, kind, tools, held, trouble, refused }: ImportView): string {
  const states = [
    trouble ?? (held.length === 0 ? '' : `${held.length} held back`),
    refused?.says ?? '',
  ]
  const state = states.filter((one) => one !== '').join('; ')
  return `${visibleText(name).padEnd(24)} ${kind.padEnd(8)} ${String(tools).padStart(6)} tools  ${visibleText(state)}`.trimEnd()
}

const MOST_HELD = 40

function printImport(view: ImportView, output: Output): number {
  printAnswer(output, { data: view, text: importPage(view) })
  return 0
}

function importPage(view: ImportView): string {
  const { name, document, held, refused } = view
  return [
    `${formatImport(view)}\n`,
    ...held
      .slice(0, MOST_HELD)
      .flatMap(({ id, held: why, differences }) => [
        `  ${visibleText(id)}: ${why}\n`,
        ...differences.map((difference) => `    ${visibleText(difference)}\n`),
      ]),
    ...(refused?.mend ?? []).map((suggestion) => `  ${visibleText(suggestion)}\n`),
    held.length > MOST_HELD ? `  … and ${held.length - MOST_HELD} more.\n` : '',
    held.length > 0
      ? `To accept the changes after review: surehand import accept ${name} --document ${document}\n`
      : '',
  ].join('')
}
