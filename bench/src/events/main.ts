import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { extractEvent } from '../../../packs/events/src/extract/extract-event.ts'
import { localOcr } from '../../../packs/events/src/media/providers/local-ocr.ts'
import { madeCases } from '../../../packs/events/testing/cases.ts'
import { type Examined, examine } from '../../../packs/events/testing/examine.ts'
import type { Kind } from '../../../packs/events/testing/made-case.ts'
import { readCase } from '../../../packs/events/testing/read-case.ts'
import { judge } from './goals.ts'
import { missLines } from './misses.ts'
import { markdownReport, type Run, textReport } from './report.ts'

const SCRATCH = fileURLToPath(new URL('../../../.bench/events/', import.meta.url))
const KINDS: readonly Kind[] = ['flyer', 'photo', 'page', 'sentence']
const TOLD_EVERY = 10

const { values } = parseArgs({
  options: {
    /** Fresh ones unless told; the report names it. */
    seed: { type: 'string' },
    count: { type: 'string', default: '120' },
    /** Of flyer, photo, page, sentence: some, with commas. */
    only: { type: 'string' },
    markdown: { type: 'string' },
    /** So many misses are told, of cases that are not held out. */
    misses: { type: 'string', default: '0' },
    /** Tell the reader each case's language, as where a person has one set. */
    'tell-language': { type: 'boolean', default: false },
  },
})
const language = values['tell-language'] ? 'told' : 'not told'
const count = wholeNumber('count', values.count)
const misses = wholeNumber('misses', values.misses)
const kinds = KINDS.filter((kind) => values.only?.split(',').includes(kind) ?? true)
if (kinds.length === 0) throw new Error(`--only takes some of ${KINDS.join(', ')}`)

const date = new Date()
const seed = values.seed ?? String(date.getTime())
mkdirSync(SCRATCH, { recursive: true })
const ocr = localOcr({ folder: SCRATCH })
try {
  console.log(`events: ${count} made cases, seed ${seed}`)
  const examined: Examined[] = []
  for await (const one of madeCases({ seed, count, kinds })) {
    examined.push(
      await examine(one, (made) => readCase(made, { ocr, extract: extractEvent, language })),
    )
    if (examined.length % TOLD_EVERY === 0 || examined.length === count)
      console.log(`  ${examined.length} of ${count}, ${secondsSince(date)} s`)
  }
  const command = ['npm run bench -- events', ...process.argv.slice(2)].join(' ')
  const run: Run = { examined, seed, language, seconds: secondsSince(date), date, command }
  console.log(textReport(run))
  if (misses > 0) console.log(`\nmisses\n\n${missLines(examined, misses).join('\n')}`)
  if (values.markdown !== undefined) writeFileSync(resolve(values.markdown), markdownReport(run))
  if (judge(examined).some(({ verdict }) => verdict === 'miss')) process.exitCode = 1
} finally {
  await ocr.close()
}

function secondsSince(start: Date): number {
  return Math.round((Date.now() - start.getTime()) / 1000)
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0)
    throw new Error(`--${name} takes a whole number, not ${text}`)
  return value
}
