/** The first flaw: the position from which on the audit cannot be trusted, and why. */
export type Flaw = {
  readonly position: number
  /** The id of the record at that position, if there is one. */
  readonly id?: string
  readonly what: string
}

/** The flaw of a record with this leaf text. */
export function recordFlaw(position: number, text: string, what: string): Flaw {
  const id = fieldOf(text, 'id')
  return { position, ...(id === undefined ? {} : { id }), what }
}

/** Reads a field of a leaf's text for a message: a text that was tampered with may not be JSON. */
export function fieldOf(text: string, name: string): string | undefined {
  try {
    const value = (JSON.parse(text) as Record<string, unknown>)[name]
    return value === undefined ? undefined : String(value)
  } catch {
    return undefined
  }
}
