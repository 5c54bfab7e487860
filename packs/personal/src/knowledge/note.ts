import { hashJson, type Row } from '@surehand/core/internal'

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json }
export type Properties = Readonly<Record<string, Json>>

/** The content of a note: everything that its Markdown file contains. */
export type Note = {
  readonly title: string
  readonly body: string
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  /** The other properties of its front matter. */
  readonly properties: Properties
}

export const LONGEST_TITLE = 200
export const LONGEST_BODY = 200_000
export const MOST_TAGS = 50
export const LONGEST_TAG = 64

/**
 * The hash of the content: two notes with the same hash have the same content, however their files
 * are formatted.
 */
export function noteHash({ title, body, tags, aliases, properties }: Note): string {
  return hashJson({ title, body, tags, aliases, properties })
}

/** Converts a row of pm_notes; only `store-note.ts` writes them. */
export function toNote(row: Row): Note {
  return {
    title: String(row.title),
    body: String(row.body),
    tags: JSON.parse(String(row.tags)) as readonly string[],
    aliases: JSON.parse(String(row.aliases)) as readonly string[],
    properties: JSON.parse(String(row.properties)) as Properties,
  }
}
