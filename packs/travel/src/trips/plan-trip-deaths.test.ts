import type { Envelope } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { answerQuestion, decide } from '../../testing/decide.ts'
import { openTravelWorld, type TravelWorld } from '../../testing/travel-world.ts'

const WISH = 'A week in Lisbon in May for two, under 2000 EUR, from Berlin'
const NOW = Date.parse('2026-11-16T08:00:00Z')

describe('a process that dies', () => {
  /** Answers the first calls of its providers, and none after them. */
  function dieAt(number: number) {
    const death = Promise.withResolvers<'dead'>()
    let calls = 0
    const wrap = (provider: object): object =>
      Object.fromEntries(
        Object.entries(provider).map(([method, work]) => [
          method,
          (...args: readonly unknown[]) => {
            if (calls++ < number)
              return (work as (...given: readonly unknown[]) => unknown)(...args)
            death.resolve('dead')
            return new Promise(() => undefined)
          },
        ]),
      )
    return { wrap, death: death.promise }
  }

  type Stage = 'searches' | 'saves' | 'books'

  /** One process does a stage and dies in it; another one does the rest. */
  async function planWithDeath(stage: Stage, number: number) {
    const world = openTravelWorld({ now: NOW })
    const { wrap, death } = dieAt(number)
    const dying = openTravelWorld({ now: NOW, beside: world, wrap })
    const ask = (on: TravelWorld) => on.call('planTrip', { wish: WISH }, { idempotencyKey: 'trip' })
    let isDead = false

    async function goOn(): Promise<Envelope> {
      world.runtime.start()
      for (let minute = 0; ; minute++) {
        await world.clock.advance(60_000)
        const now = await ask(world)
        const { asking, pending } = now.metadata
        if (minute === 15 || now.data !== null || asking !== undefined || pending !== undefined)
          return now
      }
    }
    async function perform(one: Stage, work: (on: TravelWorld) => Promise<void>) {
      if (one !== stage) {
        await work(world)
        return isDead ? goOn() : ask(world)
      }
      const ended = work(dying).then(() => ask(dying))
      isDead = (await Promise.race([death, ended])) === 'dead'
      return isDead ? goOn() : ended
    }

    const asked = await perform('searches', async () => undefined)
    const pending = await perform('saves', (on) => answerQuestion(on, asked))
    const last = await perform('books', (on) => decide(on, pending, 'approve'))
    const { plans } = await world.data<{ plans: unknown[] }>('listTravelPlans', {})
    await world.close()
    return {
      hasDied: isDead,
      status: (last.data as { status?: string } | null)?.status ?? last.error?.code,
      plans: plans.length,
      bookings: world.hotel.bookings.size,
    }
  }

  test.each([
    ['searches', 12],
    ['saves', 2],
    ['books', 3],
  ] as const)(
    'while it %s, at any call of a provider, leaves one plan and one booking',
    async (stage, atLeast) => {
      let deaths = 0
      for (; deaths < 60; deaths++) {
        const { hasDied, ...ending } = await planWithDeath(stage, deaths)
        if (!hasDied) break
        expect(ending, `dead at call ${deaths}`).toEqual({
          status: 'booked',
          plans: 1,
          bookings: 1,
        })
      }
      expect(deaths).toBeGreaterThanOrEqual(atLeast)
    },
  )
})
