import { expect, test } from 'vitest'
import { authenticate, createEdge } from './authenticate.ts'
import { type RemoteClient, remoteAddress } from './remote-address.ts'

const from = (peer: string | undefined, forwarded?: string): RemoteClient => ({
  header: (name) => (name === 'x-forwarded-for' ? forwarded : undefined),
  peerAddress: () => peer,
})

test('without trusted proxies only the socket is believed', () => {
  expect(remoteAddress(from('10.0.0.1', '1.2.3.4'), 0)).toBe('10.0.0.1')
})

test.each([
  [1, '6.6.6.6, 1.2.3.4', '1.2.3.4'],
  [2, '6.6.6.6, 1.2.3.4, 10.0.0.9', '1.2.3.4'],
  [1, '1.2.3.4:51000', '1.2.3.4'],
  [1, '[2001:db8:1:2::5]:443', '2001:db8:1:2::/64'],
])('behind %i proxies "%s" came from %s', (proxies, forwarded, address) => {
  expect(remoteAddress(from('10.0.0.1', forwarded), proxies)).toBe(address)
})

test.each([
  ['nothing', undefined],
  ['too few entries', '1.2.3.4'],
  ['no address', 'unknown, 10.0.0.9'],
])('a list with %s falls back to the socket', (_, forwarded) => {
  expect(remoteAddress(from('10.0.0.1', forwarded), 2)).toBe('10.0.0.1')
})

test.each([
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (peer, address) => {
  expect(remoteAddress(from(peer), 0)).toBe(address)
})

test('where no socket stands behind it, all are counted together', () => {
  expect(remoteAddress(from(undefined), 0)).toBe('')
})

test.each([
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
  [undefined, undefined],
])('a caller who signs in from %s has the address %s', async (peer, ip) => {
  const caller = {
    tenant: 't',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  const client = { ...from(peer), header: () => 'Bearer secret' }
  const lookUp = () => ({ caller, credential: 'c' })
  const { identity } = await authenticate(client, lookUp, createEdge())
  expect(identity.caller).toStrictEqual(ip === undefined ? caller : { ...caller, ip })
})
