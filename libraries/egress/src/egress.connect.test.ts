import { createServer } from 'node:https'
import { type AddressInfo, connect, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { fakeClock } from '@surehand/conformance'
import { afterEach, describe, expect, test } from 'vitest'
import { selfSigned } from '../testing/certificate.ts'
import type { Dial } from './dial.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import { rejectionOf } from './fixtures/rejection-of.ts'
import { startRawWeb, startWeb } from './fixtures/web.ts'

const stops: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

function egressWith(options: EgressOptions) {
  const egress = createEgress(options)
  stops.push(egress.close)
  return egress
}

async function webAt(address = '127.0.0.1') {
  const web = await startWeb((_, response) => response.end(address), address)
  stops.push(web.stop)
  return web
}

/** A dial function that records its targets. */
function countingDial(dial: Dial) {
  const dialled: string[] = []
  const counting: Dial = (to) => {
    dialled.push(to.address)
    return dial(to)
  }
  return { dialled, dial: counting }
}

const real: Dial = ({ address, port }) => connect({ host: address, port })

describe('the peer is checked again', () => {
  test.each(['http', 'https'])(
    'before a byte is sent by %s, and a connection to another address is refused',
    async (scheme) => {
      const elsewhere = await startRawWeb(() => undefined)
      stops.push(elsewhere.stop)
      const egress = egressWith({
        resolve: async () => ['93.184.216.34'],
        dial: () => connect({ host: '127.0.0.1', port: elsewhere.port }),
      })
      const answer = await rejectionOf(
        egress.fetch({ tenant: 'a', url: `${scheme}://example.com/`, method: 'POST', body: 'x' }),
      )
      expect(answer).toMatchObject({
        code: 'TOOL_RESOURCE_ACCESS_DENIED',
        effect: 'none',
        retryable: false,
      })
      expect(answer.message).toContain(
        `the connection ended at 127.0.0.1:${elsewhere.port} instead`,
      )
      expect([elsewhere.connections(), elsewhere.received()]).toEqual([1, ''])
    },
  )

  test('together with its port', async () => {
    const [meant, other] = [await webAt(), await webAt()]
    const egress = egressWith({
      dial: ({ address }) => connect({ host: address, port: other.port }),
    })
    const allow = [{ host: '127.0.0.1', port: meant.port }]
    expect(
      (await rejectionOf(egress.fetch({ tenant: 'a', url: meant.url, allow }))).message,
    ).toContain('instead')
    expect(other.seen).toEqual([])
  })
})

describe('with several addresses', () => {
  test('the next is tried at once when one refuses the connection, and no other address is tried', async () => {
    const web = await webAt()
    const { dialled, dial } = countingDial(real)
    const egress = egressWith({
      dial,
      resolve: async () => ['127.0.0.9', '127.0.0.1', '127.0.0.8'],
    })
    const url = `http://several.internal:${web.port}/`
    const answer = await egress.fetch({
      tenant: 'a',
      url,
      allow: [{ host: 'several.internal', port: web.port }],
    })
    expect([answer.text(), dialled]).toEqual(['127.0.0.1', ['127.0.0.9', '127.0.0.1']])
  })

  test('the next is tried in parallel with one that does not answer, which is then abandoned', async () => {
    const web = await webAt()
    const silent = new Socket()
    const clock = fakeClock()
    const { dialled, dial } = countingDial((to) => (to.address === '127.0.0.9' ? silent : real(to)))
    const egress = egressWith({ clock, dial, resolve: async () => ['127.0.0.9', '127.0.0.1'] })
    const url = `http://several.internal:${web.port}/`
    const answer = egress.fetch({
      tenant: 'a',
      url,
      allow: [{ host: 'several.internal', port: web.port }],
    })
    await clock.advance(249)
    expect(dialled).toEqual(['127.0.0.9'])
    await clock.advance(1)
    expect((await answer).text()).toBe('127.0.0.1')
    expect([dialled, silent.destroyed]).toEqual([['127.0.0.9', '127.0.0.1'], true])
  })

  test('of which none accepts, nothing is sent', async () => {
    const egress = egressWith({ resolve: async () => ['127.0.0.9', '127.0.0.8'] })
    const allow = [{ host: 'several.internal', port: 9 }]
    expect(
      await rejectionOf(egress.fetch({ tenant: 'a', url: 'http://several.internal:9/', allow })),
    ).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      message: 'several.internal:9 could not be reached (ECONNREFUSED).',
      effect: 'none',
    })
  })

  test('of which none answers, all time out and nothing is sent', async () => {
    const clock = fakeClock()
    const sockets = [new Socket(), new Socket()]
    const { dialled, dial } = countingDial(
      ({ address }) => sockets[Number(address.at(-1))] ?? new Socket(),
    )
    const egress = egressWith({
      clock,
      dial,
      resolve: async () => ['93.184.216.0', '93.184.216.1'],
    })
    const answer = rejectionOf(egress.fetch({ tenant: 'a', url: 'http://example.com/' }))
    await clock.advance(5_000)
    expect(await answer).toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT', effect: 'none' })
    expect([dialled.length, sockets.map(({ destroyed }) => destroyed)]).toEqual([2, [true, true]])
  })
})

describe('a name that resolves differently the next time', () => {
  async function moving(answers: string[][]) {
    const web = await webAt()
    const { dialled, dial } = countingDial(real)
    let looks = 0
    const egress = egressWith({ dial, resolve: async () => answers[looks++] ?? [] })
    const get = () =>
      egress.fetch({
        tenant: 'a',
        url: `http://moving.internal:${web.port}/`,
        allow: [{ host: 'moving.internal', port: web.port }],
      })
    return { web, get, dialled, looks: () => looks }
  }

  test('is resolved once per request, and the checked address is connected to', async () => {
    const { get, dialled, looks } = await moving([['127.0.0.1'], ['169.254.169.254']])
    expect((await get()).text()).toBe('127.0.0.1')
    expect([looks(), dialled]).toEqual([1, ['127.0.0.1']])
  })

  test('does not reuse its connection when it now resolves to a forbidden address', async () => {
    const { web, get, dialled } = await moving([['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']])
    await get()
    expect((await rejectionOf(get())).message).toContain('it resolves to 169.254.169.254')
    expect(web.seen.length).toBe(1)
    await get()
    expect([web.seen.length, web.connections(), dialled]).toEqual([2, 1, ['127.0.0.1']])
  })

  test('gets a connection to the new address when that is allowed', async () => {
    const { web, get, dialled } = await moving([
      ['127.0.0.1'],
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
    ])
    for (let times = 0; times < 3; times++) await get()
    expect([web.seen.length, dialled]).toEqual([3, ['127.0.0.1', '127.0.0.2', '127.0.0.1']])
  })

  test('does not use the connection that another tenant may have', async () => {
    const web = await webAt()
    const egress = egressWith({
      resolve: async () => ['127.0.0.1'],
      policyOf: (tenant) =>
        tenant === 'opened' ? { allow: [{ host: 'moving.internal', port: web.port }] } : {},
    })
    const url = `http://moving.internal:${web.port}/`
    expect((await egress.fetch({ tenant: 'opened', url })).status).toBe(200)
    expect((await rejectionOf(egress.fetch({ tenant: 'other', url }))).code).toBe(
      'TOOL_RESOURCE_ACCESS_DENIED',
    )
  })
})

test('many names do not accumulate connections', async () => {
  const web = await webAt()
  const open = new Set<Socket>()
  const dial: Dial = (to) => {
    const socket = real(to)
    open.add(socket)
    return socket.on('close', () => open.delete(socket))
  }
  const egress = egressWith({ dial, resolve: async () => ['127.0.0.1'] })
  for (let index = 0; index < 300; index++) {
    const host = `n${index}.internal`
    await egress.fetch({
      tenant: 'a',
      url: `http://${host}:${web.port}/`,
      allow: [{ host, port: web.port }],
    })
  }
  // Earlier than idle connections would be closed anyway.
  await expect.poll(() => open.size).toBeLessThanOrEqual(256)
})

describe('TLS', () => {
  async function secureWeb(hosts: readonly string[]) {
    const { key, cert } = selfSigned(hosts)
    const names: unknown[] = []
    const server = createServer({ key, cert }, (request, response) => {
      names.push((request.socket as TLSSocket).servername)
      response.end(request.headers.host)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stops.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return { port: (server.address() as AddressInfo).port, cert, names }
  }

  async function get(server: { readonly port: number }, host: string, options: EgressOptions = {}) {
    const egress = egressWith({ resolve: async () => ['127.0.0.1'], ...options })
    return egress.fetch({
      tenant: 'a',
      url: `https://${host}:${server.port}/`,
      allow: [{ host, port: server.port }],
    })
  }

  test('checks the certificate for the name although the connection is to an address', async () => {
    const server = await secureWeb(['shop.internal'])
    const answer = await get(server, 'shop.internal', { certificateAuthorities: [server.cert] })
    expect([answer.text(), server.names]).toEqual([
      `shop.internal:${server.port}`,
      ['shop.internal'],
    ])
  })

  test('checks the certificate for the name without a trailing dot', async () => {
    const server = await secureWeb(['shop.internal'])
    const egress = egressWith({
      resolve: async () => ['127.0.0.1'],
      certificateAuthorities: [server.cert],
    })
    const allow = [{ host: 'shop.internal', port: server.port }]
    await egress.fetch({ tenant: 'a', url: `https://shop.internal.:${server.port}/`, allow })
    expect(server.names).toEqual(['shop.internal'])
  })

  test('checks the certificate for the address where the URL has one', async () => {
    const server = await secureWeb(['127.0.0.1'])
    const answer = await get(server, '127.0.0.1', { certificateAuthorities: [server.cert] })
    expect([answer.text(), server.names]).toEqual([`127.0.0.1:${server.port}`, [false]])
  })

  test.each([
    ['another name', 'shop.internal', ['other.internal'], 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['no address', '127.0.0.1', ['shop.internal'], 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('with a certificate for %s is refused, and nothing is sent', async (_, host, hosts, code) => {
    const server = await secureWeb(hosts)
    expect(
      await rejectionOf(get(server, host, { certificateAuthorities: [server.cert] })),
    ).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      message: `${host}:${server.port} could not be reached (${code}).`,
      effect: 'none',
    })
    expect(server.names).toEqual([])
  })

  test('with an untrusted certificate is refused, whatever the environment variables say', async () => {
    const server = await secureWeb(['shop.internal'])
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await rejectionOf(get(server, 'shop.internal'))).toMatchObject({
        code: 'TOOL_NETWORK_ERROR',
        effect: 'none',
      })
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
    expect(server.names).toEqual([])
  })

  test('that breaks off during the handshake sends nothing', async () => {
    const rude = await startRawWeb(() => undefined)
    stops.push(rude.stop)
    const egress = egressWith({
      dial: (to) => real(to).once('connect', () => setTimeout(() => rude.stop(), 10)),
    })
    const allow = [{ host: '127.0.0.1', port: rude.port }]
    expect(
      await rejectionOf(
        egress.fetch({ tenant: 'a', url: `https://127.0.0.1:${rude.port}/`, allow }),
      ),
    ).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      effect: 'none',
    })
  })
})
