import type { ToolError } from '@surehand/core'
import { systemClock } from '@surehand/core/ports'
import { afterEach, describe, expect, test } from 'vitest'
import { aCall, mounted, program, textOf } from './fixtures/mounted.ts'
import type { Mount } from './mount.ts'
import type { MountOptions } from './mount-options.ts'

const going = new AbortController().signal
const opened: Mount[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((mount) => mount.close()))
})

function open(args: readonly string[] = ['legacy'], options: Partial<MountOptions> = {}): Mount {
  const mount = mounted(program('raw-main', ...args), options)
  opened.push(mount)
  return mount
}

describe.each(['legacy', 'modern'])('a %s server', (era) => {
  test('with an answer that is too large fails that call and no other', async () => {
    const mount = open([era], { limits: { messageBytes: 1_000_000 } })
    await mount.tools()
    const leaving = new AbortController()
    const other = mount.source.read(aCall('hang'), leaving.signal)
    await expect(mount.source.write(aCall('huge'), going)).rejects.toMatchObject({
      code: 'TOOL_INVALID_OUTPUT',
      effect: 'possible',
      message: expect.stringContaining('of at most 1000000'),
    })
    expect(textOf(await mount.source.read(aCall('plain'), going))).toBe('plain')
    expect(mount.health()).toMatchObject({ restarts: 0, callsInFlight: 1 })
    leaving.abort()
    await expect(other).rejects.toMatchObject({ code: 'TOOL_CANCELLED' })
  })

  test('that writes other lines between its messages is understood all the same', async () => {
    const mount = open([era])
    expect(textOf(await mount.source.read(aCall('noise'), going))).toBe('after the noise')
    expect(mount.health().skippedLines).toBe(5)
  })

  test('whose data is not in the shape it declares is handed on as it is', async () => {
    const mount = open([era])
    expect(await mount.source.read(aCall('wrong'), going)).toEqual({ sum: 'five' })
    expect(await mount.source.read(aCall('missing'), going)).toEqual({
      content: [{ type: 'text', text: '5' }],
    })
  })

  test('that answers with no result, or a bottomless one, has answered wrongly', async () => {
    const mount = open([era])
    for (const tool of ['shapeless', 'deep'])
      await expect(mount.source.write(aCall(tool), going)).rejects.toMatchObject({
        code: 'TOOL_INVALID_OUTPUT',
        effect: 'possible',
      })
    expect(textOf(await mount.source.read(aCall('plain'), going))).toBe('plain')
  })

  test('that refuses an input has done nothing more, and one that breaks has', async () => {
    const mount = open([era])
    await expect(mount.source.write(aCall('refuse'), going)).rejects.toMatchObject({
      code: 'TOOL_INVALID_INPUT',
      effect: 'refused',
    })
    await expect(mount.source.write(aCall('breaks'), going)).rejects.toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })

  test('whose list holds nonsense has the rest of its tools', async () => {
    const { tools, refused } = await open([era, 'hostile']).tools()
    expect(tools).toHaveLength(17)
    expect(refused).toEqual([
      { name: 'entry 18', reason: 'is not an object' },
      { name: 'entry 19', reason: 'is not an object' },
      { name: 'bare', reason: 'has an input schema that is not one of an object' },
      { name: 'list', reason: 'has an input schema that is not one of an object' },
    ])
  })

  test('whose list has no end is read so far and no further', async () => {
    const { tools, notes } = await open([era, 'endless'], { limits: { pages: 10 } }).tools()
    expect(tools).toHaveLength(10)
    expect(notes).toEqual(['The list of tools has more than 10 pages. The rest was not read.'])
    const few = await open([era, 'endless'], { limits: { tools: 3 } }).tools()
    expect(few.tools).toHaveLength(3)
    expect(few.refused).toEqual([
      { name: 'tool3', reason: 'is beyond the 3 tools that one server may have' },
    ])
  })

  test('whose list leads in a circle is read once around', async () => {
    const { tools, notes } = await open([era, 'circle']).tools()
    expect(tools.map(({ name }) => name)).toEqual(['tool1', 'tool2'])
    expect(notes).toEqual(['The list of tools leads back to a page that was read: it ends there.'])
  })

  test('without a list of tools, or that never returns it, cannot be used', async () => {
    await expect(open([era, 'none']).tools()).rejects.toMatchObject({ effect: 'none' })
    await expect(open([era, 'never'], { limits: { listMs: 300 } }).tools()).rejects.toMatchObject({
      message: 'notes did not list its tools in 300 ms.',
      effect: 'none',
    })
  })
})

describe('a server', () => {
  test.each([
    ['flood', 'it flooded its stdout with output that is not the protocol'],
    ['chatter', 'it sent too many unsolicited messages'],
    ['endless', 'it sent a line without an end'],
  ])('that never stops (%s) is ended, and started again for the next call', async (tool, why) => {
    const mount = open(['legacy'], { limits: { messageBytes: 500_000 } })
    await expect(mount.source.write(aCall(tool), going)).rejects.toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      message: `notes was lost during the call of ${tool}: ${why}.`,
      effect: 'possible',
    })
    expect(textOf(await mount.source.read(aCall('plain'), going))).toBe('plain')
    expect(mount.health()).toMatchObject({ restarts: 1, lastTrouble: why })
  })

  test('that asks for a model is refused with an error', async () => {
    const said = JSON.parse(textOf(await open().source.read(aCall('samples'), going)))
    expect(said).toMatchObject({
      code: -32601,
      message: expect.stringContaining('sampling/createMessage is not supported'),
    })
  })

  test('that asks for further input although this client declares no such capability is refused', async () => {
    await expect(open(['modern']).source.write(aCall('asks'), going)).rejects.toMatchObject({
      code: 'TOOL_DEPENDENCY_ERROR',
      message:
        'notes asks for further input before it answers the call of asks, which mounted servers may not do.',
      effect: 'possible',
    })
  })

  test('that does not answer fails the call in time, and is ended after several such calls', async () => {
    const mount = open(['legacy'], { limits: { callMs: 200, graceMs: 200 } })
    await mount.tools()
    const { pid } = mount.health()
    for (let count = 0; count < 3; count++)
      await expect(mount.source.write(aCall('hang'), going)).rejects.toMatchObject({
        code: 'TOOL_EXECUTION_TIMEOUT',
        message: 'notes did not answer hang in 200 ms.',
        effect: 'possible',
      })
    await expect.poll(() => mount.health().pid).not.toBe(pid)
    expect(mount.health().lastTrouble).toBe('it hangs: several calls were not answered')
  })

  test('that never completes the handshake fails the call, and nothing was sent', async () => {
    const mount = open(['mute'], { limits: { connectMs: 500, probeMs: 200, graceMs: 200 } })
    await expect(mount.source.write(aCall('plain'), going)).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      message: 'notes cannot be used: it was not ready in 500 ms.',
      effect: 'none',
    })
  })

  test('that ends whenever it is started is restarted with growing delays', async () => {
    const machine = systemClock()
    let ahead = 0
    const clock = { ...machine, now: () => machine.now() + ahead }
    const mount = open(['dead'], {
      clock,
      limits: { restartMs: { first: 60_000, longest: 100_000 } },
    })
    const pauses: unknown[] = []
    for (let count = 0; count < 4; count++) {
      const failure = await mount.source.write(aCall('plain'), going).then(
        () => undefined,
        (error: ToolError) => error,
      )
      expect(failure).toMatchObject({ effect: 'none' })
      pauses.push(Math.ceil(mount.health().retryAfterMs / 10_000) * 10_000)
      ahead += mount.health().retryAfterMs
    }
    expect(pauses).toEqual([0, 60_000, 100_000, 100_000])
    await expect(open(['dead'], { clock }).tools()).rejects.toMatchObject({ effect: 'none' })
  })

  test('that ends when it is asked for its tools has failed once by that', async () => {
    const mount = open(['legacy', 'dies'])
    await expect(mount.tools()).rejects.toMatchObject({
      message: expect.stringContaining('its process ended with code 5'),
      effect: 'none',
    })
    expect(mount.health()).toMatchObject({ failures: 1, retryAfterMs: 0 })
  })

  test('is not waited for when it is closed while it is greeted', async () => {
    const mount = open(['mute'], { limits: { graceMs: 100 } })
    const listing = mount.tools()
    await expect.poll(() => mount.health().state).toBe('connecting')
    await Promise.all([
      mount.close(),
      expect(listing).rejects.toMatchObject({
        message: 'notes is no longer mounted.',
        effect: 'none',
      }),
    ])
    expect(mount.health().state).toBe('closed')
  })

  test('in its restart delay is not started', async () => {
    const mount = open(['dead'], { limits: { restartMs: { first: 60_000, longest: 60_000 } } })
    for (let count = 0; count < 2; count++)
      await expect(mount.tools()).rejects.toMatchObject({ effect: 'none' })
    expect(mount.health()).toMatchObject({ state: 'waiting', failures: 2 })
    await expect(mount.source.write(aCall('plain'), going)).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      details: { retry_after_ms: expect.any(Number) },
      effect: 'none',
    })
    expect(mount.health().failures).toBe(2)
  })
})
