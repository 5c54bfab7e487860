import { hashJson, type Row } from '@surehand/core/internal'

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json }
export type Properties = Readonly<Record<string, Json>>

/** What a person wrote: everything a Markdown file can say of it. */
export type Note = {
  readonly title: string
  readonly body: string
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  /** What else stands in its front matter. */
  readonly properties: Properties
}

export const LONGEST_TITLE = 200
export const LONGEST_BODY = 200_000
export const MOST_TAGS = 50
export const LONGEST_TAG = 64

/** Two notes with one hash say the same, however their files are written. */
export function noteHash({ title, body, tags, aliases, properties }: Note): string {
  return hashJson({ title, body, tags, aliases, properties })
}

/** A row of pm_notes; only `keep-note.ts` writes them. */
export function toNote(row: Row): Note {
  return {
    title: String(row.title),
    body: String(row.body),
    tags: JSON.parse(String(row.tags)) as readonly string[],
    aliases: JSON.parse(String(row.aliases)) as readonly string[],
    properties: JSON.parse(String(row.properties)) as Properties,
  }
}
