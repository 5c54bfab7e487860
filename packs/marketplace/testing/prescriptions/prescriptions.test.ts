import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localOcr } from '@surehand/reading'
import { afterAll, expect, test } from 'vitest'
import { makePrescriptionCases } from './cases.ts'
import { scorePrescriptions } from './score.ts'

const folder = mkdtempSync(join(tmpdir(), 'surehand-prescriptions-'))
const ocr = localOcr({ folder })
afterAll(async () => {
  await ocr.close()
  rmSync(folder, { recursive: true, force: true })
})

// A scan and handwriting. All forty: npm run bench -- prescriptions.
const FEW = ['1-serif-0', '7-scrawl-1']

test('no wrong medicine is read with certainty from pictures', async () => {
  const cases = makePrescriptionCases().filter(({ id }) => FEW.includes(id))
  expect(await scorePrescriptions(cases, ocr)).toEqual({
    cases: 2,
    medicines: 8,
    certain: 1,
    asked: 2,
    missed: 5,
    missedSilently: 0,
    wrong: [],
    handwrittenCertain: 0,
  })
})
