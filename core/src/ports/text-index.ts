/** A searchable text with named fields. */
export type IndexedText = { readonly id: string; readonly fields: Readonly<Record<string, string>> }

export type TextIndex = {
  readonly put: (text: IndexedText) => void
  readonly remove: (id: string) => void
  /** Best first; `boosts` weigh fields. */
  readonly search: (
    query: string,
    boosts: Readonly<Record<string, number>>,
  ) => readonly { readonly id: string; readonly score: number }[]
  /**
   * What searching for `query` needs and cannot be computed at once, such as the meaning of texts.
   * Searches work without it, and it never rejects.
   */
  readonly prepare?: (query: string) => Promise<void>
}
