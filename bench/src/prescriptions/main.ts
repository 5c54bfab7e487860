import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { localOcr } from '../../../libraries/reading/src/local-ocr.ts'
import { makePrescriptionCases } from '../../../packs/marketplace/testing/prescriptions/cases.ts'
import { scorePrescriptions } from '../../../packs/marketplace/testing/prescriptions/score.ts'
import { readOptions, readWholeNumber } from '../harness/options.ts'
import { SCRATCH } from '../harness/run-suite.ts'

// Generated prescriptions as pictures, with known answers. It fails if a wrong medicine was certain.
const options = readOptions({ rounds: 1, texts: ['count'] })
const count = readWholeNumber('count', options.texts.count, { fallback: 40, least: 1 })
const languageData = join(SCRATCH, 'prescriptions')
mkdirSync(languageData, { recursive: true })
const ocr = localOcr({ folder: languageData })
try {
  const score = await scorePrescriptions(makePrescriptionCases(count), ocr)
  const { wrong, ...counts } = score
  console.log(`prescriptions: ${score.cases} pictures with ${score.medicines} medicines`)
  for (const [name, value] of Object.entries(counts)) console.log(`  ${name.padEnd(20)} ${value}`)
  console.log(`  wrong at 0.75 or more ${wrong.length}`)
  for (const { id, item } of wrong) console.log(`    ${id}: ${item.written} → ${item.name}`)
  if (wrong.length > 0) process.exitCode = 1
} finally {
  await ocr.close()
}
