import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** One piece of a command line. Whatever begins with two dashes is a flag: a value that does is written `--flag=value`. */
export type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'flag'; readonly name: string; readonly value: string | undefined }

export function tokens(argv: readonly string[]): readonly Token[] {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  const words = end === -1 ? [] : argv.slice(end + 1)
  return [...before.map(token), ...words.map((text): Token => ({ kind: 'word', text }))]
}

function token(text: string): Token {
  if (text === '-h') return { kind: 'flag', name: 'help', value: undefined }
  if (!text.startsWith('--')) return { kind: 'word', text }
  const equals = text.indexOf('=')
  if (equals === -1) return { kind: 'flag', name: text.slice(2), value: undefined }
  return { kind: 'flag', name: text.slice(2, equals), value: text.slice(equals + 1) }
}

/** `value` takes the next word, `switch` takes none, `many` is a value that may be repeated. */
export type FlagKind = 'value' | 'switch' | 'many'
export type FlagKinds = Readonly<Record<string, FlagKind>>

/** Flags by name; a switch that was given is `['']`. */
export type Taken = {
  readonly flags: ReadonlyMap<string, readonly string[]>
  readonly rest: readonly Token[]
}

/** Takes the flags it knows out of a line and leaves the rest, in its order. */
export function take(line: readonly Token[], kinds: FlagKinds): Taken {
  const flags = new Map<string, string[]>()
  const rest: Token[] = []
  for (let index = 0; index < line.length; index++) {
    const piece = line[index] as Token
    const kind =
      piece.kind === 'flag' && Object.hasOwn(kinds, piece.name) ? kinds[piece.name] : undefined
    if (piece.kind === 'word' || kind === undefined) {
      rest.push(piece)
      continue
    }
    const next = line[index + 1]
    const takesNext = kind !== 'switch' && piece.value === undefined
    const value = takesNext && next?.kind === 'word' ? next.text : piece.value
    if (takesNext) index++
    const known = flags.get(piece.name) ?? []
    refuseMisuse(piece.name, kind, value, known.length)
    flags.set(piece.name, [...known, value ?? ''])
  }
  return { flags, rest }
}

function refuseMisuse(
  name: string,
  kind: FlagKind,
  value: string | undefined,
  before: number,
): void {
  if (kind === 'switch' && value !== undefined)
    throw new UsageError(`--${name} takes no value.`, 'surehand help')
  if (kind !== 'switch' && value === undefined)
    throw new UsageError(
      `--${name} needs a value; one that begins with dashes is written --${name}=VALUE.`,
      'surehand help',
    )
  if (kind === 'value' && before > 0)
    throw new UsageError(`--${name} is given twice.`, 'surehand help')
}

export type Line = {
  readonly words: readonly string[]
  readonly flags: ReadonlyMap<string, readonly string[]>
}

/** A line of which every flag is known: anything else is refused with the nearest name. */
export function readLine(line: readonly Token[], kinds: FlagKinds, suggestion: string): Line {
  const { flags, rest } = take(line, kinds)
  const words = rest.map((piece) => {
    if (piece.kind === 'word') return piece.text
    throw unknownFlag(piece.name, Object.keys(kinds), suggestion)
  })
  return { words, flags }
}

export function unknownFlag(
  name: string,
  known: readonly string[],
  suggestion: string,
): UsageError {
  const near = nearest(name, known)
  return new UsageError(
    `There is no flag --${name} here.${near === undefined ? '' : ` Did you mean --${near}?`}`,
    suggestion,
  )
}

/** The value of a flag that is given at most once. */
export function one(
  flags: ReadonlyMap<string, readonly string[]>,
  name: string,
): string | undefined {
  return flags.get(name)?.[0]
}

/** Exactly these words, named for whoever left one out. */
export function wordsNamed(
  words: readonly string[],
  names: readonly string[],
  suggestion: string,
): readonly string[] {
  const missing = names[words.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`, suggestion)
  const extra = words[names.length]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.`, suggestion)
  return words
}
