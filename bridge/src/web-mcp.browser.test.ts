import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from '@surehand/testing/fixtures/launch.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { execute, openTab, widgetOf } from '../testing/open-browser.ts'
import { openPages, type TestPages } from '../testing/open-pages.ts'

const PATIENT = { timeout: 60_000 }
const POLYFILL = readFileSync(
  join(
    import.meta.dirname,
    '../../surfaces/mcp/clients/node_modules/@mcp-b/webmcp-polyfill/dist/index.iife.js',
  ),
)
const SCHEMA = { type: 'object', properties: { text: { type: 'string' } } }
// A tool of the page itself, which counts how often it was executed, over reloads.
const REGISTER = `<script nonce="page">
  const own = (description) => document.modelContext.registerTool({
    name: 'gift.note', description, inputSchema: ${JSON.stringify(SCHEMA)},
    async execute({ text }) {
      if (text === 'fail') throw new Error('no')
      localStorage.count = Number(localStorage.count ?? 0) + 1
      return { content: [{ type: 'text', text: 'noted: ' + text }] }
    },
  })
  own(new URL(location).searchParams.get('says') ?? 'Writes a note.')
</script>`
// A tool without script: the browser makes one of a form that has these attributes.
const FORM = `<form toolname="newsletter" tooldescription="Subscribes to the letter.">
  <input name="email" type="email" toolparamdescription="Where to."></form>`
const definition = (description = 'Writes a note.') =>
  JSON.stringify({ name: 'gift.note', description, inputSchema: SCHEMA })

type ModelContext = {
  readonly getTools: () => Promise<readonly { readonly name: string }[]>
  readonly executeTool: (tool: object, input: object) => Promise<string>
}

describe.each([
  ['the browser', ['--enable-features=WebMCP'], ''],
  ['the polyfill', [], '<script src="/polyfill.js"></script>'],
])('with WebMCP of %s', (_, flags, polyfill) => {
  let pages: TestPages
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    pages = await openPages()
    browser = await launch(inject('wholeChromium'), flags)
    pages.site.pages
      .set('/polyfill.js', (__, response) =>
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(POLYFILL),
      )
      .set('/', `<!doctype html><title>Shop</title>${polyfill}${REGISTER}${pages.tag}`)
    page = await openTab(await browser.newContext(), `${pages.site.origin}/`)
  })
  afterAll(async () => {
    await browser.close()
    await pages.close()
  })

  const readReported = async (): Promise<readonly string[]> =>
    (await widgetOf(page)).evaluate(() => window.pageTools)
  const count = (): Promise<unknown> => page.evaluate('Number(localStorage.count ?? 0)')
  const call = (text: string, more: object = {}, id?: string) =>
    execute(
      page,
      {
        do: 'callTool',
        origin: pages.site.origin,
        definition: definition(),
        input: { text },
        ...more,
      },
      id,
    )

  test("the site's tools are the browser's; a call goes to the widget", async () => {
    const names = () =>
      page.evaluate(async () => {
        const { modelContext } = document as unknown as { modelContext: ModelContext }
        return (await modelContext.getTools()).map(({ name }) => name)
      })
    await expect.poll(names, PATIENT).toContain('commerce__addToCart')
    const answer = await page.evaluate(async () => {
      const { modelContext } = document as unknown as { modelContext: ModelContext }
      const tools = await modelContext.getTools()
      const tool = tools.find(({ name }) => name === 'commerce__addToCart') ?? {}
      // An object for newer browsers, and JSON text for older ones.
      const input = { quantity: 2, [Symbol.toPrimitive]: () => '{"quantity":2}' }
      return modelContext.executeTool(tool, input)
    })
    expect(answer).toContain('added')
    expect(await (await widgetOf(page)).evaluate(() => window.calls)).toMatchObject([
      { name: 'commerce__addToCart', input: { quantity: 2 } },
    ])
  })

  test('a tool of the page is readReported, without those that were offered to it', async () => {
    await expect.poll(readReported, PATIENT).toEqual([definition()])
  })

  test('it is executed once for an id, also after a reload', async () => {
    expect(await call('with love', {}, 'note-1')).toMatchObject({
      type: 'result',
      value: { answer: expect.stringContaining('noted: with love') },
    })
    await call('with love', {}, 'note-1')
    await page.reload()
    expect(await call('with love', {}, 'note-1')).toMatchObject({ type: 'result' })
    expect(await count()).toBe(1)
  })

  test('a tool that has changed, or is of another origin, is not executed', async () => {
    for (const other of [
      { definition: definition('Writes a note. Then buys everything.') },
      { origin: pages.evil.origin },
    ])
      expect(await call('x', other)).toMatchObject({ type: 'error', code: 'not_found' })
    await page.goto(`${pages.site.origin}/?says=Other`)
    await expect.poll(readReported, PATIENT).toEqual([definition('Other')])
    expect(await call('x')).toMatchObject({ type: 'error', code: 'not_found' })
    expect(await count()).toBe(1)
  })

  // The polyfill knows tools of scripts alone.
  if (flags.length > 0)
    test('a form that declares itself a tool is reported, too', async () => {
      pages.site.pages.set('/form', `<!doctype html><title>Form</title>${FORM}${pages.tag}`)
      const tab = await openTab(page.context(), `${pages.site.origin}/form`)
      const names = async () => {
        const reported = await (await widgetOf(tab)).evaluate(() => window.pageTools)
        return reported.map((text) => JSON.parse(text).name)
      }
      await expect.poll(names, PATIENT).toEqual(['newsletter'])
      await tab.close()
    })

  test('a tool that fails may have done something', async () => {
    expect(await call('fail', { definition: definition('Other') })).toMatchObject({
      type: 'error',
      code: 'failed',
    })
  })
})
