import { ToolError } from '@surehand/core'
import type { OcrReading } from '@surehand/reading'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vendor } from '../../testing/market-rows.ts'
import {
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
} from '../../testing/market-world.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

const CLIENT = '250788555001'
const DAY_MS = 24 * 3_600_000

function reading(...lines: readonly (readonly [string, number])[]): OcrReading {
  const box = { x: 0, y: 0, width: 1, height: 1 }
  return {
    text: lines.map(([text]) => text).join('\n'),
    confidence: 0.9,
    lines: lines.map(([text, confidence]) => ({ text, confidence, box, letterHeight: 10 })),
    cleaned: false,
    width: 1,
    height: 1,
  }
}

async function open(
  answers: (OcrReading | ToolError)[],
  settings: Record<string, string> = { OCR_ENABLED: 'true' },
) {
  const world = await database.open({
    rows: [...vendor('ven_1'), ...vendor('ven_2')],
    settings,
    others: {
      ocr: {
        async read() {
          const answer = answers.shift()
          if (answer === undefined || answer instanceof ToolError)
            throw answer ?? new Error('no answer is left')
          return answer
        },
      },
    },
  })
  world.messenger.media.set('m1', { bytes: new Uint8Array([1]), mediaType: 'image/jpeg' })
  return world
}

const sendPicture = (world: MarketWorld): Promise<string> =>
  world.receive({
    kind: 'message',
    id: 'wamid.photo',
    from: CLIENT,
    at: MARKET_NOW,
    type: 'image',
    media: { id: 'm1', type: 'image/jpeg' },
  })
const jobOf = async (world: MarketWorld) =>
  (await world.query('select * from mk_ocr_jobs where tenant = ?', world.tenant))[0]
const stateOf = async (world: MarketWorld) =>
  (await world.query('select state from mk_requests where tenant = ?', world.tenant))[0]?.state
const lastText = (world: MarketWorld) =>
  (world.messenger.sent.at(-1)?.content as { text?: string } | undefined)?.text

describe('a picture', () => {
  test('of a clear prescription becomes the need, and only the place is asked for', async () => {
    const world = await open([reading(['Amoxicillin 500 mg capsules, 21 capsules', 0.96])])
    await sendPicture(world)
    expect(await stateOf(world)).toBe('collecting_requirements')
    expect(lastText(world)).toContain('Amoxicillin 500 mg'.toLowerCase())
    const job = await jobOf(world)
    const result = await world.data('marketplace.get_ocr_result', { job_id: job?.id })
    expect(result).toMatchObject({
      status: 'completed',
      extracted: { items: [{ name: 'amoxicillin' }], unsure: [] },
    })
    await world.receive({
      kind: 'message',
      id: 'w2',
      from: CLIENT,
      at: MARKET_NOW,
      type: 'text',
      text: 'Kimironko',
    })
    expect(await stateOf(world)).toBe('awaiting_vendor_replies')
    await world.close()
  })

  test('that is not certain is asked back, and nothing is searched for', async () => {
    const world = await open([reading(['Amoxicillin 500 mg', 0.7])])
    await sendPicture(world)
    expect(lastText(world)).toContain('could not read everything')
    expect(await stateOf(world)).toBe('collecting_requirements')
    const [request] = await world.query(
      'select requirements from mk_requests where tenant = ?',
      world.tenant,
    )
    expect(JSON.parse(String(request?.requirements))).not.toHaveProperty('need')
    await world.close()
  })

  test('that cannot be read is tried three times, then a person looks', async () => {
    const down = new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The reader is busy.')
    const world = await open([down, down, down])
    await sendPicture(world)
    expect(await jobOf(world)).toMatchObject({ status: 'pending', attempts: 1 })
    for (const minutes of [2, 10]) {
      world.clock.set(MARKET_NOW + minutes * 60_000)
      await world.runDueWork()
    }
    expect(await jobOf(world)).toMatchObject({ status: 'failed', attempts: 3 })
    expect(
      await world.query('select kind from mk_attention where tenant = ?', world.tenant),
    ).toEqual([{ kind: 'unreadable_picture' }])
    expect(lastText(world)).toContain('could not read the picture')
    await world.close()
  })

  test('is read once, whatever is delivered twice', async () => {
    const world = await open([reading(['Paracetamol 1 g', 0.95])])
    await sendPicture(world)
    await sendPicture(world)
    expect(
      await world.query('select count(*) as n from mk_ocr_jobs where tenant = ?', world.tenant),
    ).toEqual([{ n: 1 }])
    await world.close()
  })

  test('is not read while reading is switched off', async () => {
    const world = await open([], {})
    await sendPicture(world)
    expect(lastText(world)).toContain('cannot read pictures')
    expect(await jobOf(world)).toBeUndefined()
    await world.close()
  })

  test('and what was read from it are deleted when their time is over', async () => {
    const world = await open([reading(['Paracetamol 1 g', 0.95])], {
      OCR_ENABLED: 'true',
      MARKETPLACE_OCR_RETENTION_DAYS: '2',
    })
    await sendPicture(world)
    world.clock.set(MARKET_NOW + 3 * DAY_MS)
    await world.runDueWork()
    expect(await jobOf(world)).toMatchObject({
      extracted: null,
      media_url: '',
      status: 'completed',
    })
    expect(await world.given.values.get(world.tenant, 'marketplace/media/m1')).toBeUndefined()
    await world.close()
  })

  test('is erased by an operator at once, and its file with the next due work', async () => {
    const world = await open([reading(['Paracetamol 1 g', 0.95])])
    await sendPicture(world)
    const job = await jobOf(world)
    await world.data('marketplace.update_ocr_job', { job_id: job?.id, change: { to: 'erased' } })
    expect(await jobOf(world)).toMatchObject({ extracted: null })
    await world.runDueWork()
    expect(await world.given.values.get(world.tenant, 'marketplace/media/m1')).toBeUndefined()
    expect(await jobOf(world)).toMatchObject({ media_url: '' })
    await world.close()
  })
})
