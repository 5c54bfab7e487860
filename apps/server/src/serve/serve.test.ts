import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Config } from '../config/read-config.ts'
import { describeOpenFolder } from '../data-folder.ts'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { startVendor, type Vendor } from '../fixtures/vendor.ts'
import { vendorPack, vendorProviders } from '../fixtures/vendor-pack.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from './serve.ts'

let vendor: Vendor
let config: Config
const open: RunningServer[] = []

beforeEach(async () => {
  vendor = await startVendor()
  const read = await readDemoConfig({
    env: {
      SUREHAND_PORT: '0',
      SUREHAND_LOG_LEVEL: 'silent',
      SUREHAND_METRICS_TOKEN: 'a-token-for-metrics',
    },
    folder: mkdtempSync(join(tmpdir(), 'surehand-serve-')),
  })
  config = { ...read, packs: [vendorPack], providers: vendorProviders(vendor.url) }
})

afterEach(async () => {
  vendor.release()
  await Promise.all(open.splice(0).map((serving) => serving.stop()))
  await vendor.close()
})

async function startServer(changes: Partial<Config> = {}): Promise<RunningServer> {
  const whole = { ...config, ...changes }
  const serving = await serve(whole, createLog(whole), { leaseMs: 2_000 })
  open.push(serving)
  return serving
}

function agentOf({ welcome }: RunningServer): string {
  return welcome.demoTokens?.agent ?? ''
}

function annOf({ welcome }: RunningServer): string {
  return welcome.demoTokens?.ann ?? ''
}

function make(serving: RunningServer, key: string): Promise<Response> {
  return fetch(`${serving.addresses.publicUrl}/v1/tools/vendor.make/call`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${annOf(serving)}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: '{}',
  })
}

describe('the server', () => {
  test('counts guesses at both doors together', async () => {
    const { addresses } = await startServer()
    const knock = async (path: string): Promise<number> => {
      const headers = { authorization: 'Bearer nobody', 'content-type': 'application/json' }
      return (await fetch(`${addresses.publicUrl}${path}`, { method: 'POST', headers, body: '{}' }))
        .status
    }
    const atHttp: number[] = []
    // more at once than come back in a moment
    while (!atHttp.includes(429))
      atHttp.push(
        ...(await Promise.all(
          Array.from({ length: 60 }, () => knock('/v1/tools/vendor.make/call')),
        )),
      )
    const atMcp = await Promise.all(Array.from({ length: 60 }, () => knock('/mcp')))
    // of sixty more, only as many are looked at as have come back since
    expect([atMcp.includes(429), atMcp.filter((status) => status === 401).length < 30]).toEqual([
      true,
      true,
    ])
  })

  test('lets the first administrator in by a link that works once', async () => {
    const { welcome, addresses } = await startServer()
    const url = `${addresses.publicUrl}/sign-in/${welcome.adminLink}`
    expect((await fetch(url)).status).toBe(200)
    const redeem = (): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: {
          origin: addresses.publicUrl,
          'content-type': 'application/x-www-form-urlencoded',
        },
        redirect: 'manual',
      })
    const first = await redeem()
    expect(first.status).toBe(303)
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const page = await fetch(`${addresses.publicUrl}/approvals`, { headers: { cookie } })
    expect(await page.text()).toContain('Nothing is waiting.')
    expect((await redeem()).status).toBe(401)
    const headers = { cookie, origin: addresses.publicUrl }
    const out = await fetch(`${addresses.publicUrl}/sign-out`, {
      method: 'POST',
      headers,
      redirect: 'manual',
    })
    expect(out.status).toBe(303)
    const later = await fetch(`${addresses.publicUrl}/approvals`, { headers: { cookie } })
    expect(later.status, 'a cookie that was copied before').toBe(401)
  })

  test('says at / what runs here, without a token in it', async () => {
    const { addresses, welcome } = await startServer()
    const text = await (await fetch(`${addresses.publicUrl}/`)).text()
    expect(text).toContain('shop.buy')
    expect(text).toContain(`${addresses.publicUrl}/mcp`)
    for (const secret of [welcome.adminLink, welcome.demoTokens?.agent, welcome.demoTokens?.ann])
      expect(text).not.toContain(secret)
  })

  test('answers as healthy and ready, and shows metrics with their token only', async () => {
    const serving = await startServer()
    const { publicUrl } = serving.addresses
    expect((await fetch(`${publicUrl}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${publicUrl}/readyz`)).json()).toEqual({
      ready: true,
      store: 'ok',
      draining: false,
    })
    await make(serving, 'first-one')
    expect((await fetch(`${publicUrl}/metrics`)).status).toBe(401)
    const figures = await fetch(`${publicUrl}/metrics`, {
      headers: { authorization: 'Bearer a-token-for-metrics' },
    })
    expect(await figures.text()).toContain(
      'surehand_calls_total{tool="vendor.make",outcome="done",source="executed",code="",surface="http"} 1',
    )
  })

  test('answers probes under its own address, and under no foreign name', async () => {
    const { port } = await startServer()
    const statusOf = (path: string, host: string) =>
      new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).on('error', reject)
      })
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect(await statusOf(path, 'evil.example'), path).toBe(421)
    for (const host of ['127.0.0.1', `127.0.0.1:${port}`, `localhost:${port}`])
      expect(await statusOf('/readyz', host), host).toBe(200)
  })

  test('keeps its files to itself in a folder that everybody may enter', async () => {
    const data = mkdtempSync(join(tmpdir(), 'surehand-open-'))
    chmodSync(data, 0o755)
    writeFileSync(join(data, 'audit-heads.jsonl'), '')
    chmodSync(join(data, 'audit-heads.jsonl'), 0o644)
    await make(await startServer({ data }), 'first-one')
    const modes = readdirSync(data)
      .map((name) => [name, statSync(join(data, name))] as const)
      .filter(([, entry]) => entry.isFile())
      .map(([name, { mode }]) => [name, (mode & 0o777).toString(8)])
    expect(modes.map(([name]) => name)).toEqual(
      expect.arrayContaining(['surehand.db', 'surehand.db-wal', 'audit-heads.jsonl', 'keys.json']),
    )
    expect(modes.filter(([, mode]) => mode !== '600')).toEqual([])
    expect(describeOpenFolder(data)).toContain(`run "chmod 700 ${data}"`)
  })

  test('without a token, figures are for this machine alone, and not through a proxy', async () => {
    const { metricsToken: _, ...without } = config
    const serving = await serve(without, createLog(without))
    open.push(serving)
    expect((await fetch(`${serving.addresses.publicUrl}/metrics`)).status).toBe(200)
    expect(
      (
        await fetch(`${serving.addresses.publicUrl}/metrics`, {
          headers: { 'x-forwarded-for': '10.0.0.1' },
        })
      ).status,
    ).toBe(401)
  })

  test('a call by HTTP, by MCP and by its page are one', async () => {
    const serving = await startServer()
    const { publicUrl } = serving.addresses
    const headers = {
      authorization: `Bearer ${agentOf(serving)}`,
      'content-type': 'application/json',
    }
    const asked = await fetch(`${publicUrl}/v1/tools/shop.buy/call`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': 'tea-1' },
      body: '{"productId":"tea"}',
    })
    const { metadata } = (await asked.json()) as {
      metadata: { call_id: string; pending: { approval_id: string; url: string } }
    }
    expect(asked.status).toBe(202)
    expect(metadata.pending.url).toBe(`${publicUrl}/approvals/${metadata.pending.approval_id}`)
    const mine = { authorization: `Bearer ${annOf(serving)}`, 'content-type': 'application/json' }
    const seen = (await (
      await fetch(`${publicUrl}/v1/approvals/${metadata.pending.approval_id}`, { headers: mine })
    ).json()) as {
      data: { digest: string }
    }
    const decision = await fetch(
      `${publicUrl}/v1/approvals/${metadata.pending.approval_id}/decision`,
      {
        method: 'POST',
        headers: mine,
        body: JSON.stringify({ verdict: 'approve', digest: seen.data.digest }),
      },
    )
    expect(decision.status).toBe(200)
    const result = await fetch(`${publicUrl}/v1/calls/${metadata.call_id}`, {
      headers: { ...headers, prefer: 'wait=10' },
    })
    expect(await result.json()).toMatchObject({
      status: 'success',
      data: { receipt: 'demo-1', productId: 'tea' },
    })
    const again = await fetch(`${publicUrl}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'shop__buy',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'shop__buy',
          arguments: { productId: 'tea' },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
            'surehand/idempotencyKey': 'tea-1',
            'surehand/envelope': true,
          },
        },
      }),
    })
    expect(await again.json()).toMatchObject({
      result: { structuredContent: { receipt: 'demo-1' } },
    })
  })

  test('stopped, it takes nothing new and lets what runs end', async () => {
    const serving = await startServer()
    vendor.hold()
    const arrived = vendor.nextAsked()
    const running = make(serving, 'while-stopping')
    await arrived
    const stopped = serving.stop()
    await expect(fetch(`${serving.addresses.publicUrl}/healthz`)).rejects.toThrow('fetch failed')
    vendor.release()
    expect(await (await running).json()).toMatchObject({
      status: 'success',
      data: { receipt: 'receipt-1' },
    })
    await stopped
  })

  test('stopped, it ends streams that only listen, and does not wait for them', async () => {
    const serving = await startServer({ shutdownSeconds: 600 })
    const stream = await fetch(`${serving.addresses.publicUrl}/v1/inbox/events`, {
      headers: { authorization: `Bearer ${annOf(serving)}` },
    })
    const heard = stream.text()
    await serving.stop()
    expect(await heard).toMatch(/^event: changed\n/)
  })

  test('what did not end in time is driven on by the next start, and done once', async () => {
    const serving = await startServer({ shutdownSeconds: 0.2 })
    vendor.hold()
    const arrived = vendor.nextAsked()
    const running = make(serving, 'cut-off-here').catch(() => undefined)
    await arrived
    await serving.stop()
    await running
    vendor.release()
    const next = await startServer()
    let state = 0
    for (const until = performance.now() + 60_000; state !== 200 && performance.now() < until; ) {
      const answer = await make(next, 'cut-off-here')
      state = answer.status
      if (state === 200)
        expect(await answer.json()).toMatchObject({ data: { receipt: 'receipt-1' } })
      else await new Promise((resolve) => setTimeout(resolve, 250))
    }
    expect(state).toBe(200)
    expect(vendor.made).toHaveLength(1)
  })

  test('opened again, it is the same app: same tokens, same answers, no second link once there is an administrator', async () => {
    const first = await startServer()
    const answer = await (await make(first, 'kept-over-night')).json()
    await first.app.identityApi.principals.put(
      {
        tenant: config.home,
        principal: 'system',
        actor: 'system',
        roles: ['admin'],
        capabilities: [],
      },
      'olga',
      { roles: ['admin'] },
    )
    await first.stop()
    const second = await startServer()
    expect(second.welcome.adminLink).toBeUndefined()
    expect(second.welcome.demoTokens).toEqual(first.welcome.demoTokens)
    const replayed = (await (await make(second, 'kept-over-night')).json()) as {
      data: unknown
      metadata: { source: string }
    }
    expect(replayed.data).toEqual((answer as { data: unknown }).data)
    expect(replayed.metadata.source).toBe('replayed')
    expect(vendor.asked).toHaveLength(1)
  })

  test('a taken port and another first tenant are refused with the way to fix it', async () => {
    const { port } = await startServer()
    await expect(startServer({ port })).rejects.toThrow(
      `Port ${port} is in use. Stop the program that uses it, or set SUREHAND_PORT`,
    )
    await expect(startServer({ home: 'other' })).rejects.toThrow('has the first tenant "home"')
  })

  test('a page asked for by another name of this machine is shown the way to the one it knows', async () => {
    const { port, addresses } = await startServer()
    const answer = await fetch(`http://localhost:${port}/approvals`, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe(`${addresses.publicUrl}/approvals`)
  })
})
