import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { localOcr } from '../../../libraries/reading/src/local-ocr.ts'
import { extractEvent } from '../../../packs/events/src/extract/extract-event.ts'
import { generateCases } from '../../../packs/events/testing/cases.ts'
import { type ExaminedCase, examine } from '../../../packs/events/testing/examine.ts'
import type { Kind } from '../../../packs/events/testing/generated-case.ts'
import { readCase } from '../../../packs/events/testing/read-case.ts'
import { chooseContenders, readOptions, readWholeNumber } from '../harness/options.ts'
import { runSuite, SCRATCH } from '../harness/run-suite.ts'
import { createReport, describeMisses } from './report.ts'

const KINDS: readonly { readonly id: Kind }[] = [
  { id: 'flyer' },
  { id: 'photo' },
  { id: 'page' },
  { id: 'sentence' },
]
const PROGRESS_EVERY = 10

// A new seed unless one is given; `count` cases; `misses` of those that are not held out are printed.
// `--give-language` passes each case's language to the reader, as for a person who has set one.
const options = readOptions({
  rounds: 1,
  texts: ['seed', 'count', 'misses'],
  flags: ['give-language'],
})
const count = readWholeNumber('count', options.texts.count, { fallback: 120, least: 0 })
const misses = readWholeNumber('misses', options.texts.misses, { fallback: 0, least: 0 })
const seed = options.texts.seed ?? String(Date.now())
const language = options.flags['give-language'] ? 'known' : 'unknown'
const kinds = chooseContenders(KINDS, options.only).map(({ id }) => id)

await runSuite('events', options, async ({ startNoiseWatch }) => {
  console.log(`events: ${count} generated cases, seed ${seed}`)
  // Not deleted after the run: the language data of the text recognition is collected here.
  const languageData = join(SCRATCH, 'events')
  mkdirSync(languageData, { recursive: true })
  const ocr = localOcr({ folder: languageData })
  try {
    startNoiseWatch()
    const startedAt = Date.now()
    const examined: ExaminedCase[] = []
    for await (const one of generateCases({ seed, count, kinds })) {
      examined.push(
        await examine(one, (made) => readCase(made, { ocr, extract: extractEvent, language })),
      )
      if (examined.length % PROGRESS_EVERY === 0 || examined.length === count)
        console.log(
          `  ${examined.length} of ${count}, ${Math.round((Date.now() - startedAt) / 1000)} s`,
        )
    }
    if (misses > 0) console.log(`\nmisses\n\n${describeMisses(examined, misses).join('\n')}`)
    return createReport({ examined, seed, language })
  } finally {
    await ocr.close()
  }
})
