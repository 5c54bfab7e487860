import { parseArgs } from 'node:util'

/** The options that every suite understands, and the values of the suite's own options. */
export type Options<Text extends string = never, Flag extends string = never> = {
  readonly rounds: number
  readonly only: readonly string[] | undefined
  readonly markdown: string | undefined
  readonly texts: Readonly<Partial<Record<Text, string>>>
  readonly flags: Readonly<Record<Flag, boolean>>
}

type OptionNames<Text extends string, Flag extends string> = {
  readonly rounds: number
  readonly texts?: readonly Text[]
  readonly flags?: readonly Flag[]
}

/** Reads the command line. `rounds` is the default; `texts` and `flags` name the suite's own options. */
export function readOptions<Text extends string = never, Flag extends string = never>({
  rounds,
  texts = [],
  flags = [],
}: OptionNames<Text, Flag>): Options<Text, Flag> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(texts.map((name) => [name, text])),
      ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' } as const])),
      rounds: text,
      only: text,
      markdown: text,
    },
  })
  const given: Readonly<Record<string, string | boolean | undefined>> = values
  return {
    rounds: readWholeNumber('rounds', values.rounds, { fallback: rounds, least: 1 }),
    only: values.only?.split(','),
    markdown: values.markdown,
    // The two casts hold because parseArgs has checked the type of every option it was given.
    texts: Object.fromEntries(texts.map((name) => [name, given[name]])) as Partial<
      Record<Text, string>
    >,
    flags: Object.fromEntries(flags.map((name) => [name, given[name] === true])) as Record<
      Flag,
      boolean
    >,
  }
}

export function readWholeNumber(
  name: string,
  text: string | undefined,
  { fallback, least }: { readonly fallback: number; readonly least: number },
): number {
  const value = text === undefined ? fallback : Number(text)
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} takes a whole number of at least ${least}, not ${text}.`)
  return value
}

/** Applies `--only`: each entry selects the contender with exactly this id or, if there is none, all whose id begins with it. */
export function chooseContenders<Contender extends { readonly id: string }>(
  contenders: readonly Contender[],
  only: readonly string[] | undefined,
): readonly Contender[] {
  if (only === undefined) return contenders
  const ids = new Set(contenders.map(({ id }) => id))
  const chosen = contenders.filter(({ id }) =>
    only.some((wanted) => (ids.has(wanted) ? id === wanted : id.startsWith(wanted))),
  )
  if (chosen.length === 0)
    throw new Error(
      `--only ${only.join(',')} selects nothing. Name ids, or how they begin, of: ${[...ids].join(', ')}.`,
    )
  return chosen
}
