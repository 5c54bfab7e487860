import type { Approval } from '@surehand/core/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange } from './fixtures/exchange.ts'
import { openTestServer, root, type TestServer } from './fixtures/open-test-server.ts'
import { httpHandler } from './http-handler.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

type Pending = { readonly metadata: { readonly pending: { readonly approval_id: string } } }

let number = 0
async function ask(token = server.tokens.ann): Promise<string> {
  const sent = await server.send(
    'POST',
    '/v1/tools/bank.transfer/call',
    { recipient: `payee ${++number}`, amount: '5 EUR' },
    { token, headers: { 'idempotency-key': `inbox-${number}` } },
  )
  return ((await sent.json()) as Pending).metadata.pending.approval_id
}

/** Counts the events of a stream as they arrive. */
async function listen(token: string) {
  const aborted = new AbortController()
  const response = await fetch(`${server.url}/v1/inbox/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: aborted.signal,
  })
  let text = ''
  let isOpen = true
  const decoder = new TextDecoder()
  void (async () => {
    for await (const chunk of response.body as ReadableStream<Uint8Array>)
      text += decoder.decode(chunk, { stream: true })
  })()
    .catch(() => undefined)
    .finally(() => {
      isOpen = false
    })
  return {
    changes: () => text.split('event: changed\n').length - 1,
    isOpen: () => isOpen,
    leave: () => aborted.abort(),
  }
}

const delegate = (id: string, to: string, token: string) =>
  server.send('POST', `/v1/approvals/${id}/delegation`, { to }, { token })

async function readList(query: string, token = server.tokens.root): Promise<readonly string[]> {
  const answer = await server.get(`/v1/approvals?${query}`, token)
  const { data } = (await answer.json()) as { readonly data: { readonly items: Approval[] } }
  return data.items.map(({ id }) => id)
}

describe('the events of the inbox', () => {
  test('tell of requests that come and go, to those who may see them and to no others', async () => {
    const { tokens } = server
    const [hers, foremans, others] = [
      await listen(tokens.ann),
      await listen(tokens.kim),
      await listen(tokens.bob),
    ]
    const all = [hers, foremans, others]
    await expect.poll(() => all.map(({ changes }) => changes())).toEqual([1, 1, 1])
    const id = await ask()
    await expect.poll(hers.changes).toBeGreaterThan(1)
    await expect.poll(foremans.changes).toBeGreaterThan(1)
    const { data } = (await (await server.get(`/v1/approvals/${id}`)).json()) as { data: Approval }
    const asked = [hers.changes(), foremans.changes()]
    await server.send(
      'POST',
      `/v1/approvals/${id}/decision`,
      { verdict: 'deny', digest: data.digest },
      { token: tokens.kim },
    )
    await expect.poll(hers.changes).toBeGreaterThan(asked[0] ?? 0)
    await expect.poll(foremans.changes).toBeGreaterThan(asked[1] ?? 0)
    expect(others.changes()).toBe(1)
    for (const { leave } of all) leave()
  })

  test('end when the token is revoked, and when other requests may be seen than before', async () => {
    const made = await server.identityApi.tokens.create(root, { principal: 'bob', name: 'watch' })
    const revoked = await listen(made.token)
    await server.identityApi.principals.put(root, 'lea', { roles: ['foreman'] })
    const { token } = await server.identityApi.tokens.create(root, { principal: 'lea', name: 'x' })
    const demoted = await listen(token)
    await server.identityApi.tokens.revoke(root, made.id)
    const [lea] = (await server.identityApi.principals.list(root)).filter(({ id }) => id === 'lea')
    await server.identityApi.principals.put(root, 'lea', { roles: ['user'] }, lea?.version)
    await expect.poll(() => [revoked.isOpen(), demoted.isOpen()]).toEqual([false, false])
  })

  test('are not waited for when the client disconnects before they begin', async () => {
    const timers = new Set<object>()
    let begun = 0
    const clock = {
      now: () => Date.now(),
      ticks: () => performance.now(),
      after() {
        const timer = { number: ++begun }
        timers.add(timer)
        return () => timers.delete(timer)
      },
    }
    const { runtime, url } = server
    const identity = {
      authenticate: async () => ({ caller: root, credential: 'root' }),
      authenticateSession: async () => undefined,
    }
    const handler = httpHandler({ runtime, identity, publicUrl: url, clock })
    void exchange(handler, {
      method: 'GET',
      path: '/v1/inbox/events',
      headers: { host: new URL(url).host, authorization: 'Bearer root' },
      signal: AbortSignal.abort(),
    })
    await expect.poll(() => [begun > 0, timers.size]).toEqual([true, 0])
  })

  test('are refused without a credential', async () => {
    expect((await fetch(`${server.url}/v1/inbox/events`)).status).toBe(401)
  })
})

describe('a delegation', () => {
  test('names a person who may decide, is shown to all who see the request, and is in the audit', async () => {
    const id = await ask()
    const answer = await delegate(id, 'kim', server.tokens.root)
    expect(answer.status).toBe(200)
    const view = await server.get(`/v1/approvals/${id}`, server.tokens.kim)
    expect(await view.json()).toMatchObject({
      data: { state: 'pending', delegation: { to: 'kim', by: 'root', at: expect.any(String) } },
    })
    const records = await server.get('/v1/audit?phase=decision', server.tokens.root)
    const { data } = (await records.json()) as { data: { items: object[] } }
    expect(data.items[0]).toMatchObject({ outcome: 'delegated', principal: 'root', error: 'kim' })
  })

  test.each<[string, keyof TestServer['tokens'], string, number, string]>([
    ['to a person who may not decide', 'root', 'bob', 400, 'may not decide it'],
    ['to a person who does not exist', 'root', 'nobody', 400, 'no other person'],
    ['to oneself', 'root', 'root', 400, 'no other person'],
    ['by an agent', 'bot', 'kim', 403, 'An agent never decides'],
    ['by a person who may not see it', 'bob', 'kim', 404, 'There is no approval request'],
    ['by a person of another tenant', 'foreigner', 'kim', 404, 'There is no approval request'],
  ])('%s is refused, and nothing is stored', async (_, by, to, status, message) => {
    const id = await ask()
    const refused = await delegate(id, to, server.tokens[by])
    expect([refused.status, await refused.text()]).toEqual([
      status,
      expect.stringContaining(message),
    ])
    expect((await server.stores.approvals.get('home', id))?.delegation).toBeUndefined()
  })

  test('gives no right: who has lost theirs since may not decide', async () => {
    const id = await ask()
    await server.identityApi.principals.put(root, 'max', { roles: ['foreman'] })
    const { token } = await server.identityApi.tokens.create(root, { principal: 'max', name: 'x' })
    expect((await delegate(id, 'max', server.tokens.root)).status).toBe(200)
    const [max] = (await server.identityApi.principals.list(root)).filter(({ id }) => id === 'max')
    await server.identityApi.principals.put(root, 'max', { roles: ['user'] }, max?.version)
    const { digest } = (await server.stores.approvals.get('home', id)) as Approval
    // Rights are read anew within half a second.
    await expect.poll(async () => (await server.get(`/v1/approvals/${id}`, token)).status).toBe(404)
    const decision = { verdict: 'deny', digest }
    const decided = await server.send('POST', `/v1/approvals/${id}/decision`, decision, { token })
    expect(decided.status).toBe(404)
    expect((await server.stores.approvals.get('home', id))?.state).toBe('pending')
  })

  test('of a decided request is refused', async () => {
    const id = await ask()
    const { digest } = (await server.stores.approvals.get('home', id)) as Approval
    const denial = { verdict: 'deny', digest }
    await server.send('POST', `/v1/approvals/${id}/decision`, denial, { token: server.tokens.kim })
    expect((await delegate(id, 'kim', server.tokens.root)).status).toBe(409)
  })
})

describe('the search of decisions', () => {
  test('compares tool, people, agent, words and time', async () => {
    const [byPerson, byAgent] = [await ask(), await ask(server.tokens.bot)]
    const { digest } = (await server.stores.approvals.get('home', byAgent)) as Approval
    await server.send(
      'POST',
      `/v1/approvals/${byAgent}/decision`,
      { verdict: 'deny', digest, reason: 'Wrong payee, ask Quentin' },
      { token: server.tokens.kim },
    )
    const all = [byAgent, byPerson]
    const find = async (query: string, token?: string) =>
      (await readList(query, token)).filter((id) => all.includes(id))
    expect(await find('tool=bank.transfer')).toEqual(all)
    expect(await find('tool=bank.other')).toEqual([])
    expect(await find('actor=ai_agent&principal=ann')).toEqual([byAgent])
    expect(await find('principal=bob')).toEqual([])
    expect(await find('state=closed&text=quentin%20PAYEE')).toEqual([byAgent])
    expect(await find('decided_by=kim')).toEqual([byAgent])
    expect(await find('since=2999-01-01T00:00:00Z')).toEqual([])
    expect(await find('until=2999-01-01T00:00:00Z')).toEqual(all)
    expect(await find('principal=ann', server.tokens.bob)).toEqual([])
    expect((await server.get('/v1/approvals?since=soon')).status).toBe(400)
  })

  test('reads on until its page is full, in pages that repeat nothing', async () => {
    const before = (await readList('text=payee&limit=200')).length
    for (let added = 0; added < 4; added++) await ask()
    const seen: string[] = []
    let cursor = ''
    do {
      const query = `text=payee&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`
      const answer = await server.get(`/v1/approvals?${query}`, server.tokens.root)
      const { data } = (await answer.json()) as {
        data: { items: Approval[]; next_cursor: string | null }
      }
      seen.push(...data.items.map(({ id }) => id))
      cursor = data.next_cursor ?? ''
    } while (cursor !== '')
    expect([seen.length, new Set(seen).size]).toEqual([before + 4, before + 4])
  })
})
