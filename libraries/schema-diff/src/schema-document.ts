import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { type Atom, isSource, jsonText, member, type Source } from './schema-keywords.ts'
import type { View } from './schema-view.ts'

/** The comparison would take too long, or too much stack: imported schemas may be made for that. */
export class TooComplex extends Error {}

// a step is some microseconds; schemas of real tools take a few hundred
const STEPS = 100_000
const NESTING = 400
const DEPTH = 128
const MEMBERS = 200_000

/** What one comparison may spend. */
export class Budget {
  private steps = 0
  private nesting = 0

  spend(): void {
    if (++this.steps > STEPS) throw new TooComplex('too many steps')
  }

  nested<T>(work: () => T): T {
    if (++this.nesting > NESTING) throw new TooComplex('nested too deep')
    const result = work()
    this.nesting--
    return result
  }
}

/**
 * A schema with everything it refers to; remembers what it has derived, so that equal questions
 * have equal names.
 */
export class SchemaDocument {
  readonly root: Source
  readonly budget: Budget
  /**
   * The views of single schemas: the branches of a union are looked at by every branch of another.
   */
  readonly views = new Map<Source, View>()
  /** The kinds of values they take. */
  readonly atoms = new Map<Source, ReadonlySet<Atom>>()
  private readonly anchors = new Map<string, Source | undefined>()
  private hasInnerId = false
  private readonly ids = new Map<JsonSchema, number>()
  private readonly derived = new Map<JsonSchema, Map<string, JsonSchema>>()
  private readonly texts = new Map<readonly unknown[], ReadonlySet<string>>()

  constructor(root: Source, budget: Budget) {
    this.root = copyJson(root)
    this.budget = budget
    for (const { value, depth } of members(this.root)) if (isRecord(value)) this.mark(value, depth)
  }

  private mark(value: JsonSchema, depth: number): void {
    if (depth > 0 && typeof member(value, '$id') === 'string') this.hasInnerId = true
    const anchor = member(value, '$anchor')
    // two definitions with one name: the reference is ambiguous
    if (typeof anchor === 'string')
      this.anchors.set(anchor, this.anchors.has(anchor) ? undefined : value)
  }

  /** What a reference leads to within this document; undefined where that cannot be decided. */
  target(reference: string): Source | undefined {
    // an inner $id begins a document of its own, in which # means something else
    if (this.hasInnerId || !reference.startsWith('#')) return undefined
    if (reference !== '#' && !reference.startsWith('#/'))
      return this.anchors.get(reference.slice(1))
    let current: unknown = this.root
    for (const step of reference.split('/').slice(1)) {
      const name = unescapeStep(step)
      if (
        name === undefined ||
        typeof current !== 'object' ||
        current === null ||
        !Object.hasOwn(current, name)
      )
        return undefined
      current = (current as Readonly<Record<string, unknown>>)[name]
    }
    return isSource(current) ? current : undefined
  }

  /** A number for a schema of this document. */
  id(part: JsonSchema): number {
    const known = this.ids.get(part) ?? this.ids.size
    this.ids.set(part, known)
    return known
  }

  /** The schema without some keywords; the same object for the same question. */
  without(part: JsonSchema, keywords: readonly string[]): JsonSchema {
    const known = this.derived.get(part) ?? new Map<string, JsonSchema>()
    this.derived.set(part, known)
    const name = jsonText(keywords)
    const rest =
      known.get(name) ??
      Object.fromEntries(Object.entries(part).filter(([keyword]) => !keywords.includes(keyword)))
    known.set(name, rest)
    return rest
  }

  lists(values: readonly unknown[], value: unknown): boolean {
    const texts = this.texts.get(values) ?? new Set(values.map(jsonText))
    this.texts.set(values, texts)
    return texts.has(jsonText(value))
  }
}

type Member = { readonly value: unknown; readonly depth: number }

// without recursion: how deep it goes is what is being found out
function members(root: unknown): readonly Member[] {
  const found: Member[] = [{ value: root, depth: 0 }]
  for (const { value, depth } of found) {
    if (typeof value !== 'object' || value === null) continue
    if (depth > DEPTH || found.length > MEMBERS) throw new TooComplex('too large')
    for (const inner of Object.values(value)) found.push({ value: inner, depth: depth + 1 })
  }
  return found
}

// as it would be written: a member that is undefined is not there
function copyJson(root: Source): Source {
  members(root)
  return JSON.parse(JSON.stringify(root)) as Source
}

function unescapeStep(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined // a % that encodes nothing leads nowhere
  }
}
