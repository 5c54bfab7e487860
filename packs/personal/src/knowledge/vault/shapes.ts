import { z } from 'zod'
import { isNotePath } from '../file-name.ts'

export const MOST_STEPS = 200
// Large enough for a text with its quoting, and below the input limit of a call.
const Path = z
  .string()
  .max(400)
  .refine(isNotePath, { error: 'must be a Markdown file below the folder' })
const Hash = z.string().max(64)
const Text = z.string().max(1_000_000)
const Id = z.string().max(100)

export const TakeItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('create'), path: Path, fileHash: Hash, text: Text }),
  z.object({
    kind: z.literal('update'),
    noteId: Id,
    noteHash: Hash,
    path: Path,
    fileHash: Hash,
    text: Text,
  }),
  z.object({
    kind: z.literal('copy'),
    noteId: Id,
    path: Path,
    fileHash: Hash,
    copyPath: Path,
    text: Text,
  }),
  z.object({
    kind: z.literal('move'),
    noteId: Id,
    noteHash: Hash,
    from: Path,
    path: Path,
    fileHash: Hash,
    text: Text,
  }),
  z.object({ kind: z.literal('delete'), noteId: Id, noteHash: Hash, path: Path }),
  z.object({ kind: z.literal('settle'), noteId: Id, noteHash: Hash, path: Path, fileHash: Hash }),
  z.object({ kind: z.literal('forget'), path: Path }),
])
export type TakeItem = z.output<typeof TakeItem>

export const WriteItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('put'),
    noteId: Id,
    noteHash: Hash,
    path: Path,
    fileHash: Hash.nullable(),
  }),
  z.object({ kind: z.literal('remove'), path: Path, fileHash: Hash }),
])

export const Problem = z.object({ path: z.string(), problem: z.string() })
