import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineTool } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type BrowserApp, findViolations, openBrowserApp } from '../fixtures/browser-app.ts'
import {
  expectFitsEverywhere as expectFits,
  expectInert,
  expectLoadingAndError,
  expectText,
  type KeptPages,
  keepConsolePages,
  readText as read,
  refusal,
} from '../fixtures/console-page.ts'
import { HOSTILE_TEXTS } from '../fixtures/hostile-texts.ts'

// The pages of the console on which people understand and change; the others have a file of their own.
let app: BrowserApp
let pages: KeptPages
let root: string
// A vendor whose document changes.
let vendor: Server
let vendorWords = 'Lists the pets.'

beforeAll(async () => {
  vendor = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(petDocument()),
  )
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const { host } = new URL(vendorUrl())
  app = await openBrowserApp(inject('chromium'), { privateHosts: [host] })
  pages = keepConsolePages(app)
  const { identityApi, config, runtime } = app.serving.app
  const by = systemCaller(config.home)
  await identityApi.principals.put(by, 'root', { roles: ['admin', 'user'] })
  root = (await identityApi.tokens.create(by, { principal: 'root', name: 'console' })).token
  for (const tool of [readNote('1.0.0'), readNote('2.0.0')]) runtime.registry.shared.add(tool)
})
afterAll(async () => {
  await app.close()
  vendor.close()
})

const vendorUrl = (): string =>
  `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/pets.json`

function petDocument(): string {
  const responses = { 200: { description: 'ok' } }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: new URL(vendorUrl()).origin }],
    paths: {
      '/pets': { get: { operationId: 'listPets', summary: vendorWords, responses } },
      '/toys': { get: { operationId: 'listToys', summary: 'Lists the toys.', responses } },
    },
  })
}

afterEach(() => pages.tidy())

const HOSTILE = HOSTILE_TEXTS.slice(0, 40).join(' | ')
const ALL_HOSTILE = HOSTILE_TEXTS.join(' | ')

/** A tool with a hostile author; its second version asks for more. */
function readNote(version: '1.0.0' | '2.0.0') {
  const fields = { name: z.string().describe(HOSTILE), kind: z.enum(['a<b>', 'c\u202ed']) }
  return defineTool({
    id: 'notes.read',
    version,
    title: `Read a note ${HOSTILE.slice(0, 100)}`,
    category: 'custom',
    description: `Reads a note. ${HOSTILE}`,
    input: version === '1.0.0' ? z.object({ name: z.string() }) : z.object(fields),
    output: z.object({ text: z.string() }),
    contract: {
      effect: 'read',
      limits: [{ calls: 500, per: '1h' }],
      ...(version === '1.0.0' ? {} : { permissions: { roles: ['user'] } }),
    },
    examples: [{ name: 'one', input: Object.assign({ name: 'x' }, { kind: 'a<b>' }) }],
    execute: async ({ input }) => ({ text: `${input.name}: ${HOSTILE}` }),
  })
}

const openAs = (token: string, path: string): Promise<Page> => pages.open(token, path)
const expectFitsEverywhere = (page: Page, name: string): Promise<void> =>
  expectFits(app, page, name)

describe('tools', () => {
  test('are searched as an agent searches them, by keyboard, and listed for a person', async () => {
    const page = await openAs(app.ann, '/tools')
    const table = page.getByRole('region', { name: 'Tools' })
    await table.getByRole('link', { name: 'bank.transfer' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('send money')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?q=send+money&as=agent')
    await expect.poll(() => table.getByRole('row').nth(1).textContent()).toContain('bank.transfer')
    await page.goto(`${app.url}/console/tools?q=zzzqqq`)
    await expectText(page).toContain('No tool is found by this.')
  })

  test('of others are shown inert, and on every screen', async () => {
    const page = await openAs(app.ann, '/tools')
    await expectLoadingAndError(page, '**/v1/tools?*', 'Loading the tools')
    await expectFitsEverywhere(page, 'tools')
    await expectInert(page)
  })

  test('are explained: contract, versions, who may use them and why not, figures', async () => {
    const { identityApi, config } = app.serving.app
    await identityApi.principals.put(systemCaller(config.home), 'guest', { roles: [] })
    const page = await openAs(root, '/tools/notes.read')
    await expectText(page).toContain('It only reads.')
    await expectText(page).toMatch(/2\.0\.0[\s\S]*breaks[\s\S]*1\.0\.0/)
    await expectText(page).toMatch(/guest[\s\S]*may not[\s\S]*notes\.read is for user/)
    await expectText(page).toContain('It was not called yet.')
    await page.getByRole('button', { name: 'Open the form' }).click()
    await page.getByLabel('name').fill('')
    await page.getByRole('button', { name: 'Call it' }).click()
    await expectText(page).toContain('required')
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('name').fill('shopping')
    await page.getByRole('button', { name: 'Call it' }).click()
    await expectText(page).toMatch(/done[\s\S]*shopping: /)
    await expectText(page).toMatch(/Answers\s+1\s/)
    await expectInert(page)
    await expectFitsEverywhere(page, 'tool')
  })

  test('are called once by a form that is sent twice, and wait for an approval', async () => {
    const page = await openAs(app.ann, '/tools/bank.transfer')
    await page.getByRole('button', { name: 'Open the form' }).click()
    await page.getByLabel('recipient').fill('the baker')
    const ids: unknown[] = []
    for (let turn = 0; turn < 2; turn++) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/call'))
      await page.getByRole('button', { name: /Call it/ }).click()
      const { metadata } = (await (await answered).json()) as {
        readonly metadata: { readonly pending: { readonly approval_id: string } }
      }
      ids.push(metadata.pending.approval_id)
      await page.getByRole('link', { name: 'Open what waits for a person' }).waitFor()
    }
    expect(new Set(ids).size).toBe(1)
    await page.getByRole('link', { name: 'Open what waits for a person' }).click()
    await expectText(page).toContain('Send 800 EUR to the baker?')
  })

  test('that a person may not use are neither shown nor explained to them', async () => {
    const page = await openAs(app.ann, '/tools/no.such')
    await expectText(page).toContain('There is no tool "no.such", or you may not use it.')
    const seen = await page.evaluate(`Promise.all(
      ['access', 'figures'].map(async (part) => {
        const response = await fetch('/v1/tools/bank.transfer/' + part, {
          headers: { 'surehand-page': 'console' },
        })
        return [response.status, (await response.json()).data?.items?.map((one) => one.principal)]
      }),
    )`)
    // themselves only, and no figures of others' calls
    expect(seen).toEqual([
      [200, ['ann']],
      [403, undefined],
    ])
  })
})

describe('the policy', () => {
  const callPrice = (principal: string, actor: 'user' | 'ai_agent') =>
    app.serving.app.runtime.call({
      tool: 'shop.price',
      input: { productId: 'tea' },
      caller: { tenant: 'demo', principal, actor, roles: ['user'], capabilities: [] },
      surface: 'http',
    })

  test('is changed after its difference was seen, and what it would have done', async () => {
    const { runtime } = app.serving.app
    await callPrice('ann', 'ai_agent')
    await callPrice('ann', 'ai_agent')
    await callPrice('bea', 'user')
    const page = await openAs(root, '/policy')
    await expectText(page).toContain('There is no policy yet')
    await expectText(page).toContain('Nothing is changed.')
    await page.getByLabel('Tools that are off').fill('shop.price\n')
    await expectText(page).toContain('shop.price is off.')
    await page.getByRole('button', { name: 'Add to approvals' }).click()
    await page.getByLabel('Tools', { exact: true }).fill('bank.*')
    await page.getByLabel('Who approves').selectOption('admin')
    await page.getByRole('button', { name: 'Replay the calls' }).click()
    await expectText(page).toMatch(/3\s*would have been refused/)
    await expectText(page).toMatch(/2\s*ann through an agent, shop\.price/)
    await expectFitsEverywhere(page, 'policy')
    // by keyboard alone
    await page.getByLabel('Who approves').press('Enter')
    await page.getByRole('button', { name: 'Save this change' }).focus()
    await page.keyboard.press('Enter')
    await expectText(page).toContain('Nothing is changed.')
    expect(runtime.registry.policyOf('demo')).toMatchObject({
      disabledTools: ['shop.price'],
      approvals: [{ tools: 'bank.*', kind: 'admin' }],
    })
    // another administrator changes it meanwhile
    const by = systemCaller('demo')
    const put = { kind: 'policy', id: 'tenant', value: { disabledTools: ['x.*'] } } as const
    await runtime.administration.change(by, { ...put, expected: 1 })
    await page.getByLabel('Tools that are off').fill('y.*')
    await page.getByRole('button', { name: 'Save this change' }).click()
    await expectText(page).toContain('was changed since you read it')
    await expectLoadingAndError(page, '**/v1/policy', 'Loading the policy')
    await expectText(page).toContain('Nothing is changed.')
    await runtime.administration.change(by, { ...put, value: undefined, expected: 2 })
  })

  test('says that it loads, that there is none, why it cannot be read, and what a replay says', async () => {
    const page = await openAs(root, '/policy')
    await expectLoadingAndError(page, '**/v1/policy', 'Loading the policy')
    // Empty: there is no policy, nothing to save and nothing to replay.
    await expectText(page).toContain('There is no policy yet: the contracts hold as they are.')
    const save = page.getByRole('button', { name: 'Save this change' })
    expect(await save.isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Replay the calls' }).count()).toBe(0)
    await expectFitsEverywhere(page, 'policy-empty')
    await page.getByLabel('Tools that are off').fill('shop.*')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/v1/what-if', async (route) => {
      await held
      await route.fulfill(refusal(503, 'The store is away.'))
    })
    await page.getByRole('button', { name: 'Replay the calls' }).click()
    await expectText(page).toContain('Replaying …')
    release()
    await expectText(page).toContain('The store is away.')
    expect(await findViolations(page)).toEqual([])
    await page.unroute('**/v1/what-if')
    const none = {
      ...{ calls: 0, days: 7, complete: true, verdicts: {} },
      groups: [],
      examples: [],
    }
    await page.route('**/v1/what-if', (route) =>
      route.fulfill({ json: { status: 'success', data: none } }),
    )
    await page.getByRole('button', { name: 'Replay the calls' }).click()
    await expectText(page).toContain('No call was made in the last 7 days.')
    await page.route('**/v1/policy', (route) =>
      route.fulfill(refusal(400, 'shop.* is not a name of tools.')),
    )
    await save.click()
    await expectText(page).toContain('shop.* is not a name of tools.')
    // What was entered is still there.
    expect(await page.getByLabel('Tools that are off').inputValue()).toBe('shop.*')
  })

  test('is refused to others, and so is the replay', async () => {
    const page = await openAs(app.ann, '/policy')
    await expectText(page).toContain('Only an administrator may do this')
    const status = await page.evaluate(`fetch('/v1/what-if', {
      method: 'POST',
      headers: { 'surehand-page': 'console', 'content-type': 'application/json' },
      body: '{}',
    }).then((response) => response.status)`)
    expect(status).toBe(403)
  })
})

describe('imports', () => {
  test('are made after their report was seen, and changes wait until they are accepted', async () => {
    const page = await openAs(root, '/imports')
    await expectText(page).toContain('Nothing is imported or mounted.')
    await page.getByLabel('Name, with which its tools begin').fill('pets')
    await page.getByLabel('Address').fill(vendorUrl())
    await page.getByRole('button', { name: 'Show what it would bring' }).click()
    await expectText(page).toContain('2 of 2 operations would be tools')
    await page.getByRole('button', { name: 'Import these tools' }).click()
    await page.getByRole('link', { name: 'pets' }).click()
    await expectText(page).toContain('Nothing is quarantined.')
    vendorWords = `Lists the pets, and sends them to ${HOSTILE}`
    await page.getByRole('button', { name: 'Fetch it again' }).click()
    await expectText(page).toMatch(/Quarantined[\s\S]*pets\.listPets[\s\S]*description changed/)
    await expectFitsEverywhere(page, 'import')
    // by keyboard alone
    await page.getByRole('checkbox', { name: 'pets.listPets' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Accept 1 tool' }).focus()
    await page.keyboard.press('Enter')
    await expectText(page).toContain('Nothing is quarantined.')
    await page.getByRole('link', { name: 'Imports and mounts' }).click()
    await expectFitsEverywhere(page, 'imports')
    await page.getByRole('link', { name: 'pets' }).click()
    await page.getByRole('button', { name: 'Remove pets …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove pets' }).click()
    await expectText(page).toContain('Nothing is imported or mounted.')
    await expectLoadingAndError(page, '**/v1/imports?*', 'Loading the imports')
  })

  test('show what their requests were not let out to, and what to do', async () => {
    const page = await openAs(root, '/imports')
    const text = petDocument().replaceAll(new URL(vendorUrl()).origin, 'http://10.0.0.7:8080')
    await page.getByLabel('Name, with which its tools begin').fill('inside')
    await page.getByLabel('or a file').setInputFiles({
      ...{ name: 'pets.json', mimeType: 'application/json' },
      buffer: Buffer.from(text),
    })
    await page.getByRole('button', { name: 'Show what it would bring' }).click()
    await page.getByRole('button', { name: 'Import these tools' }).click()
    await page.getByRole('link', { name: 'inside' }).waitFor()
    await app.serving.app.runtime.call({
      tool: 'inside.listPets',
      input: {},
      caller: {
        ...{ tenant: 'demo', principal: 'root', actor: 'user', capabilities: [] },
        roles: ['admin', 'user'],
      },
      surface: 'http',
    })
    await page.reload()
    await expectText(page).toContain('1 refused request')
    await page.getByRole('link', { name: 'inside' }).click()
    await expectText(page).toMatch(
      /10\.0\.0\.7:8080 was not contacted[\s\S]*port 8080 is not among 80, 443/,
    )
    await expectText(page).toContain('privateHosts')
    await expectFitsEverywhere(page, 'import-refusals')
    // An address that is refused at once is said where it was entered.
    await page.goto(`${app.url}/console/imports`)
    await page.getByLabel('Name, with which its tools begin').fill('metadata')
    await page.getByLabel('Address').fill('http://169.254.169.254/openapi.json')
    await page.getByRole('button', { name: 'Show what it would bring' }).click()
    await expectText(page).toContain('169.254.169.254:80 was not contacted')
    await page.getByRole('link', { name: 'inside' }).click()
    await page.getByRole('button', { name: 'Remove inside …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove inside' }).click()
    await expectText(page).toContain('Nothing is imported or mounted.')
    const stored = await app.serving.app.stores.values.list(
      'demo',
      'surehand.refused-request:inside',
    )
    expect(stored).toEqual([])
  })

  test('are refused to others', async () => {
    const page = await openAs(app.ann, '/imports')
    // The list of imports, and that of credentials.
    await expect.poll(() => page.getByText('Only an administrator may do this').count()).toBe(2)
    expect(await page.locator('main form').count()).toBe(0)
  })

  test('have credentials, which are entered once and never shown again', async () => {
    const page = await openAs(root, '/imports')
    await page.getByLabel('Name, as the import asks for it').fill('petstore.entered')
    await page.getByLabel('Where it may be sent').fill('https://petstore.example')
    await page.getByLabel('Token', { exact: true }).fill('an-entered-secret-0123')
    await page.getByRole('button', { name: 'Store it' }).click()
    await expectText(page).toContain('Stored. It is not shown again.')
    await expectText(page).toMatch(/petstore\.entered.*bearer for https:\/\/petstore\.example/)
    expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe('')
    expect(await page.content()).not.toContain('an-entered-secret')
    await page.getByLabel('Name, as the import asks for it').fill('petstore.entered')
    await page.getByLabel('Kind').last().selectOption('basic')
    await page.getByLabel('Where it may be sent').fill('ftp://petstore.example')
    await page.getByLabel('User name').fill('ann')
    await page.getByRole('button', { name: 'Store it' }).click()
    await page.getByRole('alert').waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  const SECRET = 'a-secret-of-its-own-0123'
  test.each([
    {
      kind: 'clientCredentials',
      fields: {
        'Client id': 'our-client',
        'Address that issues tokens': 'https://vendor.example/token',
        'Scopes, separated by spaces (optional)': 'read write',
        'Client secret': SECRET,
      },
      record: {
        ...{ tokenUrl: 'https://vendor.example/token', clientId: 'our-client' },
        ...{ scopes: ['read', 'write'], auth: 'basic' },
      },
    },
    {
      kind: 'authorizationCode',
      fields: {
        'Client id': 'our-client',
        'Address that issues tokens': 'https://vendor.example/token',
        'Address where people consent': 'https://vendor.example/authorize',
        'Client secret (none for a public client)': SECRET,
      },
      record: { authorizeUrl: 'https://vendor.example/authorize', for: 'principal', scopes: [] },
    },
    {
      kind: 'aws',
      fields: {
        'Access key id': 'AKIA0123456789',
        'Secret access key': SECRET,
        'Region, as in eu-west-1': 'eu-west-1',
      },
      record: { region: 'eu-west-1' },
    },
  ])('have credentials of the kind $kind too', async ({ kind, fields, record }) => {
    const page = await openAs(root, '/imports')
    await page.getByLabel('Name, as the import asks for it').fill(`vendor.${kind}`)
    await page.getByLabel('Kind').last().selectOption(kind)
    await page.getByLabel('Where it may be sent').fill('https://vendor.example')
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Store it' }).click()
    await expectText(page).toContain('Stored. It is not shown again.')
    expect(await page.content()).not.toContain(SECRET)
    const consent = page.getByRole('link', { name: 'Let tools use it' }).first()
    if (kind === 'authorizationCode')
      expect(await consent.getAttribute('href')).toContain('/credentials/vendor.authorizationCode')
    expect(await findViolations(page)).toEqual([])
    const { credentials } = app.serving.app.imports
    const all = await credentials.list(systemCaller(app.serving.app.config.home))
    const stored = all.find(({ id }) => id === `vendor.${kind}`)
    expect(stored?.record).toMatchObject({ kind, origins: ['https://vendor.example'], ...record })
    expect(JSON.stringify(stored)).not.toContain(SECRET)
  })
})

describe('people', () => {
  test('are changed after the difference was seen, and what it would have done', async () => {
    const { identityApi, config, runtime } = app.serving.app
    await identityApi.principals.put(systemCaller(config.home), 'cleo', {
      roles: ['user'],
      name: HOSTILE.slice(0, 150),
    })
    const caller = { tenant: 'demo', principal: 'cleo', actor: 'user', roles: ['user'] } as const
    await runtime.call({
      tool: 'notes.read',
      input: { name: 'x', kind: 'a<b>' },
      caller: { ...caller, capabilities: [] },
      surface: 'http',
    })
    const page = await openAs(root, '/people')
    await page.getByRole('link', { name: 'cleo' }).waitFor()
    await expectInert(page)
    await expectLoadingAndError(page, '**/v1/principals?*', 'Loading the people')
    await page.getByRole('link', { name: 'cleo' }).click()
    await expectText(page).toContain('Nothing is changed.')
    await page.getByLabel('Roles').fill('')
    await expectText(page).toContain('has the role user')
    await page.getByRole('button', { name: 'Replay the calls' }).click()
    await expectText(page).toMatch(/1\s*would have been refused/)
    await expectFitsEverywhere(page, 'person')
    await page.getByRole('button', { name: 'Save this change' }).click()
    await page.getByRole('link', { name: 'cleo' }).waitFor()
    const people = await identityApi.principals.list(systemCaller(config.home))
    expect(people.find(({ id }) => id === 'cleo')?.record.roles).toEqual([])
  })

  test('get tokens, whose secret is shown once, and lose them', async () => {
    const page = await openAs(root, '/people')
    await page.getByLabel('Principal', { exact: true }).fill('ann')
    await page.getByLabel('What it is for').fill('her robot')
    await page.getByLabel('Who presents it').selectOption('ai_agent')
    await page.getByRole('button', { name: 'Make the token' }).click()
    await expectText(page).toContain('This is the only time that it is shown.')
    const secret = (await page.locator('.sample pre').textContent()) ?? ''
    const session = () =>
      fetch(`${app.url}/v1/session`, { headers: { authorization: `Bearer ${secret}` } })
    expect(await (await session()).json()).toMatchObject({
      data: { principal: 'ann', actor: 'ai_agent' },
    })
    await page.reload()
    await expectText(page).toContain('her robot')
    expect(await read(page)).not.toContain(secret)
    await expectFitsEverywhere(page, 'people')
    await page.getByRole('button', { name: 'Revoke her robot …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke her robot' }).click()
    await expectText(page).toContain('revoked')
    await expect.poll(async () => (await session()).status).toBe(401)
  })

  test('are in tenants, which an administrator of the home tenant adds and disables', async () => {
    const page = await openAs(root, '/people')
    await page.getByLabel('Id', { exact: true }).fill('initech')
    await page.getByLabel('Name of the tenant').fill('Initech')
    await page.getByRole('button', { name: 'Add the tenant' }).click()
    await page.getByRole('button', { name: 'Disable initech …' }).click()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Disable initech', exact: true }).click()
    await page.getByRole('button', { name: 'Enable initech …' }).waitFor()
    const { identityApi, config } = app.serving.app
    const tenants = await identityApi.tenants.list(systemCaller(config.home))
    expect(tenants.find(({ id }) => id === 'initech')?.record).toMatchObject({ disabled: true })
  })

  test('are entered, by administrators only', async () => {
    const page = await openAs(root, '/new-person')
    await page.getByLabel('Id, as in ann').fill('dora')
    await expectText(page).toContain('has the role user')
    await page.getByRole('button', { name: 'Save this change' }).click()
    await page.getByRole('link', { name: 'dora' }).waitFor()
    const other = await openAs(app.ann, '/people')
    // The lists of people and of tokens.
    await expect.poll(() => other.getByText('Only an administrator may do this').count()).toBe(2)
    expect(await other.locator('main form').count()).toBe(0)
    expect(await other.getByRole('link', { name: 'Add a person' }).count()).toBe(0)
  })
})

describe('the audit of a call', () => {
  test('is proven in the browser, and a record that was changed is not', async () => {
    const { callId } = await app.ask('trip.book', 'proof', { to: 'Bergen' })
    const page = await openAs(root, `/calls/${callId}`)
    const prove = page.getByRole('button', { name: 'Prove that it is in the audit' })
    const proofs = /\/v1\/audit\/records\/[^/]+\/proof$/
    await prove.first().waitFor()
    // a record of the last seconds is under no signed head yet
    await expect
      .poll(async () => {
        const answered = page.waitForResponse((response) => proofs.test(response.url()))
        await prove.first().click()
        return (await answered).status()
      })
      .toBe(200)
    await expectText(page).toMatch(/Proven in this browser: record \d+ of the \d+ that were signed/)
    await page.route(proofs, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace('trip.book', 'trip.hook')
      await route.fulfill({ response, body })
    })
    await page.reload()
    await prove.first().click()
    await expectText(page).toContain('The record was changed after it was written.')
    expect(await findViolations(page)).toEqual([])
    await page.unroute(proofs)
    await page.route(proofs, async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = (await response.json()) as { readonly data: object }
      await route.fulfill({ json: { ...rest, data: { ...data, path: ['0'.repeat(64)] } } })
    })
    await page.reload()
    await prove.first().click()
    await expectText(page).toContain('The record is not in the tree that was signed.')
  })
})

describe('a call', () => {
  const callNote = async (name: string) => {
    const { runtime } = app.serving.app
    const caller = { tenant: 'demo', principal: 'root', actor: 'user', capabilities: [] } as const
    const { facts } = await runtime.call({
      tool: 'notes.read',
      input: { name, kind: 'a<b>' },
      caller: { ...caller, roles: ['admin', 'user'] },
      surface: 'http',
    })
    return facts.callId
  }

  test('is drawn with the times of its stages, is read again and copied as curl', async () => {
    const callId = await callNote(ALL_HOSTILE)
    const page = await openAs(root, `/calls/${callId}`)
    await expectLoadingAndError(page, '**/v1/calls/*/trace', 'Loading the times')
    const stages = page.getByRole('table', { name: 'Stages' })
    await expect
      .poll(() => stages.getByRole('rowheader').allTextContents())
      .toEqual([...STAGES, 'attempt 1'])
    await expectInert(page)
    const command = (await page.locator('pre', { hasText: '/v1/tools/' }).textContent()) ?? ''
    expect(command).toMatch(/^[\x20-\x7e\n]*$/)
    expect(readCurl(command)).toEqual({ name: ALL_HOSTILE, kind: 'a<b>' })
    await page.getByRole('button', { name: 'Read it again, as yourself' }).click()
    await page.getByRole('link', { name: 'See this call' }).waitFor()
    await expectFitsEverywhere(page, 'call')
    await page.getByRole('link', { name: 'See this call' }).click()
    await expect.poll(() => page.url()).not.toContain(callId)
    await stages.waitFor()
  })

  test('that changes something is not run again, and its times are for administrators', async () => {
    const { callId } = await app.ask('trip.book', 'again', { to: 'Bergen' })
    const page = await openAs(root, `/calls/${callId}`)
    await expectText(page).toContain('With the same idempotency key it is answered as before')
    await expectText(page).toContain('Idempotency-Key: again')
    expect(await page.getByRole('button', { name: /Read it again/ }).count()).toBe(0)
    await page.route('**/v1/calls/*/trace', (route) =>
      route.fulfill({ json: { status: 'success', data: { passes: [] } } }),
    )
    await page.reload()
    await expectText(page).toContain('No times are stored of this call.')
    const trace = await fetch(`${app.url}/v1/calls/${callId}/trace`, {
      headers: { authorization: `Bearer ${app.ann}` },
    })
    expect(trace.status).toBe(403)
  })

  test('is found by a text of its input, its key and who made it, as it comes', async () => {
    await callNote('a needle in the hay')
    await app.ask('trip.book', 'key-of-its-own', { to: 'Bergen' })
    const page = await openAs(root, '/calls?text=NEEDLE')
    const table = page.getByRole('region', { name: 'Calls' })
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    // The next one comes by itself, until this is switched off.
    await callNote('another needle')
    await expect.poll(() => table.getByRole('row').count()).toBe(3)
    await page.getByLabel('Show new calls as they come').uncheck()
    await expectFitsEverywhere(page, 'calls')
    await page.getByLabel('Text in the input').fill('')
    await page.getByLabel('Idempotency key').fill('key-of-its-own')
    await page.getByLabel('Made by').selectOption('an agent')
    await page.getByRole('button', { name: 'Search' }).click()
    await table.getByRole('link', { name: 'trip.book' }).waitFor()
    await expect.poll(() => new URL(page.url()).search).toContain('key=key-of-its-own')
    await expectLoadingAndError(page, '**/v1/audit?*', 'Loading the calls')
  })
})

const STAGES = [
  ...['resolve', 'validate', 'authorize', 'replay', 'recall', 'admit', 'approve', 'defer'],
  'perform',
]

/** The body of the command, as a shell would send it. */
function readCurl(command: string): unknown {
  const [, body = ''] = /-d '([\s\S]*)'$/.exec(command) ?? []
  return JSON.parse(body.replaceAll("'\\''", "'"))
}

describe('programs', () => {
  const propose = async (more: object) => {
    const { demoTokens } = app.serving.welcome
    const response = await fetch(`${app.url}/v1/programs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${demoTokens?.agent}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        program: {
          id: 'made.note',
          title: ALL_HOSTILE.slice(0, 190),
          description: HOSTILE,
          version: '1.0.0',
          category: 'custom',
          input: {
            type: 'object',
            properties: { name: { type: 'string', description: ALL_HOSTILE } },
            required: ['name'],
          },
          output: { type: 'object' },
          contract: { effect: 'read' },
          steps: [
            {
              id: 'read',
              tool: 'notes.read',
              input: { name: { $ref: 'input.name' }, kind: 'a<b>' },
            },
          ],
          answer: { $ref: 'steps.read' },
          ...more,
        },
        examples: [{ name: 'shopping', input: { name: 'shopping' } }],
      }),
    })
    return response.status
  }

  test('of agents are drawn, run without effects and accepted by a person', async () => {
    const page = await openAs(root, '/programs')
    await expectText(page).toContain('No agent has proposed a program.')
    expect(await propose({})).toBe(200)
    await page.reload()
    await page.getByRole('link', { name: 'made.note' }).click()
    await expectText(page).toMatch(/proposed[\s\S]*read notes\.read/)
    await page.getByRole('button', { name: 'Run it without effects' }).click()
    await expectText(page).toMatch(/Its answer[\s\S]*shopping: /)
    await expectInert(page)
    await expectFitsEverywhere(page, 'program')
    // by keyboard alone
    await page.getByRole('button', { name: 'Accept it' }).focus()
    await page.keyboard.press('Enter')
    await expectText(page).toContain('1.0.0, in use, accepted by root')
    await expectLoadingAndError(page, '**/v1/programs/made.note', 'Loading the program')
    await page.goto(`${app.url}/console/programs`)
    await expectLoadingAndError(page, '**/v1/programs?*', 'Loading the programs')
    await expectFitsEverywhere(page, 'programs')
  })

  test('are accepted by administrators only, and removed after a question', async () => {
    const ann = { authorization: `Bearer ${app.ann}`, 'content-type': 'application/json' }
    const accept = await fetch(`${app.url}/v1/programs/made.note/accept`, {
      method: 'POST',
      headers: ann,
      body: JSON.stringify({ digest: '0'.repeat(64) }),
    })
    expect(accept.status).toBe(403)
    expect((await fetch(`${app.url}/v1/programs`, { headers: ann })).status).toBe(403)
    expect(await propose({ version: '1.1.0' })).toBe(200)
    const page = await openAs(root, '/programs/made.note')
    await page.getByRole('button', { name: 'Refuse it' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Refuse it' }).click()
    await page.getByRole('link', { name: 'made.note' }).click()
    await expectText(page).toContain('accepted')
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click()
    await expectText(page).toContain('No agent has proposed a program.')
  })
})

describe('health', () => {
  test('is drawn from the answers of the tenant, and can be read as numbers', async () => {
    await app.ask('trip.book', 'health', { to: 'Bergen' })
    const page = await openAs(root, '/health')
    await expectLoadingAndError(page, '**/v1/figures?*', 'Loading the figures')
    await page.getByRole('img', { name: /Answers and errors: answers up to [1-9]/ }).waitFor()
    await page.getByLabel('The last').selectOption('1 hour')
    await expect.poll(() => page.url()).toContain('hours=1')
    await page.getByText('The numbers').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('columnheader', { name: 'p95 ms' }).waitFor()
    await expectFitsEverywhere(page, 'health')
    await page.getByRole('img', { name: /Size of the store in megabytes/ }).waitFor()
    const nothing = { points: [], samples: [], open: {}, oldest_queued_at: null }
    const empty = { complete: false, step_ms: 1, ...nothing }
    await page.route('**/v1/figures?*', (route) =>
      route.fulfill({ json: { status: 'success', data: empty } }),
    )
    await page.reload()
    await expectText(page).toContain('No call was answered in this time.')
    await expectText(page).toContain('Nothing was counted in this time.')
    await expectText(page).toContain('Many answers are not counted yet')
    const other = await openAs(app.ann, '/health')
    await expectText(other).toContain('Only administrators may read the audit.')
  })
})

// the last one: every page of every test above was drawn under its policy
test('no page broke its own policy', () => {
  expect(app.complaints).toEqual([])
})
