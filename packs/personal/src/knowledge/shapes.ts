import { Rfc3339DateTime } from '@surehand/documents'
import { z } from 'zod'
import { LONGEST_BODY, LONGEST_TAG, LONGEST_TITLE, MOST_TAGS } from './note.ts'

// PostgreSQL cannot store a NUL character in a text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression excludes it
const WITHOUT_NUL = /^[^\u0000]*$/

export const NoteTitle = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_TITLE)
  .regex(/^[^\p{Cc}]*$/u, { error: 'must be on one line' })
export const NoteBody = z.string().max(LONGEST_BODY).regex(WITHOUT_NUL)
export const NoteTag = z
  .string()
  .min(1)
  .max(LONGEST_TAG)
  .regex(/^#?[\p{L}\p{N}_/-]+$/u)
  .describe('Letters, digits, "_", "-" and "/"; with or without "#".')
export const NoteTags = z.array(NoteTag).max(MOST_TAGS)
export const NoteName = z
  .string()
  .min(1)
  .max(LONGEST_TITLE)
  .describe('Title, part of it, or id of the note.')
export const Relation = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/)
  .describe('A word such as relates_to, supports, contradicts, part_of, follows.')

export const NoteInfo = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string().describe('Its file in an Obsidian vault.'),
  tags: z.array(z.string()),
  created_at: Rfc3339DateTime,
  updated_at: Rfc3339DateTime,
})

export const NoteLink = z.object({
  relation: z.string(),
  title: z.string(),
  id: z.string().optional().describe('The other note, if it exists.'),
})
