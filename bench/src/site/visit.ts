import type { Browser, Page, Request } from 'playwright-core'
import { openShopApp } from '../../../packs/site/src/fixtures/shop-app.ts'
import {
  indexRoses,
  openSiteServer,
  type SiteServer,
} from '../../../packs/site/src/fixtures/site-server.ts'
import {
  frameOf,
  hear,
  openWidget,
  sentence,
  turns,
  visit,
  widget,
} from '../../../packs/site/testing/widget-visit.ts'
import { findChromium } from '../../../scripts/needs.ts'
import { launch } from '../../../testing/src/fixtures/launch.ts'
import { percentile } from '../harness/statistics.ts'
import { measureMainThread } from './main-thread.ts'

// What a visitor notices, in Chromium: how long the agent is silent after a sentence, how fast it
// falls silent when it is interrupted, and how much the bridge slows the page down.

const ROUNDS = 20
const GOALS = { added: 20, confirmation: 300, bargeIn: 50 }

/** Prints the figures. False where one of them misses its goal. */
export async function reportVisit(): Promise<boolean> {
  const executable = findChromium()
  if (executable === undefined) {
    console.log(
      'NOT MEASURED in a browser: Chromium is not installed ("apt-get install chromium").',
    )
    return true
  }
  const browser = await launch(executable)
  const wall = await measureMainThread(browser, 'timeTicks')
  const processor = await measureMainThread(browser, 'threadTicks')
  for (const [name, { bare, added, addedWithFrame }] of Object.entries({ wall, processor }))
    console.log(
      `bridge, main thread  adds ${added.toFixed(1)} ms to ${bare.toFixed(1)} ms (${name} time)  goal ${GOALS.added} ms; with the widget opened ${addedWithFrame.toFixed(1)} ms`,
    )
  const { confirmations, bargeIns } = await measureConversation(browser)
  await browser.close()
  const isHeard = printTimes('spoken confirmation', confirmations, GOALS.confirmation)
  const silent = bargeIns.map((one) => one.silentMs)
  const cancelled = bargeIns.map((one) => one.cancelledMs)
  const isSilent = printTimes('barge-in, silence', silent, GOALS.bargeIn)
  const isCancelled = printTimes('barge-in, cancelled', cancelled, GOALS.bargeIn)
  return isHeard && isSilent && isCancelled && Math.max(wall.added, processor.added) <= GOALS.added
}

function printTimes(name: string, times: readonly number[], goal: number): boolean {
  const p95 = percentile(times, 0.95)
  const p50 = percentile(times, 0.5)
  console.log(
    `${name.padEnd(20)} p50 ${p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms  goal ${goal} ms  ${p95 <= goal ? 'kept' : 'EXCEEDED'}`,
  )
  return p95 <= goal
}

async function measureConversation(browser: Browser) {
  const app = await openShopApp<SiteServer>({ contract: { search: undefined } }, openSiteServer)
  app.shop.embed({ script: `${app.url}/site/bridge.js`, data: { key: app.key } })
  await indexRoses(app, app.shop.url)
  const page = await visit(browser, `${app.shop.url}/`)
  await openWidget(page)
  await widget(page).getByRole('button', { name: 'Speak' }).click()
  await widget(page).getByRole('button', { name: 'Switch it on' }).click()
  await widget(page).getByRole('button', { name: 'Stop listening' }).waitFor()
  const confirmations: number[] = []
  const bargeIns: BargeIn[] = []
  for (let round = 0; round < ROUNDS; round += 1) confirmations.push(await ask(page, round))
  for (let round = 0; round < ROUNDS; round += 1) bargeIns.push(await interrupt(page, round))
  await page.context().close()
  await app.close()
  return { confirmations, bargeIns }
}

/** From the visitor's last word to the first of the agent: it contains the dispatch of the tool. */
async function ask(page: Page, round: number): Promise<number> {
  await hear(page, `find sapphire${round}`)
  await sentence(page, new RegExp(`nothing for .sapphire${round}\\b`)).waitFor()
  const events = await turns(page)
  const said = events.findLast(
    ({ type, text }) => type === 'final_asr' && text?.endsWith(`e${round}`),
  )
  const heard = events.find(({ type, at }) => type === 'tts_play' && at >= (said?.at ?? 0))
  return (heard?.at ?? Number.NaN) - (said?.at ?? Number.NaN)
}

type BargeIn = { readonly silentMs: number; readonly cancelledMs: number }

/**
 * From the first sound of the visitor until the voice is silent, and until the server has cancelled
 * what has not begun.
 */
async function interrupt(page: Page, round: number): Promise<BargeIn> {
  const held = Promise.withResolvers<void>()
  const wanted = `topaz${round}`
  const isWanted = (request: Request): boolean => request.postData()?.includes(wanted) ?? false
  const isHeld = page.waitForRequest(isWanted)
  await page.route('**/site/turns', async (route) => {
    if (isWanted(route.request())) await held.promise
    await route.continue()
  })
  await hear(page, `find ${wanted}`)
  await isHeld
  const cancelled = page.waitForResponse((one) => one.request().method() === 'DELETE')
  await hear(page, 'help')
  await (await cancelled).finished()
  held.resolve()
  await page.unrouteAll({ behavior: 'wait' })
  const end = (await frameOf(page).evaluate(`(() => {
    const deleted = performance.getEntriesByType('resource').filter(({ name }) => /turns\\/turn-/.test(name))
    return performance.timeOrigin + deleted.at(-1).responseEnd
  })()`)) as number
  const events = await turns(page)
  const timeOf = (name: string): number =>
    events.findLast(({ type }) => type === name)?.at ?? Number.NaN
  const began = timeOf('vad')
  return { silentMs: timeOf('barge_in') - began, cancelledMs: end - began }
}
