import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { foldReply } from '../src/replies/fold-reply.ts'
import { readByRules } from '../src/replies/read-reply.ts'
import { DEVELOPMENT_SETS, REPLY_ARRIVES, type ReplyCase, readReplyCases } from './reply-case.ts'

// node packs/marketplace/testing/store-first-readings.ts SET [FROM]
// Adds what the rules of today read in a set of fixtures/replies, from its case FROM on (1), to
// first-readings.list. Run it once, before the reader is changed with the set: only then are the errors
// those of new text.

const [set = '', from = '1'] = process.argv.slice(2)
const list = join(DEVELOPMENT_SETS, 'first-readings.list')
const cases = readReplyCases(join(DEVELOPMENT_SETS, basename(set)))
const lines = readFileSync(list, 'utf8').trimEnd().split('\n')
const at = lines.findIndex((line) => line.startsWith(`${basename(set)} `))
const stored = at === -1 ? basename(set) : (lines[at] ?? '')
if (stored.includes(` ${from}:`)) throw new Error(`${set} has a first reading of case ${from}.`)
const readings = cases
  .slice(Number(from) - 1)
  .map((known, nth) => `${Number(from) + nth}:${readFirst(known)}`)
lines.splice(at === -1 ? lines.length : at, 1, [stored, ...readings].join(' '))
writeFileSync(list, `${lines.join('\n')}\n`)
console.log(`${readings.length} first readings of ${set} are stored in ${list}.`)

function readFirst({ text, request }: ReplyCase): string {
  const options = { ...REPLY_ARRIVES, ...(request !== undefined && { request }) }
  const { has_stock, price, confidence } = readByRules(foldReply(text), options)
  const stock = has_stock === null ? '-' : has_stock ? 'yes' : 'no'
  return `${stock}:${price ?? '-'}:${confidence}`
}
