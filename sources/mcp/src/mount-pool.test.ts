import { fakeClock } from '@surehand/conformance'
import type { Caller } from '@surehand/core'
import type { ForeignCall } from '@surehand/core/host'
import { systemClock } from '@surehand/core/ports'
import { describe, expect, test } from 'vitest'
import { ANN, aCall, mounted, program, textOf } from './fixtures/mounted.ts'
import type { Mount } from './mount.ts'
import { type MountOwner, mountPool } from './mount-pool.ts'

const going = new AbortController().signal
const credentialOf = ({ principal }: Caller) => `credential-of-${principal}`
const by = (tenant: string, principal: string): ForeignCall => ({
  ...aCall('plain'),
  caller: { ...ANN, tenant, principal },
})

/** Test mounts that answer with their owner. */
function createTestMount() {
  const opened: string[] = []
  const closed: string[] = []
  let answering = Promise.resolve()
  const mount = ({ tenant, credential }: MountOwner): Mount => {
    const name = `${tenant}|${credential}`
    opened.push(name)
    const carry = async () => {
      await answering
      return name
    }
    return {
      name,
      tools: async () => ({ tools: [], refused: [], notes: [] }),
      source: { read: carry, write: carry, writeOnce: carry },
      health: () => mounted(program('raw-main')).health(),
      close: async () => void closed.push(name),
    }
  }
  const hold = (until: Promise<void>) => {
    answering = until
  }
  return { opened, closed, mount, hold }
}

describe('a pool of mounts', () => {
  test('has one mount for each tenant and credential', async () => {
    const { opened, mount } = createTestMount()
    const pool = mountPool({
      mount,
      credentialOf: ({ principal }) => principal,
      clock: fakeClock(),
      idleMs: 1_000,
      max: 10,
    })
    const answers = await Promise.all(
      [by('a', 'x'), by('a', 'y'), by('b', 'x'), by('a', 'x'), by('a","x', 'y')].map((call) =>
        pool.source.read(call, going),
      ),
    )
    expect(answers).toEqual(['a|x', 'a|y', 'b|x', 'a|x', 'a","x|y'])
    expect(opened).toEqual(['a|x', 'a|y', 'b|x', 'a","x|y'])
  })

  test('closes an idle mount, and opens it again when it is needed', async () => {
    const { opened, closed, mount } = createTestMount()
    const clock = fakeClock()
    const pool = mountPool({ mount, credentialOf, clock, idleMs: 1_000, max: 10 })
    await pool.source.read(by('a', 'x'), going)
    await clock.advance(900)
    await pool.source.write(by('a', 'x'), going)
    await clock.advance(900)
    expect(closed).toEqual([])
    await clock.advance(100)
    expect(closed).toEqual(['a|credential-of-x'])
    await pool.source.writeOnce(by('a', 'x'), going)
    expect(opened).toHaveLength(2)
  })

  test('closes none under a call that runs, however long it takes', async () => {
    const { closed, mount, hold } = createTestMount()
    const clock = fakeClock()
    const running = Promise.withResolvers<void>()
    hold(running.promise)
    const pool = mountPool({ mount, credentialOf, clock, idleMs: 1_000, max: 10 })
    const call = pool.source.read(by('a', 'x'), going)
    await clock.advance(10_000)
    expect(closed).toEqual([])
    running.resolve()
    await call
    await clock.advance(2_000)
    expect(closed).toHaveLength(1)
  })

  test('holds no more than its most: the one that was idle for longest goes, and a busy one never', async () => {
    const { closed, mount, hold } = createTestMount()
    const clock = fakeClock()
    const pool = mountPool({
      mount,
      credentialOf: ({ principal }) => principal,
      clock,
      idleMs: 60_000,
      max: 2,
    })
    for (const principal of ['x', 'y']) {
      await pool.source.read(by('a', principal), going)
      await clock.advance(10)
    }
    const running = Promise.withResolvers<void>()
    hold(running.promise)
    const busy = [pool.source.read(by('a', 'y'), going), pool.source.read(by('a', 'z'), going)]
    expect(closed).toEqual(['a|x'])
    await expect(pool.source.read(by('a', 'w'), going)).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      effect: 'none',
    })
    running.resolve()
    await Promise.all(busy)
  })

  test('starts a process for each, and ends them all', async () => {
    const clock = systemClock()
    const pool = mountPool({
      mount: ({ tenant }) =>
        mounted({ ...program('notes-main', 'legacy'), env: { TENANT: tenant } }),
      credentialOf,
      clock,
      idleMs: 60_000,
      max: 10,
    })
    const readChild = async (tenant: string) => {
      const caller = { ...ANN, tenant }
      const pid = textOf(await pool.source.read({ ...aCall('pid'), caller }, going))
      const environment = JSON.parse(
        textOf(await pool.source.read({ ...aCall('environment'), caller }, going)),
      )
      return { pid, tenant: environment.TENANT }
    }
    const [home, work] = await Promise.all([readChild('home'), readChild('work')])
    expect([home.tenant, work.tenant]).toEqual(['home', 'work'])
    expect(home.pid).not.toBe(work.pid)
    expect(await readChild('home')).toEqual(home)
    expect(pool.health().map(({ tenant, mount }) => [tenant, mount.state])).toEqual([
      ['home', 'open'],
      ['work', 'open'],
    ])
    await pool.close()
    await expect(readChild('home')).rejects.toMatchObject({ code: 'TOOL_RESOURCE_UNAVAILABLE' })
    for (const { pid } of [home, work]) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
  })
})
