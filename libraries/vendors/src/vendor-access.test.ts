import type { PackFetch } from '@surehand/core/host'
import { expect, test } from 'vitest'
import { openVendorAccess } from './vendor-access.ts'

const NAMES = {
  secret: 'MAPS_KEY',
  setting: 'MAPS_URL',
  defaultUrl: 'https://maps.example',
  maxBytes: 5_000,
}

function open(secrets: Record<string, string>, settings: Record<string, string>) {
  const fetches: PackFetch[] = []
  const access = openVendorAccess(
    {
      secret: (name) => secrets[name],
      setting: (name) => settings[name],
      fetch: (options) => {
        fetches.push(options)
        return fetch
      },
    },
    NAMES,
  )
  access?.fetchFor('acme')
  return { access, fetches }
}

test('a vendor without a key is not accessible', () => {
  expect(open({}, { MAPS_URL: 'http://127.0.0.1:9' }).access).toBeUndefined()
})

test("a key gives access to the vendor's own address, through egress", () => {
  const { access, fetches } = open({ MAPS_KEY: 'k-1' }, {})
  expect(access).toMatchObject({ baseUrl: 'https://maps.example', key: 'k-1' })
  expect(fetches).toEqual([{ tenant: 'acme', maxBytes: 5_000 }])
})

test('an address from the settings replaces it, and egress trusts it', () => {
  const { access, fetches } = open({ MAPS_KEY: 'k-1' }, { MAPS_URL: 'http://127.0.0.1:9' })
  expect(access).toMatchObject({ baseUrl: 'http://127.0.0.1:9', key: 'k-1' })
  expect(fetches).toEqual([{ tenant: 'acme', trusted: 'http://127.0.0.1:9', maxBytes: 5_000 }])
})
