import { isDeepStrictEqual } from 'node:util'
import { UsageError } from '@surehand/cli'
import { isRecord } from '@surehand/core/internal'
import { createScanner, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { type AST, parseTOML } from 'toml-eslint-parser'
import {
  type ClientConfig,
  type ClientStyle,
  parseClientFile,
  SUREHAND_ENTRY,
} from './client-config.ts'

/** The command by which a client starts Surehand. */
export type SurehandCommand = { readonly command: string; readonly args: readonly string[] }

type Place = Pick<ClientConfig, 'format' | 'style' | 'path'>

/**
 * The client's file with Surehand instead of the adopted servers. Everything else keeps its bytes,
 * comments included.
 */
export function replaceServers(
  text: string,
  place: Place,
  { names, surehand }: { readonly names: readonly string[]; readonly surehand: SurehandCommand },
): string {
  const hasSurehand = Object.hasOwn(serversIn(text, place), SUREHAND_ENTRY)
  const entry = entryFor(place.style, surehand)
  const edited =
    place.format === 'toml'
      ? replaceTables(text, names, hasSurehand ? '' : tomlTable(surehand))
      : replaceProperties(text, place.path, {
          names,
          entry: hasSurehand
            ? undefined
            : `"${SUREHAND_ENTRY}": ${indentJson(entry, text, place.path)}`,
        })
  const others = omit(serversIn(text, place), names)
  requireSame(edited, place, hasSurehand ? others : { ...others, [SUREHAND_ENTRY]: entry })
  return edited
}

/**
 * The client's file with its own servers again, as the backup has them, and without Surehand.
 * `keeps` says that Surehand was there before those servers were adopted.
 */
export function restoreServers(
  text: string,
  backup: string,
  place: Place,
  { names, keeps }: { readonly names: readonly string[]; readonly keeps: boolean },
): string {
  const own = [...names]
  const slices =
    place.format === 'toml'
      ? own.flatMap((name) => tablesOf(backup, name).map((range) => cut(backup, range)))
      : own.map((name) => cut(backup, rangeOf(propertyAt(backup, [...place.path, name]))))
  const edited =
    place.format === 'toml'
      ? restoreTables(text, slices, keeps)
      : restoreProperties(text, place.path, slices, keeps)
  const before = serversIn(backup, place)
  const now = serversIn(text, place)
  requireSame(edited, place, {
    ...(keeps ? now : omit(now, [SUREHAND_ENTRY])),
    ...Object.fromEntries(own.map((name) => [name, before[name]])),
  })
  return edited
}

type Servers = Readonly<Record<string, unknown>>

function serversIn(text: string, { format, path }: Place): Servers {
  let at: unknown = parseClientFile(text, format, 'The edited file')
  for (const key of path) at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
  return isRecord(at) ? at : {}
}

function omit(servers: Servers, names: readonly string[]): Servers {
  return Object.fromEntries(Object.entries(servers).filter(([name]) => !names.includes(name)))
}

// An edit that would change anything else is not made.
function requireSame(edited: string, place: Place, expected: Servers): void {
  if (isDeepStrictEqual(plain(tryToRead(edited, place)), plain(expected))) return
  throw new UsageError(
    'The file is written in a form that cannot be edited safely. Nothing was changed; write its servers as one entry each.',
    'surehand help adopt',
  )
}

function tryToRead(edited: string, place: Place): Servers | undefined {
  try {
    return serversIn(edited, place)
  } catch {
    return undefined
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null))
}

function entryFor(style: ClientStyle, { command, args }: SurehandCommand): object {
  switch (style) {
    case 'vscode':
      return { type: 'stdio', command, args }
    case 'opencode':
      return { type: 'local', command: [command, ...args], enabled: true }
    case 'zed':
      return { source: 'custom', command, args, env: {} }
    case 'plain':
    case 'codex':
      return { command, args }
  }
}

type Range = readonly [start: number, end: number]

function cut(text: string, [start, end]: Range): string {
  return text.slice(start, end)
}

function splice(text: string, [start, end]: Range, inserted = ''): string {
  return text.slice(0, start) + inserted + text.slice(end)
}

// JSON

function propertyAt(text: string, path: readonly string[]): Node {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const value = root === undefined ? undefined : findNodeAtLocation(root, [...path])
  if (value?.parent === undefined) throw new TypeError(`The file has no ${path.join('.')}.`)
  return value.parent
}

function rangeOf({ offset, length }: Node): Range {
  return [offset, offset + length]
}

function replaceProperties(
  text: string,
  path: readonly string[],
  { names, entry }: { readonly names: readonly string[]; readonly entry: string | undefined },
): string {
  const [first, ...others] = names
  let edited = text
  for (const name of entry === undefined ? names : others)
    edited = removeProperty(edited, [...path, name])
  return entry === undefined || first === undefined
    ? edited
    : splice(edited, rangeOf(propertyAt(edited, [...path, first])), entry)
}

/** Removes a property with its comma, and its line where nothing else is on it. */
function removeProperty(text: string, path: readonly string[]): string {
  const property = propertyAt(text, path)
  const [start, end] = rangeOf(property)
  const after = commaAfter(text, end)
  if (after !== undefined) return removeLine(splice(text, [after, after + 1]), [start, end])
  const siblings = property.parent?.children ?? []
  const previous = siblings[siblings.indexOf(property) - 1]
  const without = removeLine(text, [start, end])
  if (previous === undefined) return without
  const before = commaAfter(without, rangeOf(previous)[1])
  return before === undefined ? without : splice(without, [before, before + 1])
}

/** The comma that follows, after nothing but white space and comments. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const at = scanner.getTokenOffset()
  return text[at] === ',' ? at : undefined
}

function removeLine(text: string, [start, end]: Range): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const newline = text.indexOf('\n', end)
  const lineEnd = newline === -1 ? text.length : newline
  const isAlone =
    cut(text, [lineStart, start]).trim() === '' && cut(text, [end, lineEnd]).trim() === ''
  return isAlone && newline !== -1
    ? splice(text, [lineStart, newline + 1])
    : splice(text, [start, end])
}

function restoreProperties(
  text: string,
  path: readonly string[],
  slices: readonly string[],
  keeps: boolean,
): string {
  const [start, end] = rangeOf(propertyAt(text, [...path, SUREHAND_ENTRY]))
  const between = `,${lineBreak(text)}${indentAt(text, start)}`
  const own = keeps ? [cut(text, [start, end])] : []
  return splice(text, [start, end], [...own, ...slices].join(between))
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^\s*/.exec(line)?.[0] ?? ''
}

function lineBreak(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function indentJson(entry: object, text: string, path: readonly string[]): string {
  const container = propertyAt(text, path).children?.[1]
  const [first] = container?.children ?? []
  const outer = first === undefined ? '    ' : indentAt(text, first.offset)
  const step = outer.includes('\t') ? '\t' : '  '
  return JSON.stringify(entry, undefined, step).replaceAll('\n', `${lineBreak(text)}${outer}`)
}

// TOML

const TABLE = 'mcp_servers'

function tomlTable({ command, args }: SurehandCommand): string {
  // A JSON string is a TOML basic string.
  const list = args.map((arg) => JSON.stringify(arg)).join(', ')
  return `[${TABLE}.${SUREHAND_ENTRY}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]`
}

/** Where a server stands in the file: its tables, or its lines within a larger table. */
function tablesOf(text: string, name: string): readonly Range[] {
  const [top] = parseTOML(text).body
  const isOwn = (path: readonly (string | number)[]): boolean =>
    path[0] === TABLE && path[1] === name
  return top.body.flatMap((node): readonly Range[] => {
    if (node.type === 'TOMLKeyValue') return isOwn(keyPath(node)) ? [node.range] : []
    if (isOwn(node.resolvedKey)) return [node.range]
    return node.body
      .filter((line) => isOwn([...node.resolvedKey, ...keyPath(line)]))
      .map(({ range }) => range)
  })
}

function keyPath({ key }: AST.TOMLKeyValue): readonly string[] {
  return key.keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value))
}

function replaceTables(text: string, names: readonly string[], table: string): string {
  const ranges = names
    .flatMap((name) => tablesOf(text, name))
    .toSorted(([left], [right]) => right - left)
  const removed = ranges.reduce(removeLine, text)
  return table === '' ? removed : `${removed.trimEnd()}\n\n${table}\n`
}

function restoreTables(text: string, slices: readonly string[], keeps: boolean): string {
  const without = keeps
    ? text
    : tablesOf(text, SUREHAND_ENTRY)
        .toSorted(([left], [right]) => right - left)
        .reduce(removeLine, text)
  return `${without.trimEnd()}\n\n${slices.join('\n\n')}\n`
}
