import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localOcr } from '@surehand/reading'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extractEvent } from '../src/extract/extract-event.ts'
import { calibration } from './calibration.ts'
import { generateCases } from './cases.ts'
import { type ExaminedCase, examine, isAllRight, shareRight } from './examine.ts'
import { readCase } from './read-case.ts'

// `npm run fuzz` uses new cases, and more of them; otherwise they are the same in every run.
const isFuzz = process.env.SUREHAND_FUZZ !== undefined
const seed = isFuzz ? String(Date.now()) : '2026-11-15'
const COUNT = isFuzz ? 40 : 16

describe(`${COUNT} clean cases, seed ${seed}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-ocr-'))
  const ocr = localOcr({ folder })
  const examined: ExaminedCase[] = []

  beforeAll(async () => {
    // Without held-out cases: whoever fixes a failure here sees the case.
    for await (const one of generateCases({
      seed,
      count: COUNT,
      kinds: ['flyer', 'page', 'sentence'],
      heldOut: 'without',
    })) {
      examined.push(
        await examine(one, (made) =>
          readCase(made, { ocr, extract: extractEvent, language: 'unknown' }),
        ),
      )
    }
  }, 300_000)

  afterAll(async () => {
    await ocr.close()
    rmSync(folder, { recursive: true })
  })

  test('all of them can be read', () => {
    expect(examined.flatMap(({ made, failure }) => (failure ? [[made.id, failure]] : []))).toEqual(
      [],
    )
    expect(examined).toHaveLength(COUNT)
  })

  test.each([
    ['date', 0.9],
    ['time', 0.9],
    ['title', 0.85],
    ['place', 0.85],
  ] as const)('%ss are right in a share of at least %d', (field, least) => {
    const wrong = examined
      .filter(({ score }) => !score[field])
      .map(({ made, reading }) => [made.id, made.answer, reading.answered])
    expect(shareRight(examined, field), JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(
      least,
    )
  })

  test('a wrong case has a lower confidence than most right ones', () => {
    const { auc } = calibration(
      examined.map((one) => ({
        confidence: one.reading.confidence.overall,
        isRight: isAllRight(one),
      })),
    )
    expect(auc ?? 1).toBeGreaterThanOrEqual(0.7)
  })
})
