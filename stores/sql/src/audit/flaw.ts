/** The first thing that is wrong: from which place on the audit can't be trusted, and why. */
export type Flaw = {
  readonly position: number
  /** Of the record at that place, where there is one. */
  readonly id: string | undefined
  readonly what: string
}

/** A flaw of a record whose leaf has this text. */
export function recordFlaw(position: number, text: string, what: string): Flaw {
  return { position, id: fieldOf(text, 'id'), what }
}

/** A field of a leaf's text, for a sentence: what was tampered with may be no JSON at all. */
export function fieldOf(text: string, name: string): string | undefined {
  try {
    const value = (JSON.parse(text) as Record<string, unknown>)[name]
    return value === undefined ? undefined : String(value)
  } catch {
    return undefined
  }
}
