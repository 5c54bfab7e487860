import { nameKey } from '../name-key.ts'
import type { Level } from './task.ts'

/** A sign in a line of text that says something about the task. */
export type Hint =
  | { readonly kind: 'tag' | 'context' | 'project'; readonly text: string; readonly value: string }
  | { readonly kind: 'priority'; readonly text: string; readonly value: Level }
  | { readonly kind: 'minutes'; readonly text: string; readonly value: number }

// en, de, fr, es
// a map: in a plain object "!constructor" would find what every object has
const PRIORITIES: ReadonlyMap<string, Level> = new Map(
  Object.entries<Level>({
    ...{ '1': 'high', '2': 'medium', '3': 'low', '!!': 'high', '!': 'medium' },
    ...{ high: 'high', urgent: 'high', medium: 'medium', normal: 'medium', low: 'low' },
    ...{ hoch: 'high', dringend: 'high', mittel: 'medium', niedrig: 'low' },
    ...{ haute: 'high', moyenne: 'medium', basse: 'low', faible: 'low' },
    ...{ alta: 'high', urgente: 'high', media: 'medium', baja: 'low' },
  }),
)

type Rule = {
  readonly pattern: RegExp
  readonly read: (word: string, text: string) => Hint | undefined
}

// a sign counts at the beginning of a word and before a letter: `a@b.example`, `issue #12` and `+49 30` say nothing
const RULES: readonly Rule[] = [
  {
    pattern: /(?<!\S)#(\p{L}[\p{L}\p{N}_/-]{0,49})/gu,
    read: (word, text) => ({ kind: 'tag', text, value: nameKey(word) }),
  },
  {
    pattern: /(?<!\S)@(\p{L}[\p{L}\p{N}_-]{0,49})/gu,
    read: (word, text) => ({ kind: 'context', text, value: nameKey(word) }),
  },
  {
    pattern: /(?<!\S)\+"([^"\n]{1,200})"/gu,
    read: (word, text) => ({ kind: 'project', text, value: word }),
  },
  {
    pattern: /(?<!\S)\+(\p{L}[\p{L}\p{N}_-]{0,199})/gu,
    read: (word, text) => ({ kind: 'project', text, value: word }),
  },
  { pattern: /(?<!\S)!(!{1,2}|[1-3]|\p{L}+)(?!\S)/gu, read: priority },
  { pattern: /(?<!\S)~((?:\d{1,2}h)?(?:\d{1,3}(?:m|min)?)?)(?!\S)/gu, read: minutes },
]

function priority(word: string, text: string): Hint | undefined {
  const value = PRIORITIES.get(nameKey(word))
  return value === undefined ? undefined : { kind: 'priority', text, value }
}

const MOST_MINUTES = 1440

function minutes(word: string, text: string): Hint | undefined {
  const [, hours, rest] = /^(?:(\d+)h)?(?:(\d+)(?:m|min)?)?$/.exec(word) ?? []
  const value = Number(hours ?? 0) * 60 + Number(rest ?? 0)
  return value >= 1 && value <= MOST_MINUTES ? { kind: 'minutes', text, value } : undefined
}

/** The signs of a line, in their order, and the line with blanks in their places, so that all else stands where it stood. */
export function takeHints(line: string): {
  readonly hints: readonly Hint[]
  readonly rest: string
} {
  const found: { readonly at: number; readonly hint: Hint }[] = []
  let rest = line
  for (const { pattern, read } of RULES)
    rest = rest.replace(pattern, (text: string, word: string, at: number) => {
      const hint = read(word, text)
      if (hint === undefined) return text
      found.push({ at, hint })
      return ' '.repeat(text.length)
    })
  return { hints: found.sort((one, other) => one.at - other.at).map(({ hint }) => hint), rest }
}
