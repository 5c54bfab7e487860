import { callOf, pursue } from '../clients/pursue.ts'
import { plainWish, type Wish } from '../clients/wish.ts'
import { showProgress } from '../report/progress.ts'
import { judge } from '../report/verdict.ts'
import { openCalmHouse } from './calm-house.ts'
import { inTurn } from './in-turn.ts'
import { CALM_MS, settle } from './settle.ts'
import type { Scenario } from './world.ts'

/** Another input under a used key is refused, whether the key's call is done or still waits for a person. */
export const changedArguments: Scenario = async (world) => {
  const { options, vendor, random } = world
  const { pool, ledger, journey } = await openCalmHouse(world, 1)
  const used = Array.from({ length: options.keys }, (_, number) =>
    plainWish(number, { manner: number % 5 === 0 ? 'approval' : 'plain' }),
  )
  const done = used.filter(({ manner }) => manner === 'plain')
  const cases = await inTurn(done, options.clients, async (wish) => ({
    wish,
    final: await pursue(wish, journey),
    repeated: [],
  }))
  await inTurn(
    used.filter(({ manner }) => manner === 'approval'),
    options.clients,
    async (wish) => (await pool.any()).ask(callOf(wish, random), CALM_MS),
  )
  let tried = 0
  const stopProgress = showProgress(() => `changed arguments ${tried}/${options.calls}`)
  const changed = Array.from({ length: options.calls }, (_, number) =>
    otherInput(used[number % used.length] ?? plainWish(0), number),
  )
  const heard = await inTurn(changed, options.clients, async (wish) => {
    tried++
    return { wish, heard: await (await pool.any()).ask(callOf(wish, random), CALM_MS) }
  })
  await settle(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, vendor)
  await pool.close()
  const accepted = heard.filter(
    (one) => one.heard.status !== 'failed' || one.heard.code !== 'TOOL_IDEMPOTENCY_CONFLICT',
  )
  const broken = accepted.map(
    (one) => `${one.wish.key} with ${one.wish.item}: ${JSON.stringify(one.heard)}`,
  )
  if (verdict.effects !== done.length)
    broken.push(`${done.length} keys made ${verdict.effects} effects`)
  return {
    figures: {
      keys: options.keys,
      'changed arguments': heard.length,
      refused: heard.length - accepted.length,
    },
    verdict,
    broken,
  }
}

function otherInput(wish: Wish, number: number): Wish {
  return { ...wish, item: `other-${number}` }
}
