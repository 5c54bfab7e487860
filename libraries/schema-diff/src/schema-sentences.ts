import type { Atom } from './schema-keywords.ts'
import type { Limit } from './schema-limits.ts'
import { formatList, formatValue, type Say, type Sides } from './schema-reason.ts'

type Phrases = {
  readonly [direction in Sides['direction']]: { readonly [narrow in Sides['narrow']]: Say }
}

function pick({ direction, narrow }: Sides, phrases: Phrases): Say {
  return phrases[direction][narrow]
}

/** Something valid on the narrow side is not on the wide one. */
export function refuses(sides: Sides, things: string): Say {
  return pick(sides, {
    input: {
      before: ({ subject }) => `${subject} no longer accepts ${things}`,
      after: ({ subject }) => `${subject} now also accepts ${things}`,
    },
    output: {
      before: ({ subject }) => `${subject} is never ${things} any more`,
      after: ({ subject }) => `${subject} may now be ${things}`,
    },
  })
}

const ATOM_WORDS: Readonly<Record<Atom, string>> = {
  null: 'null',
  boolean: 'a boolean',
  integer: 'a whole number',
  fraction: 'a fraction',
  string: 'a string',
  array: 'an array',
  object: 'an object',
}

export function kinds(atoms: ReadonlySet<Atom>): string {
  const isNumber = atoms.has('integer') && atoms.has('fraction')
  const words = [...atoms].flatMap((atom) => {
    if (!isNumber || (atom !== 'integer' && atom !== 'fraction')) return [ATOM_WORDS[atom]]
    return atom === 'integer' ? ['a number'] : []
  })
  return formatList(words, 'or')
}

export function values(list: readonly unknown[]): string {
  return formatList(list.map(formatValue), 'or')
}

/** The wide side lists its values, the narrow one does not. */
export function lists(sides: Sides, list: readonly unknown[]): Say {
  return pick(sides, {
    input: {
      before: ({ subject }) => `${subject} now accepts only ${values(list)}`,
      after: ({ subject }) => `${subject} now accepts more than ${values(list)}`,
    },
    output: {
      before: ({ subject }) => `${subject} is now always ${values(list)}`,
      after: ({ subject }) => `${subject} may now be something else than ${values(list)}`,
    },
  })
}

/** The wide side has a field always, the narrow one does not. */
export function requires(sides: Sides): Say {
  return pick(sides, {
    input: {
      before: ({ subject }) => `${subject} is now required`,
      after: ({ subject }) => `${subject} is no longer required`,
    },
    output: {
      before: ({ subject }) => `${subject} is now always there`,
      after: ({ subject }) => `${subject} may now be missing`,
    },
  })
}

/** The narrow side has a field that the wide one does not take. */
export function lacks({ direction, narrow }: Sides): Say {
  if (narrow === 'after') return ({ subject }) => `${subject} is new`
  return ({ subject }) =>
    direction === 'input' ? `${subject} is no longer accepted` : `${subject} is gone`
}

/** The wide side has a field that the narrow one does not know. */
export function appears({ narrow }: Sides): Say {
  return ({ subject }) => (narrow === 'before' ? `${subject} is new` : `${subject} is gone`)
}

/** The narrow side accepts undeclared keys, the wide one does not. */
export function refusesOthers(sides: Sides): Say {
  return pick(sides, {
    input: {
      before: ({ subject }) => `${subject} now refuses unknown keys`,
      after: ({ subject }) => `${subject} now takes unknown keys`,
    },
    output: {
      before: ({ subject }) => `${subject} no longer carries unknown keys`,
      after: ({ subject }) => `${subject} may now carry unknown keys`,
    },
  })
}

/** The wide side takes fewer names for keys. */
export function refusesKeys(sides: Sides, names: readonly unknown[]): Say {
  const which = names.length === 0 ? 'other keys' : `the key ${values(names)}`
  return pick(sides, {
    input: {
      before: ({ subject }) =>
        names.length === 0
          ? `${subject} no longer takes every key`
          : `${subject} no longer takes ${which}`,
      after: ({ subject }) => `${subject} now also takes ${which}`,
    },
    output: {
      before: ({ subject }) => `${subject} no longer has ${which}`,
      after: ({ subject }) => `${subject} may now have ${which}`,
    },
  })
}

export function distinct(sides: Sides): Say {
  return pick(sides, {
    input: {
      before: ({ of }) => `items${of} must now be distinct`,
      after: ({ of }) => `items${of} need no longer be distinct`,
    },
    output: {
      before: ({ of }) => `items${of} no longer repeat`,
      after: ({ of }) => `items${of} may now repeat`,
    },
  })
}

/**
 * A keyword with a value differs: from the one on the narrow side, if there is one, to the one on
 * the wide side.
 */
export function differs(sides: Sides, name: string, narrow: string | undefined, wide: string): Say {
  const [before, after] = sides.narrow === 'before' ? [narrow, wide] : [wide, narrow]
  return ({ subject, of }) => {
    if (before === undefined) return `${subject} now has the ${name} ${after}`
    return after === undefined
      ? `${subject} no longer has the ${name} ${before}`
      : `${name}${of} changed from ${before} to ${after}`
  }
}

/** The same for something that can go up and down. */
export function moves(sides: Sides, name: string, narrow: Limit | undefined, wide: Limit): Say {
  if (narrow === undefined || narrow.value === wide.value)
    return differs(sides, name, narrow && limit(narrow), limit(wide))
  const [before, after] = sides.narrow === 'before' ? [narrow, wide] : [wide, narrow]
  return ({ of }) =>
    `${name}${of} went ${after.value > before.value ? 'up' : 'down'} from ${limit(before)} to ${limit(after)}`
}

function limit({ value, isExclusive }: Limit): string {
  return isExclusive ? `${value} (exclusive)` : `${value}`
}

/** A keyword that is not reasoned about. */
export function cannotCompare(sides: Sides, keyword: string, isOnBoth: boolean): Say {
  const name = formatValue(keyword)
  if (isOnBoth) return ({ of }) => `${name}${of} changed in a way that can't be compared`
  if (sides.narrow === 'after') return ({ subject }) => `${subject} no longer has ${name}`
  return ({ subject }) => `${subject} now has ${name}, which can't be compared`
}
