import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Terminal } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { ImportForm, ImportReport, ImportView } from '@surehand/imports'
import type { App } from '../app.ts'
import { asPrincipal, printUsage, type RunCommand } from './with-app.ts'

/** Imports documents and mounts servers as tools, in a local data folder. */
export const runImport: RunCommand = asPrincipal(runImportAction)

export const runMount: RunCommand = asPrincipal(async (app, by, [name, ...rest], terminal) => {
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
    return printUsage('mount', terminal.stderr)
  const settings = {
    ...(overlay === undefined ? {} : { overlay: readJson(overlay) }),
    ...(credential === undefined ? {} : { credential }),
  }
  return add(
    app,
    by,
    { name, form: { kind: 'mcp', from: url === undefined ? { server } : { url }, settings } },
    terminal,
  )
})

async function runImportAction(
  app: App,
  by: Caller,
  [verb = 'list', name, ...rest]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { imports } = app.imports
  const { stdout, stderr } = terminal
  if (verb === 'list') {
    for (const view of await imports.list(by)) stdout.write(`${formatImport(view)}\n`)
    return 0
  }
  if (name === undefined) return printUsage('import', stderr)
  switch (verb) {
    case 'openapi':
    case 'graphql':
    case 'actions':
    case 'webmcp':
      return importDocument(app, by, { verb, name, rest }, terminal)
    case 'show':
      printImport(await imports.get(by, name), stdout)
      return 0
    case 'refresh':
      printImport(await imports.refresh(by, name, new AbortController().signal), stdout)
      return 0
    case 'accept':
      return accept(app, by, { name, rest }, terminal)
    case 'remove':
      await imports.remove(by, name)
      stdout.write(`${visibleText(name)} and its tools were removed.\n`)
      return 0
    default:
      return printUsage('import', stderr)
  }
}

const FLAGS = {
  allow: { type: 'string', multiple: true },
  sidecar: { type: 'string' },
  overlay: { type: 'string' },
  server: { type: 'string' },
  schema: { type: 'string' },
  auth: { type: 'string' },
  credential: { type: 'string', multiple: true },
  refresh: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const

type ImportArguments = {
  readonly verb: 'openapi' | 'graphql' | 'actions' | 'webmcp'
  readonly name: string
  readonly rest: readonly string[]
}

async function importDocument(
  app: App,
  by: Caller,
  { verb, name, rest }: ImportArguments,
  terminal: Terminal,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...rest],
    options: FLAGS,
    allowPositionals: true,
  })
  const [place] = positionals
  if (place === undefined) return printUsage('import', terminal.stderr)
  const form = readImportForm(verb, place, values)
  if (values['dry-run'] !== true) return add(app, by, { name, form }, terminal)
  printReport(
    await app.imports.imports.preview(by, name, form, new AbortController().signal),
    terminal.stdout,
  )
  terminal.stdout.write('Dry run: nothing was imported.\n')
  return 0
}

type Values = ReturnType<typeof parseArgs<{ options: typeof FLAGS }>>['values']

function readImportForm(verb: ImportArguments['verb'], place: string, values: Values): ImportForm {
  switch (verb) {
    case 'openapi':
      return openApiForm(place, values)
    case 'graphql':
      return graphqlForm(place, values)
    case 'actions':
      return { kind: 'actions', ...readPlace(place), ...readRefresh(values.refresh) }
    case 'webmcp':
      return { kind: 'webmcp', from: { origin: place }, refreshSeconds: 0 }
  }
}

function openApiForm(
  place: string,
  { allow, sidecar, overlay, server, auth, credential, refresh }: Values,
): ImportForm {
  const [first] = allow ?? []
  const wanted =
    first === 'all' || first === 'reads' ? first : allow?.flatMap((one) => one.split(','))
  const settings = {
    ...(wanted === undefined ? {} : { allow: wanted }),
    ...(sidecar === undefined ? {} : { sidecar: readJson(sidecar) }),
    ...(overlay === undefined ? {} : { overlay: readFileSync(overlay, 'utf8') }),
    ...(server === undefined ? {} : { server }),
    ...(auth === undefined ? {} : { auth }),
    ...(credential === undefined ? {} : { credentials: Object.fromEntries(credential.map(pair)) }),
  }
  return { kind: 'openapi', ...readPlace(place), settings, ...readRefresh(refresh) }
}

function graphqlForm(
  endpoint: string,
  { allow, overlay, schema, auth, credential, refresh }: Values,
): ImportForm {
  const isFile = schema !== undefined && !isAddress(schema)
  const settings = {
    endpoint,
    ...(allow === undefined ? {} : { allow: allow.flatMap((one) => one.split(',')) }),
    ...(overlay === undefined ? {} : { overlay: readJson(overlay) }),
    ...(auth === undefined ? {} : { auth }),
    ...(credential?.[0] === undefined ? {} : { credential: credential[0] }),
  }
  const from = { endpoint, ...(schema === undefined || isFile ? {} : { schema }) }
  return {
    kind: 'graphql',
    from,
    settings,
    ...(isFile
      ? { document: readFileSync(schema, 'utf8'), refreshSeconds: 0 }
      : readRefresh(refresh)),
  }
}

// A document from a local file cannot be fetched again.
function readPlace(place: string): Pick<ImportForm, 'from' | 'document' | 'refreshSeconds'> {
  return isAddress(place)
    ? { from: { url: place } }
    : { from: null, document: readFileSync(place, 'utf8'), refreshSeconds: 0 }
}

function isAddress(place: string): boolean {
  return /^https?:\/\//.test(place)
}

function readRefresh(seconds: string | undefined): Pick<ImportForm, 'refreshSeconds'> {
  return seconds === undefined ? {} : { refreshSeconds: Number(seconds) }
}

function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function add(
  app: App,
  by: Caller,
  wanted: { name: string; form: ImportForm },
  { stdout }: Terminal,
): Promise<number> {
  const { view, report } = await app.imports.imports.add(
    by,
    wanted.name,
    wanted.form,
    new AbortController().signal,
  )
  printReport(report, stdout)
  printImport(view, stdout)
  return 0
}

async function accept(
  app: App,
  by: Caller,
  { name, rest }: { readonly name: string; readonly rest: readonly string[] },
  { stdout, stderr }: Terminal,
): Promise<number> {
  const { values } = parseArgs({
    args: [...rest],
    options: { tool: { type: 'string', multiple: true }, document: { type: 'string' } },
  })
  const { document } = values
  // The hash proves that the administrator has seen the document that is accepted.
  if (document === undefined) return printUsage('import', stderr)
  const view = await app.imports.imports.accept(by, name, {
    document,
    ...(values.tool === undefined ? {} : { tools: values.tool }),
  })
  printImport(view, stdout)
  return 0
}

const MOST_REASONS = 12

function printReport(
  { operations, taken, leftOut, losses, tokens }: ImportReport,
  stdout: Terminal['stdout'],
): void {
  stdout.write(
    `${operations} operations: ${taken.length} tools, ${leftOut.length} left out; about ${tokens} tokens if a model sees all of them.\n`,
  )
  const reasons = [...Map.groupBy(leftOut, ({ reason }) => reason)].sort(
    ([, left], [, right]) => right.length - left.length,
  )
  for (const [reason, group] of reasons.slice(0, MOST_REASONS))
    stdout.write(
      `  ${String(group.length).padStart(6)}  ${visibleText(reason)} (${visibleText(group[0]?.operation ?? '')}${group.length > 1 ? ', …' : ''})\n`,
    )
  if (losses.length > 0)
    stdout.write(
      `  ${losses.length} details of its schemas could not be represented exactly; the HTTP API lists them.\n`,
    )
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

function printImport(view: ImportView, stdout: Terminal['stdout']): void {
  stdout.write(`${formatImport(view)}\n`)
  for (const { id, held, differences } of view.held.slice(0, MOST_HELD)) {
    stdout.write(`  ${visibleText(id)}: ${held}\n`)
    for (const difference of differences) stdout.write(`    ${visibleText(difference)}\n`)
  }
  for (const suggestion of view.refused?.mend ?? []) stdout.write(`  ${visibleText(suggestion)}\n`)
  if (view.held.length > MOST_HELD) stdout.write(`  … and ${view.held.length - MOST_HELD} more.\n`)
  if (view.held.length > 0)
    stdout.write(
      `To accept the changes after review: surehand import accept ${view.name} --document ${view.document}\n`,
    )
}
