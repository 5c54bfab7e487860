import { readFileSync } from 'node:fs'
import type { parseArgs } from 'node:util'
import { UsageError } from '@surehand/cli'
import type { ImportForm } from '@surehand/imports'

export const IMPORT_FLAGS = {
  allow: { type: 'string', multiple: true },
  sidecar: { type: 'string' },
  overlay: { type: 'string' },
  server: { type: 'string' },
  origin: { type: 'string' },
  variable: { type: 'string', multiple: true },
  schema: { type: 'string' },
  auth: { type: 'string' },
  credential: { type: 'string', multiple: true },
  refresh: { type: 'string' },
  list: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof IMPORT_FLAGS }>>['values']
export type ImportKind = 'openapi' | 'graphql' | 'actions' | 'webmcp'

const HELP = 'surehand help import'

/** What the flags of `surehand import KIND NAME PLACE` ask for. */
export function readImportForm(kind: ImportKind, place: string, values: Values): ImportForm {
  switch (kind) {
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

/** The same form for every operation, to list what there is to choose from. */
export function withEverything(form: ImportForm): ImportForm {
  const settings = (form.settings ?? {}) as object
  return {
    ...form,
    settings: { ...settings, allow: form.kind === 'graphql' ? ['mutation.*'] : 'all' },
  }
}

function openApiForm(place: string, values: Values): ImportForm {
  const { allow, sidecar, overlay, server, origin, variable, auth, credential, refresh } = values
  const [first] = allow ?? []
  const wanted =
    first === 'all' || first === 'reads' ? first : allow?.flatMap((one) => one.split(','))
  const settings = {
    ...(wanted === undefined ? {} : { allow: wanted }),
    ...(sidecar === undefined ? {} : { sidecar: readJson(sidecar) }),
    ...(overlay === undefined ? {} : { overlay: readText(overlay) }),
    ...(server === undefined ? {} : { server }),
    ...(origin === undefined ? {} : { address: origin }),
    ...(variable === undefined ? {} : { variables: readPairs('variable', variable) }),
    ...(auth === undefined ? {} : { auth }),
    ...(credential === undefined ? {} : { credentials: readPairs('credential', credential) }),
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
    ...(isFile ? { document: readText(schema), refreshSeconds: 0 } : readRefresh(refresh)),
  }
}

// A document from a local file cannot be fetched again.
function readPlace(place: string): Pick<ImportForm, 'from' | 'document' | 'refreshSeconds'> {
  return isAddress(place)
    ? { from: { url: place } }
    : { from: null, document: readText(place), refreshSeconds: 0 }
}

function isAddress(place: string): boolean {
  return /^https?:\/\//.test(place)
}

function readRefresh(seconds: string | undefined): Pick<ImportForm, 'refreshSeconds'> {
  return seconds === undefined ? {} : { refreshSeconds: Number(seconds) }
}

function readPairs(flag: string, texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new UsageError(`--${flag} takes NAME=VALUE, and this is "${text}".`, HELP)
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}

/** Reads a JSON file that a flag names. */
export function readJson(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(
      `The file ${file} is not valid JSON: ${cause instanceof Error ? cause.message : ''}`,
      HELP,
    )
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw new UsageError(
      isMissing
        ? `There is no file ${file}. An address begins with https:// or http://.`
        : `The file ${file} cannot be read.`,
      HELP,
    )
  }
}
