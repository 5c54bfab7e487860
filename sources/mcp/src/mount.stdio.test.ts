import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aCall, mounted, program, textOf } from './fixtures/mounted.ts'
import type { ForeignListing } from './listing.ts'
import type { Mount } from './mount.ts'
import type { MountOptions } from './mount-options.ts'

const going = new AbortController().signal
const opened: Mount[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((mount) => mount.close()))
})

function open(transport: MountOptions['transport'], options: Partial<MountOptions> = {}): Mount {
  const mount = mounted(transport, options)
  opened.push(mount)
  return mount
}

describe.each([
  ['both', 'modern', '2026-07-28'],
  ['legacy', 'legacy', '2025-11-25'],
])('a child process that speaks %s', (speaks, era, protocolVersion) => {
  const file = join(mkdtempSync(join(tmpdir(), 'nap-')), 'nap')
  const heard: ForeignListing[] = []
  let mount: Mount
  beforeAll(() => {
    mount = mounted(program('notes-main', speaks, file), {
      limits: { artifactBytes: 100 },
      onChange: (listing) => void heard.push(listing),
    })
  })
  afterAll(() => mount.close())

  test('lists its tools and answers, shaped and in parts', async () => {
    const { tools, refused, notes } = await mount.tools()
    expect({ names: tools.map(({ name }) => name), refused, notes }).toEqual({
      names: ['add', 'ask', 'die', 'environment', 'fail', 'grow', 'key', 'nap', 'parts', 'pid'],
      refused: [],
      notes: [],
    })
    expect(mount.health()).toMatchObject({
      state: 'open',
      era,
      protocolVersion,
      server: { name: 'notes', version: '1.0.0' },
    })
    expect(await mount.source.read(aCall('add', { left: 2, right: 3 }), going)).toEqual({ sum: 5 })
    expect(await mount.source.read(aCall('parts'), going)).toEqual({
      content: [
        { type: 'text', text: 'one\ntwo' },
        {
          type: 'image',
          artifact: {
            media_type: 'image/png',
            bytes: 10,
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
            base64: 'AQEBAQEBAQEBAQ==',
          },
        },
        {
          type: 'resource',
          uri: 'notes://big',
          mimeType: 'application/zip',
          artifact: {
            media_type: 'application/zip',
            bytes: 5_000,
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        },
        { type: 'resource_link', uri: 'notes://1', name: 'first' },
      ],
    })
  })

  test('is sent the key with every call', async () => {
    expect(textOf(await mount.source.write(aCall('key', {}, 'the-key'), going))).toBe('the-key')
    expect(textOf(await mount.source.read(aCall('key', {}, 'of a read'), going))).toBe('of a read')
  })

  test('fails a call by the words of its tool', async () => {
    await expect(mount.source.write(aCall('fail'), going)).rejects.toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      message: 'fail of notes failed: the disk is full',
      // It has answered: this is the outcome, and it does not say that nothing was done.
      effect: 'refused',
    })
  })

  test('cannot ask a person', async () => {
    await expect(mount.source.write(aCall('ask'), going)).rejects.toMatchObject({
      message: expect.stringContaining('mounted servers may not use'),
    })
  })

  test('is notified of a cancelled call', async () => {
    const leaving = new AbortController()
    const call = mount.source.write(aCall('nap'), leaving.signal)
    setTimeout(() => leaving.abort(new Error('a reason of ours')), 200)
    await expect(call).rejects.toMatchObject({ code: 'TOOL_CANCELLED', effect: 'possible' })
    await expect.poll(() => readFileSync(file, 'utf8')).toBe('cancelled')
  })

  test('reports that its tools changed', async () => {
    await expect.poll(() => mount.health().isFollowed).toBe(true)
    await mount.source.write(aCall('grow'), going)
    await expect
      .poll(() => heard.map(({ tools }) => tools.some(({ name }) => name === 'extra')))
      .toEqual([true])
    expect(textOf(await mount.source.write(aCall('extra'), going))).toBe('extra')
  })

  test('that is killed in the middle of a call fails that call, and the next one works', async () => {
    const nap = mount.source.write(aCall('nap'), going)
    const { pid } = mount.health()
    setTimeout(() => process.kill(pid ?? 0, 'SIGKILL'), 200)
    await expect(nap).rejects.toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      message: 'notes was lost during the call of nap: its process was ended by SIGKILL.',
      effect: 'possible',
    })
    expect(await mount.source.read(aCall('add', { left: 1, right: 1 }), going)).toEqual({ sum: 2 })
    expect(mount.health()).toMatchObject({ state: 'open', restarts: 1, failures: 0 })
    expect(mount.health().pid).not.toBe(pid)
  })

  test('that lists other tools after its restart has told so', () => {
    expect(heard.map(({ tools }) => tools.some(({ name }) => name === 'extra'))).toEqual([
      true,
      false,
    ])
  })
})

describe('a child process', () => {
  test('that speaks the newest protocol alone is spoken to in it', async () => {
    const mount = open(program('notes-main', 'modern'))
    expect(await mount.source.read(aCall('add', { left: 2, right: 3 }), going)).toEqual({ sum: 5 })
    expect(mount.health()).toMatchObject({ era: 'modern' })
  })

  test('that ends at an unknown request is connected again with the old protocol', async () => {
    const mount = open(program('raw-main', 'quits'))
    expect(textOf(await mount.source.read(aCall('plain'), going))).toBe('plain')
    expect(mount.health()).toMatchObject({ era: 'legacy', protocolVersion: '2025-06-18' })
  })

  test('that is silent at an unknown request is spoken to in the old protocol', async () => {
    const mount = open(program('raw-main', 'silent'), { limits: { probeMs: 500 } })
    expect(textOf(await mount.source.read(aCall('plain'), going))).toBe('plain')
  })

  test('that speaks the newest protocol alone and starts slowly is waited for', async () => {
    const mount = open(program('raw-main', 'slow'), { limits: { probeMs: 50 } })
    expect(textOf(await mount.source.read(aCall('plain'), going))).toBe('plain')
    expect(mount.health()).toMatchObject({ era: 'modern', failures: 0 })
  })

  test('sees the variables it is given or handed down by name, PATH, and no other', async () => {
    const environment = {
      PATH: process.env.PATH,
      HOME: '/home/user',
      USER: 'user',
      SECRET_OF_THE_APP: 'canary',
      REGION: 'eu',
    }
    const transport = {
      ...program('notes-main', 'both'),
      inherit: ['REGION', 'NOT_THERE'],
      env: { MODE: 'test' },
      secrets: { TOKEN: 'given' },
    }
    const mount = open(transport, { environment })
    const said = JSON.parse(textOf(await mount.source.read(aCall('environment'), going)))
    expect(said).toEqual({ PATH: process.env.PATH, REGION: 'eu', MODE: 'test', TOKEN: '[hidden]' })
  })

  test('whose tool differs after a restart is not called before the change is reported', async () => {
    const accepted = await open(program('notes-main', 'both')).tools()
    const heard: ForeignListing[] = []
    const mount = open(program('notes-main', 'both', '', 'Adds two numbers!'), {
      listing: accepted,
      onChange: (listing) => void heard.push(listing),
    })
    // however often: what was accepted is what it is held against, not what it said last
    for (const _ of ['first', 'second', 'third'])
      await expect(
        mount.source.read(aCall('add', { left: 1, right: 1 }), going),
      ).rejects.toMatchObject({
        code: 'TOOL_TEMPORARILY_DISABLED',
        effect: 'none',
      })
    expect(heard).toHaveLength(1)
  })

  test('whose change could not be recorded is not called, and the change is reported again', async () => {
    const accepted = { tools: [], refused: [], notes: [] }
    let tellings = 0
    const onChange = async () => {
      tellings++
      if (tellings === 1) throw new Error('the store is away')
    }
    const mount = open(program('raw-main'), { listing: accepted, onChange })
    await expect(mount.source.read(aCall('plain'), going)).rejects.toMatchObject({
      code: 'TOOL_DEPENDENCY_ERROR',
      effect: 'none',
    })
    // told by now, and still nothing that anybody has accepted
    await expect(mount.source.read(aCall('plain'), going)).rejects.toMatchObject({
      code: 'TOOL_TEMPORARILY_DISABLED',
      effect: 'none',
    })
    expect(tellings).toBe(2)
  })

  test('is not called while a change of its tools is being reported', async () => {
    const order: string[] = []
    const seen = Promise.withResolvers<void>()
    const onChange = async () => {
      order.push('told')
      await seen.promise
      order.push('taken in')
    }
    const mount = open(program('notes-main', 'legacy'), { onChange })
    await mount.source.write(aCall('grow'), going)
    await expect.poll(() => order).toEqual(['told'])
    const call = mount.source.write(aCall('key'), going).then(() => order.push('called'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(order).toEqual(['told'])
    seen.resolve()
    await call
    expect(order).toEqual(['told', 'taken in', 'called'])
  })

  test('that is not listing a tool is not asked for it', async () => {
    await expect(
      open(program('notes-main', 'both')).source.write(aCall('nothing'), going),
    ).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
      effect: 'none',
    })
  })

  test('that cannot be started is a configuration error, and nothing was sent', async () => {
    const mount = open({ kind: 'stdio', command: '/no/such/program' })
    await expect(mount.source.write(aCall('add'), going)).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
      effect: 'none',
    })
  })

  test('takes what it started along when it is closed', async () => {
    const mount = mounted(program('raw-main'))
    const pid = Number(textOf(await mount.source.write(aCall('grandchild'), going)))
    expect(isAlive(pid)).toBe(true)
    await mount.close()
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect(mount.source.write(aCall('plain'), going)).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      effect: 'none',
    })
  })

  test('takes what it started along when it is killed', async () => {
    const mount = open(program('raw-main'))
    const pid = Number(textOf(await mount.source.write(aCall('grandchild'), going)))
    process.kill(mount.health().pid ?? 0, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

function isAlive(pid: number): boolean {
  try {
    // A process that has exited but is not yet reaped answers too.
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
