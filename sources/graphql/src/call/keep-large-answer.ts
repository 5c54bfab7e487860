import { createHash } from 'node:crypto'
import type { Caller } from '@surehand/core'
import type { KeepFile } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'

/** The data, and what is to be said about it. */
export type ToolAnswer = { readonly data: unknown; readonly [further: string]: unknown }

/** The schema of what is added to a large answer. */
export const LARGE_ANSWER = {
  artifact: { type: 'object', description: 'A link to the whole of data.' },
  truncated: { type: 'string', description: 'What is missing of a large answer.' },
} as const

const MAX_ANSWER_BYTES = 256 * 1024
// What is linked is shown as a preview only: a model reads all of it.
const PREVIEW_BYTES = 32 * 1024
const MEDIA_TYPE = 'application/json'
// How many items of each list are shown: the most that fit.
const SHOWN_ITEMS = [100, 20, 5, 1] as const
const SHOWN_CHARACTERS = 4_000

/**
 * Of a large answer, the beginning of its lists and texts with a link to the whole. An answer that
 * cannot be stored is shortened all the same: the call has had its effect.
 */
export async function keepLargeAnswer(
  answer: ToolAnswer,
  caller: Caller,
  keep: KeepFile | undefined,
): Promise<ToolAnswer> {
  const text = JSON.stringify(answer.data)
  // No character of UTF-16 takes more than three bytes.
  if (text.length <= MAX_ANSWER_BYTES / 3) return answer
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= MAX_ANSWER_BYTES) return answer
  const kept = await keep?.(caller, { bytes, mediaType: MEDIA_TYPE }).catch(() => undefined)
  const most = kept === undefined ? MAX_ANSWER_BYTES : PREVIEW_BYTES
  const { data, cut } = shortenData(answer.data, text, most)
  if (kept === undefined)
    return { ...answer, data, truncated: `${cut}; ask for less at a time, or for fewer fields` }
  return {
    ...answer,
    data,
    truncated: `${cut}; the artifact is the whole of data`,
    artifact: {
      media_type: MEDIA_TYPE,
      bytes: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...kept,
    },
  }
}

function shortenData(
  data: unknown,
  text: string,
  mostBytes: number,
): { readonly data: unknown; readonly cut: string } {
  let [shorter, length] = [data, text.length]
  for (const items of SHOWN_ITEMS) {
    shorter = shorten(shorter, items)
    const written = JSON.stringify(shorter)
    if (Buffer.byteLength(written) <= mostBytes)
      return {
        data: shorter,
        cut: `lists were cut after ${items === 1 ? '1 item' : `${items} items`} and texts after ${SHOWN_CHARACTERS} characters`,
      }
    // What has neither lists nor long texts gets no shorter.
    if (written.length === length) break
    length = written.length
  }
  // Null would read as "there is nothing".
  return {
    data: text.slice(0, SHOWN_CHARACTERS).toWellFormed(),
    cut: `data is shown as a text, its first ${SHOWN_CHARACTERS} characters as JSON`,
  }
}

function shorten(value: unknown, items: number): unknown {
  if (typeof value === 'string') return value.slice(0, SHOWN_CHARACTERS).toWellFormed()
  if (Array.isArray(value)) return value.slice(0, items).map((item) => shorten(item, items))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shorten(one, items)]))
}
