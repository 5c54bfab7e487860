import { createRuntime, defineTool, IdempotencyKey } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestServer, root, type TestServer } from '../fixtures/open-test-server.ts'
import { labelFromName } from './answer-field.ts'
import { decisionPage } from './decision-page.ts'
import { formatRelativeTime } from './format-time.ts'

let server: TestServer
let cookie: string
beforeAll(async () => {
  server = await openTestServer()
  cookie = await signIn(server.tokens.ann)
})
afterAll(() => server.close())

async function post(
  path: string,
  fields: Record<string, string>,
  sent = cookie,
): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: server.url, cookie: sent },
    redirect: 'manual',
  })
}

async function signIn(token: string): Promise<string> {
  const response = await post('/sign-in', { token, next: '/approvals' }, '')
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function open(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(server.url + path, { headers: { cookie, accept: 'text/html' } })
  return { status: response.status, text: await response.text() }
}

function hiddenFields(text: string): Record<string, string> {
  const inputs = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]))
}

const readLinks = (text: string): readonly string[] =>
  [...text.matchAll(/<li><a href="[^"]+"><bdi>([^<]*)</g)].map(([, words]) => words ?? '')

const asNumber = (words: string): number => Number(/person-(\d+)/.exec(words)?.[1])

async function ask(recipient: string): Promise<string> {
  const response = await server.send(
    'POST',
    '/v1/tools/bank.transfer/call',
    { amount: '5 EUR', recipient },
    { token: server.tokens.bot, headers: { 'idempotency-key': `pages-${recipient}` } },
  )
  const { metadata } = (await response.json()) as {
    readonly metadata: { readonly pending: { readonly approval_id: string } }
  }
  return metadata.pending.approval_id
}

async function decide(id: string, verdict: 'approve' | 'deny', reason: string): Promise<Response> {
  const { text } = await open(`/approvals/${id}`)
  return post(`/approvals/${id}`, { ...hiddenFields(text), verdict, reason })
}

describe('the list of what waits', () => {
  test('counts in the title, begins with what expires first, is searched and paged', async () => {
    for (let index = 0; index < 52; index++) await ask(`person-${index}`)
    const { text } = await open('/approvals')
    expect(text).toContain('<title>(50+) Waiting for you</title>')
    const next = /<a href="([^"]+)">Next page</.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await open(next)
    expect(second.text).toContain('<a href="/approvals?q=">First page</a>')
    const [soon, later] = [readLinks(text).map(asNumber), readLinks(second.text).map(asNumber)]
    expect([soon.length, later.at(-1)]).toEqual([50, 51])
    expect([...soon, ...later].toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 52 }, (_, index) => index),
    )
    const found = await open('/approvals?q=PERSON-7+transfer')
    expect(found.text).toContain('<title>(1) Waiting for you</title>')
    expect(readLinks(found.text)).toEqual(['Send 5 EUR to person-7?'])
    expect(found.text).toContain('requested by <bdi>ann&#39;s agent</bdi>')
    expect((await open('/approvals?q=%3Cb%3E&after=x')).text).toContain(
      'Nothing that waits matches',
    )
  })

  test('loses what was decided to the history, which says who decided and why', async () => {
    const id = await ask('historic')
    await decide(id, 'deny', 'I know <b>nobody</b> of that name')
    expect(readLinks((await open('/approvals?q=historic')).text)).toEqual([])
    const { text } = await open('/decisions?q=nobody')
    expect(readLinks(text)).toEqual(['Send 5 EUR to historic?'])
    expect(text).toMatch(
      /Denied<\/span> by <bdi>ann<.*by <bdi>ann&#39;s agent<.*I know &lt;b&gt;nobody&lt;\/b&gt;/,
    )
  })

  test('needs a session, and shows nothing without one', async () => {
    const { status } = await fetch(`${server.url}/decisions`)
    expect(status).toBe(401)
  })
})

test('after the approval the next page holds the outcome: the form waits for it', async () => {
  const id = await ask('outcome')
  const answered = await decide(id, 'approve', '')
  expect([answered.status, answered.headers.get('location')]).toEqual([303, `/approvals/${id}`])
  expect((await open(`/approvals/${id}`)).text).toMatch(/Approved[\s\S]*The call is done/)
})

test('a page of a call that still runs loads itself again', async () => {
  const response = await server.send(
    'POST',
    '/v1/tools/mail.bulk/call',
    { to: 'all' },
    {
      headers: { 'idempotency-key': 'runs' },
    },
  )
  const { metadata } = (await response.json()) as {
    readonly metadata: { readonly call_id: string }
  }
  const page = await fetch(`${server.url}/calls/${metadata.call_id}`, { headers: { cookie } })
  expect(page.headers.get('refresh')).toBe('2')
  expect(await page.text()).toContain('This page shows its result when it has ended.')
})

describe('the page of a tool', () => {
  test('says the contract, and its form calls the tool once per form', async () => {
    const { text } = await open('/tools/mail.letter')
    for (const part of ['It changes something (writes.mail), which can be undone.', 'mail.send'])
      expect(text).toContain(part)
    const fields = { ...hiddenFields(text), 'a-0': 'the whole village' }
    const before = server.sent.length
    for (let time = 0; time < 2; time++) {
      const done = await post('/tools/mail.letter', fields)
      expect(await done.text()).toContain('The call is done.')
    }
    expect(server.sent).toHaveLength(before + 1)
  })

  test('leads to the approval that a call needs', async () => {
    const { text } = await open('/tools/bank.transfer')
    expect(text).toContain('Request approval')
    const fields = { ...hiddenFields(text), 'a-0': '7 EUR', 'a-1': 'form' }
    const sent = await post('/tools/bank.transfer', fields)
    expect(sent.headers.get('location')).toMatch(/^\/approvals\/appr_/)
  })

  test('refuses a foreign form, one of another key, and a tool that the person may not use', async () => {
    const fields = hiddenFields((await open('/tools/mail.letter')).text)
    const other = await post('/tools/mail.letter', { ...fields, key: 'other', 'a-0': 'x' })
    const evil = await fetch(`${server.url}/tools/mail.letter`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: 'https://evil.example', cookie },
    })
    expect([other.status, evil.status]).toEqual([403, 403])
    expect((await open('/tools/nothing.here')).status).toBe(404)
  })
})

test('people read a page where nothing is, and programs an envelope', async () => {
  const page = await open('/nowhere/<b>')
  expect([page.status, page.text.includes('There is no such page')]).toEqual([404, true])
  expect(page.text).not.toContain('<b>')
  const response = await server.get('/nowhere', undefined, { accept: 'application/json' })
  expect(response.headers.get('content-type')).toContain('application/json')
  expect((await server.get('/v1/nowhere', undefined, { accept: 'text/html' })).status).toBe(404)
  for (const [path, type] of [
    ['/favicon.svg', 'image/svg+xml'],
    ['/favicon.ico', 'image/svg+xml'],
    ['/pages.js', 'text/javascript; charset=utf-8'],
  ])
    expect((await fetch(server.url + path)).headers.get('content-type')).toBe(type)
})

const pay = defineTool({
  id: 'bank.pay',
  title: 'Pay',
  description: 'Pays.',
  input: z.object({ euros: z.number(), idempotencyKey: IdempotencyKey }),
  output: z.object({}),
  contract: {
    effect: 'writes.payment',
    reversible: true,
    idempotency: 'caller',
    approval: ({ euros }) => ({
      headline: `Pay ${euros} EUR?`,
      facts: { Recipient: 'the\u200b landlord' },
      consequence: 'It leaves the account today.',
    }),
  },
  execute: async () => ({}),
})
const rent = defineTool({
  id: 'home.rent',
  title: 'Pay the rent',
  kind: 'composite',
  description: 'Pays the rent.',
  input: z.object({}),
  output: z.object({}),
  contract: { effect: 'writes.payment', reversible: true, idempotency: 'caller' },
  execute: async ({ step }) => step('pay', pay, { euros: 800 }),
})

test('the decision page names the run, the facts and the consequence that the tool states', async () => {
  const runtime = createRuntime({ tools: [rent, pay] })
  const outcome = await runtime.as(root).call(rent, {}, { idempotencyKey: 'r' })
  if (outcome.status !== 'pending') return expect.fail(outcome.status)
  const parts = {
    approval: outcome.approval,
    form: undefined,
    viewer: 'root',
    nowMs: 0,
    outcome: undefined,
  }
  const { markup } = decisionPage(parts)
  for (const part of [
    'Part of: <bdi>Pay the rent</bdi>',
    '<h1><bdi>Pay 800 EUR?</bdi></h1>',
    '<dt><bdi>Recipient</bdi></dt><dd><bdi>the<mark>⟨U+200B⟩</mark> landlord</bdi></dd>',
    '<p class="note"><bdi>It leaves the account today.</bdi></p>',
  ])
    expect(markup).toContain(part)
  // What does not matter for the decision stands below everything that does.
  for (const part of ['Idempotency key', outcome.approval.digest])
    expect(markup.indexOf('<summary>Details')).toBeLessThan(markup.indexOf(part))
})

test('times are relative, with the exact time at hand, and never promise more than is left', () => {
  const text = (ms: number): string => formatRelativeTime(ms, 0).markup.replaceAll(/<[^>]*>/g, '')
  expect([899_999, 60_000, 59_000, 400, -7_200_000, 90_000_000].map(text)).toEqual([
    'in 14 minutes',
    'in 1 minute',
    'in 59 seconds',
    'now',
    '2 hours ago',
    'in 1 day',
  ])
  expect(formatRelativeTime(0, 0).markup).toContain('title="1970-01-01 00:00:00 UTC"')
})

test('names of fields become labels for people', () => {
  expect(['startDate', 'start_date', 'URL', 'productID', 'x'].map(labelFromName)).toEqual([
    'Start date',
    'Start date',
    'URL',
    'Product ID',
    'X',
  ])
})
