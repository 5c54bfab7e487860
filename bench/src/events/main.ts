import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type LocalOcr, localOcr } from '../../../libraries/reading/src/local-ocr.ts'
import { extractEvent } from '../../../packs/events/src/extract/extract-event.ts'
import {
  type ExaminedFolderCase,
  examineFolderCase,
  readCaseFolder,
} from '../../../packs/events/testing/case-folder.ts'
import { generateCases } from '../../../packs/events/testing/cases.ts'
import { type ExaminedCase, examine } from '../../../packs/events/testing/examine.ts'
import type { Kind } from '../../../packs/events/testing/generated-case.ts'
import {
  type ModelAnswers,
  readAnswers,
  readCasesWith,
  writeRequests,
} from '../../../packs/events/testing/model-answers.ts'
import { readCase } from '../../../packs/events/testing/read-case.ts'
import { chooseContenders, readOptions, readWholeNumber } from '../harness/options.ts'
import type { Report } from '../harness/report.ts'
import { ROOT, runSuite, SCRATCH } from '../harness/run-suite.ts'
import { createFolderReport, describeFolderMisses } from './folder-report.ts'
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
// `--cases FOLDER` reads the cases of a folder instead: those of the repository were tuned on, and
// their misses can be printed; all others are kept apart. `--requests FILE` writes what a language
// model is sent for each of them, `--answers FILE` measures with what it answered.
const options = readOptions({
  rounds: 1,
  texts: ['seed', 'count', 'misses', 'cases', 'requests', 'answers'],
  flags: ['give-language'],
})
const count = readWholeNumber('count', options.texts.count, { fallback: 120, least: 0 })
const misses = readWholeNumber('misses', options.texts.misses, { fallback: 0, least: 0 })
const seed = options.texts.seed ?? String(Date.now())
const language = options.flags['give-language'] ? 'known' : 'unknown'
const kinds = chooseContenders(KINDS, options.only).map(({ id }) => id)

type Run = { readonly ocr: LocalOcr; readonly startNoiseWatch: () => void }

await runSuite('events', options, async ({ startNoiseWatch }) => {
  // Not deleted after the run: the language data of the text recognition is collected here.
  const languageData = join(SCRATCH, 'events')
  mkdirSync(languageData, { recursive: true })
  const ocr = localOcr({ folder: languageData })
  const { cases } = options.texts
  try {
    return cases === undefined
      ? await readGenerated({ ocr, startNoiseWatch })
      : await readFolder(cases, { ocr, startNoiseWatch })
  } finally {
    await ocr.close()
  }
})

async function readGenerated({ ocr, startNoiseWatch }: Run): Promise<Report> {
  console.log(`events: ${count} generated cases, seed ${seed}`)
  startNoiseWatch()
  const report = startProgress(count)
  const examined: ExaminedCase[] = []
  for await (const one of generateCases({ seed, count, kinds })) {
    examined.push(
      await examine(one, (made) => readCase(made, { ocr, extract: extractEvent, language })),
    )
    report(examined.length)
  }
  if (misses > 0) console.log(`\nmisses\n\n${describeMisses(examined, misses).join('\n')}`)
  return createReport({ examined, seed, language })
}

async function readFolder(folder: string, { ocr, startNoiseWatch }: Run): Promise<Report> {
  const path = fromTypedFolder(folder)
  const isTunedOn = path.startsWith(join(ROOT, 'packs')) && !path.includes('kept-apart')
  const label = isTunedOn ? 'tuned on' : 'kept apart'
  const cases = readCaseFolder(path)
  const answers: ModelAnswers =
    options.texts.answers === undefined
      ? new Map()
      : readAnswers(fromTypedFolder(options.texts.answers))
  const { extractCase, requests } = readCasesWith(answers)
  console.log(`events: ${cases.length} cases of ${folder}, ${label}`)
  startNoiseWatch()
  const report = startProgress(cases.length)
  const examined: ExaminedFolderCase[] = []
  for (const one of cases) {
    examined.push(await examineFolderCase(one, { folder: path, ocr, extract: extractCase(one) }))
    report(examined.length)
  }
  if (options.texts.requests !== undefined)
    writeRequests(fromTypedFolder(options.texts.requests), requests())
  if (misses > 0 && label === 'tuned on')
    console.log(`\nmisses\n\n${describeFolderMisses(examined).slice(0, misses).join('\n')}`)
  const answered = examined.filter(({ one }) => answers.has(one.id)).length
  return createFolderReport({ examined, folder, label, answered })
}

/** npm runs this in another folder than the one the command was typed in. */
function fromTypedFolder(path: string): string {
  return resolve(process.env.INIT_CWD ?? '.', path)
}

function startProgress(total: number): (done: number) => void {
  const startedAt = Date.now()
  return (done) => {
    if (done % PROGRESS_EVERY !== 0 && done !== total) return
    console.log(`  ${done} of ${total}, ${Math.round((Date.now() - startedAt) / 1000)} s`)
  }
}
