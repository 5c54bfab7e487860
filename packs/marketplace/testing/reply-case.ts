import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A vendor's reply with what a clerk would write down; fixtures/replies/README.md describes the sets. */
export type ReplyCase = {
  /** Unique in its set: that of the file, or the number of its line. */
  readonly id: string
  readonly text: string
  /** The question that the vendor answers, where the case has one. */
  readonly request?: string
  /** What is right: the expected value, then others that are accepted. Null: the reply does not say. */
  readonly stock: readonly (boolean | null)[]
  readonly price: readonly (number | null)[]
  /** Only where a sum for several units is named or follows from a count. */
  readonly total?: number
  /** The local date, with the time where one is named (`2026-11-17 15:00`). */
  readonly when?: string
  readonly language: string
}

/** The moment at which every reply of the sets arrives: Monday, 10:00 in Kigali. */
export const REPLY_ARRIVES = {
  now: Date.parse('2026-11-16T10:00:00+02:00'),
  timeZone: 'Africa/Kigali',
} as const

/** The sets with which the reader was developed. */
export const DEVELOPMENT_SETS = join(import.meta.dirname, 'fixtures/replies')

const STOCK: ReadonlyMap<string, boolean | null> = new Map([
  ['yes', true],
  ['no', false],
  ['-', null],
])

const JsonCases = z.array(
  z.object({
    id: z.string().optional(),
    language: z.string(),
    request: z.string().optional(),
    message: z.string(),
    expect: z.object({ has_stock: z.boolean().nullable(), price: z.number().nullable() }),
    accept: z
      .object({
        has_stock: z.array(z.boolean().nullable()).default([]),
        price: z.array(z.number().nullable()).default([]),
      })
      .default({ has_stock: [], price: [] }),
  }),
)

/** The sets at a path: one file, or every `.txt` and `.json` file of a folder. */
export function listReplySets(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  const files = readdirSync(path).filter((name) => /\.(?:txt|json)$/.test(name))
  if (files.length === 0) throw new Error(`${path} has no .txt or .json file with replies.`)
  return files.toSorted().map((name) => join(path, name))
}

/** Reads a set of replies; fixtures/replies/README.md describes both formats. */
export function readReplyCases(file: string): readonly ReplyCase[] {
  const content = readFileSync(file, 'utf8')
  if (file.endsWith('.json'))
    return JsonCases.parse(JSON.parse(content)).map(
      ({ id, language, request, message, expect, accept }, at) => ({
        id: id ?? String(at + 1),
        text: message,
        ...(request !== undefined && { request }),
        stock: [expect.has_stock, ...accept.has_stock],
        price: [expect.price, ...accept.price],
        language,
      }),
    )
  return content
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line, at) => ({ id: String(at + 1), ...readLine(file, line) }))
}

function readLine(file: string, line: string): Omit<ReplyCase, 'id'> {
  const bar = line.indexOf(' | ')
  if (bar === -1) throw new Error(`${file}: a line has no " | " between answer and text: ${line}`)
  const head = line.slice(0, bar)
  const [stock = '', price = '', language = ''] = head.split(' ')
  const total = /total=(\d+)/.exec(head)?.[1]
  const when = /when=([\d-]+(?: \d\d:\d\d)?)/.exec(head)?.[1]
  return {
    text: line.slice(bar + 3).replaceAll('\\n', '\n'),
    stock: stock.split('/').map((word) => STOCK.get(word) ?? null),
    price: price.split('/').map((word) => (word === '-' ? null : Number(word))),
    language,
    ...(total === undefined ? {} : { total: Number(total) }),
    ...(when === undefined ? {} : { when }),
  }
}
