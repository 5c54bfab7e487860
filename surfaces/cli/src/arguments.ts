import { parseArgs } from 'node:util'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** One piece of a command line: a word, or a flag with the value behind its `=`. */
export type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'flag'; readonly name: string; readonly value: string | undefined }

/** `value` takes the next word, `switch` takes none, `many` is a value that may be repeated. */
export type FlagKind = 'value' | 'switch' | 'many'
export type FlagKinds = Readonly<Record<string, FlagKind>>

/** The values of each flag; a switch that was given has one empty value. */
export type FlagValues = ReadonlyMap<string, readonly string[]>

export type CommandLine = {
  readonly flags: FlagValues
  /** Words, and flags that are not known here, in their order. */
  readonly rest: readonly Token[]
}

/**
 * Reads the flags named in `kinds`. All others stay in `rest`: a tool's flags are known only once
 * its schema is.
 */
export function parseLine(argv: readonly string[], kinds: FlagKinds): CommandLine {
  const flags = new Map<string, string[]>()
  const rest: Token[] = []
  for (const token of tokenize(argv, kinds)) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') {
      rest.push({ kind: 'word', text: argv[token.index] ?? '' })
      continue
    }
    const { name, index, inlineValue } = token
    const value = inlineValue === false ? argv[index + 1] : token.value
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) {
      rest.push({ kind: 'flag', name, value })
      continue
    }
    const isNextFlag = inlineValue === false && value?.startsWith('--') === true
    const before = flags.get(name) ?? []
    checkValue(name, kind, isNextFlag ? undefined : value, before.length)
    flags.set(name, [...before, value ?? ''])
  }
  return { flags, rest }
}

// Only `-h` is a short flag. Any other word with a single dash, such as -5, is a value: parseArgs
// is shown a lone dash in its place, which it treats as a plain word.
const DASHED_WORD = /^-(?!-|h$)./

function tokenize(argv: readonly string[], kinds: FlagKinds) {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const { tokens } = parseArgs({
    args: argv.map((text) => (DASHED_WORD.test(text) ? '-' : text)),
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  })
  return tokens
}

function checkValue(name: string, kind: FlagKind, value: string | undefined, before: number): void {
  if (kind === 'switch' && value !== undefined)
    throw new UsageError(`--${name} takes no value.`, 'surehand help')
  if (kind !== 'switch' && value === undefined) throw missingValue(name, 'surehand help')
  if (kind === 'value' && before > 0)
    throw new UsageError(`--${name} is given twice.`, 'surehand help')
}

export function missingValue(name: string, suggestion: string): UsageError {
  return new UsageError(
    `--${name} needs a value. Write a value that begins with dashes as --${name}=VALUE.`,
    suggestion,
  )
}

/** The words of a line on which every flag must be known. */
export function requireKnownFlags(
  { rest }: Pick<CommandLine, 'rest'>,
  kinds: FlagKinds,
  suggestion: string,
): readonly string[] {
  return rest.map((token) => {
    if (token.kind === 'word') return token.text
    throw unknownFlag(token.name, Object.keys(kinds), suggestion)
  })
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

export function unknownAction(
  command: string,
  given: string,
  actions: readonly string[],
): UsageError {
  const near = nearest(given, actions)
  const hint = near === undefined ? `Use one of ${actions.join(', ')}.` : `Did you mean "${near}"?`
  return new UsageError(
    `"surehand ${command}" has no action "${given}". ${hint}`,
    `surehand help ${command}`,
  )
}

/** The value of a flag that is given at most once. */
export function flagValue(flags: FlagValues, name: string): string | undefined {
  return flags.get(name)?.[0]
}

/** Requires exactly these words; their names stand in the error when one is missing. */
export function requireWords(
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

/** A token as it is typed. */
export function formatToken(token: Token): string {
  if (token.kind === 'word') return token.text
  return token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`
}
