import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { aCall, mounted, program } from './fixtures/mounted.ts'
import { serveNotes } from './fixtures/serve-notes.ts'
import { createHide, hideJson } from './hide.ts'
import type { Mount } from './mount.ts'
import type { MountOptions } from './mount-options.ts'

const CANARY = 'canary/+"7f3a'
const going = new AbortController().signal
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function open(transport: MountOptions['transport'], options: Partial<MountOptions> = {}): Mount {
  const mount = mounted(transport, options)
  closing.push(mount.close)
  return mount
}

/** Everything of a value that anybody could print. */
function everything(value: unknown): string {
  return inspect(value, { depth: 20, showHidden: true, maxStringLength: null })
}

const CANARY_FORMS = [
  CANARY,
  JSON.stringify(CANARY).slice(1, -1),
  encodeURIComponent(CANARY),
  Buffer.from(CANARY).toString('base64'),
]

function expectNoCanary(value: unknown): void {
  const text = everything(value)
  for (const form of CANARY_FORMS) expect(text).not.toContain(form)
}

describe('a secret in the environment of a child', () => {
  test.each([
    ['said to be one', { secrets: { CANARY_TOKEN: CANARY } }],
    ['that sounds like one', { env: { CANARY_TOKEN: CANARY } }],
    ['handed down', { inherit: ['CANARY_TOKEN'] }],
  ])('%s is in no answer, no error and no health', async (_how, form) => {
    const environment = { PATH: process.env.PATH, CANARY_TOKEN: CANARY }
    const transport = (fails: string) => ({
      ...program('raw-main'),
      ...form,
      env: { ...('env' in form ? form.env : {}), PLAIN: 'in plain sight', FAILS: fails },
    })
    const mount = open(transport('no'), { environment })
    const answer = await mount.source.read(aCall('canary'), going)
    expect(answer).toEqual({
      content: [{ type: 'text', text: 'token [hidden] and in plain sight' }],
    })
    await expect.poll(() => mount.health().lastWords).toContain('using [hidden]')
    const refusal = await mount.source.read(aCall('refuse'), going).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ message: expect.stringContaining('no: [hidden]') })
    const failing = open(transport('yes'), { environment })
    const failure = await failing.source
      .read(aCall('canary'), going)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({
      message: 'canary of notes failed: token [hidden] and in plain sight',
    })
    expectNoCanary([answer, mount.health(), refusal, failing.health(), failure])
  })
})

describe('a secret that the fetch adds', () => {
  const hide = createHide([CANARY])
  const withCanary: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${encodeURIComponent(CANARY)}`)
    return fetch(url, { ...init, headers })
  }

  test('reaches the server, and comes back in nothing', async () => {
    const notes = await serveNotes('modern')
    const mount = open({ kind: 'http', url: notes.url }, { fetch: withCanary, hide })
    closing.push(notes.close)
    const answer = await mount.source.read(aCall('add', { left: 1, right: 2 }), going)
    expect(notes.headers.at(-1)?.authorization).toContain(encodeURIComponent(CANARY))
    expectNoCanary([answer, mount.health()])
  })

  test('comes back in no error, though a server repeats it', async () => {
    const echoing: typeof fetch = async (url, init) => {
      void url
      const said = new Headers(init?.headers).get('authorization') ?? ''
      return new Response(`you sent ${said} ${CANARY}`, { status: 500, statusText: 'no' })
    }
    const mount = open({ kind: 'http', url: 'http://127.0.0.1:1/mcp' }, { fetch: echoing })
    const failure = await mount.source.write(aCall('add'), going).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'TOOL_EXTERNAL_SERVICE_ERROR' })
    expectNoCanary([failure, mount.health()])
  })
})

test('a secret is hidden in all its spellings, in texts and in keys', () => {
  const hide = createHide([CANARY, 'abc'])
  for (const form of CANARY_FORMS) expect(hide(`<${form}>`)).toBe('<[hidden]>')
  expect(hideJson({ [CANARY]: [{ a: `x${CANARY}` }, 1, null, true], abc: 'abc' }, hide)).toEqual({
    '[hidden]': [{ a: 'x[hidden]' }, 1, null, true],
    abc: 'abc',
  })
})
