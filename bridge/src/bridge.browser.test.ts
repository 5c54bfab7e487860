import { gzipSync } from 'node:zlib'
import { launch } from '@surehand/testing/fixtures/launch.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { execute, openTab, statuses, widgetOf } from '../testing/open-browser.ts'
import { openPages, type TestPages } from '../testing/open-pages.ts'
import { bridgeScript, frameScript } from './browser-script.ts'

const PATIENT = { timeout: 60_000 }
let pages: TestPages
let browser: Browser
beforeAll(async () => {
  pages = await openPages()
  browser = await launch(inject('chromium'))
  const head = `<!doctype html><html lang="en"><head><title>Shop</title>${pages.tag}</head>`
  pages.site.pages
    .set('/', `${head}<nav aria-label="Shop"><a href="/roses">Roses</a></nav>${MAIN}`)
    .set('/roses', `${head.replace('Shop', 'Roses')}<main><h1>Roses</h1></main>`)
    .set('/thanks', `${head.replace('Shop', 'Thanks')}<main><h1>Thanks</h1></main>`)
    .set('/spa', `${head}<main><h1 id="view">Start</h1></main>${ROUTER}`)
    // The policy of the site has a nonce, and beside one Chromium ignores 'inline-speculation-rules'.
    .set('/with-nonce', head.replace('<script ', '<script nonce="page" '))
    .set('/nothing', (_, response) => response.writeHead(204).end())
})
afterAll(async () => {
  await browser.close()
  await pages.close()
})
beforeEach(() => {
  pages.site.received.length = 0
})

const MAIN = `<main>
  <button data-action="cart.open">Open the cart</button>
  <button id="trap" hidden>Trap</button>
  <form id="contact" method="get" action="/wrong" data-action="contact.send">
    <input type="hidden" name="csrf" value="token-of-the-page">
    <label>Name <input name="name" required></label>
    <label>Topic <select name="topic"><option value="q">Question</option><option value="o">Order</option></select></label>
    <label><input type="checkbox" name="copy" value="yes"> Send me a copy</label>
    <button formmethod="post" formenctype="multipart/form-data" formaction="/thanks">Send</button>
  </form>
  <form id="search" action="/roses"><input name="q" aria-label="Search"></form>
  <form id="pay"><input name="holder" value="A"><input name="n" autocomplete="cc-number" id="card"><button>Pay</button></form>
  <form id="login"><input type="password" id="password"><button>Sign in</button></form>
  ${'<br>'.repeat(200)}<p id="end">End</p>
</main>`
const ROUTER = `<script nonce="page">
  window.documents = (window.documents ?? 0) + 1
  addEventListener('surehand:goto', (event) => {
    event.preventDefault()
    setTimeout(() => { history.pushState({}, '', event.detail.path); document.title = event.detail.path }, 150)
  })
</script>`

const openSite = async (path = '/'): Promise<Page> =>
  openTab(await browser.newContext(), `${pages.site.origin}${path}`)

/** Time passes twenty times as fast for the timers of the page. */
const hurry = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { setInterval: start, setTimeout: wait } = window
    Object.assign(window, {
      setInterval: (run: () => void, ms = 0) => start(run, ms / 20),
      setTimeout: (run: () => void, ms = 0) => wait(run, ms / 20),
    })
  })

test('the bridge is at most 6 KB when it is compressed, and a fifth of that before it is used', async () => {
  const size = (script: string): number => gzipSync(script, { level: 9 }).length
  expect(size(await bridgeScript())).toBeLessThanOrEqual(1_200)
  expect(size(await frameScript())).toBeLessThanOrEqual(6 * 1024)
})

test('the page and the widget know each other after a handshake', async () => {
  const page = await openSite()
  const frame = await widgetOf(page)
  expect(await frame.evaluate(() => window.connections)).toEqual([pages.site.origin])
  await expect
    .poll(() => statuses(page))
    .toEqual([{ type: 'status', state: 'ready', url: `${pages.site.origin}/`, title: 'Shop' }])
})

test('goto answers at once; the page that is reached reports the arrival', async () => {
  const page = await openSite()
  const answer = await execute(page, { do: 'goto', path: '/roses' }, 'go-1')
  expect(answer).toEqual({
    type: 'result',
    id: 'go-1',
    value: { url: `${pages.site.origin}/roses` },
  })
  await page.waitForURL('**/roses')
  await expect
    .poll(() => statuses(page))
    .toContainEqual({
      type: 'status',
      state: 'arrived',
      id: 'go-1',
      url: `${pages.site.origin}/roses`,
      title: 'Roses',
    })
})

test('a page that does not exist is reported as a failed navigation', async () => {
  const page = await openSite()
  pages.site.pages.set('/gone', (_, response) =>
    response
      .writeHead(404, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Gone</title>${pages.tag}`),
  )
  await execute(page, { do: 'goto', path: '/gone' }, 'go-2')
  await page.waitForURL('**/gone')
  await expect
    .poll(() => statuses(page))
    .toContainEqual(expect.objectContaining({ state: 'failed', id: 'go-2' }))
})

test('a navigation that never arrives fails, and takes the highlight back', async () => {
  const page = await (await browser.newContext()).newPage()
  await hurry(page)
  await page.goto(`${pages.site.origin}/`)
  await execute(page, { do: 'highlight', selector: 'cart.open' })
  const animations = (): Promise<number> =>
    page.evaluate(() => document.getAnimations().filter(({ id }) => id === 'surehand').length)
  expect(await animations()).toBe(1)
  await execute(page, { do: 'goto', path: '/nothing' }, 'go-3')
  await expect
    .poll(() => statuses(page))
    .toContainEqual(expect.objectContaining({ state: 'failed', id: 'go-3' }))
  expect(await animations()).toBe(0)
})

test('a site that is one document goes there by its own router', async () => {
  const page = await openSite('/spa')
  await execute(page, { do: 'goto', path: '/spa/roses' }, 'go-4')
  await expect
    .poll(() => statuses(page))
    .toContainEqual(expect.objectContaining({ state: 'arrived', id: 'go-4', title: '/spa/roses' }))
  expect(await page.evaluate('window.documents')).toBe(1)
})

test('a second goto replaces the first', async () => {
  const page = await openSite('/spa')
  await execute(page, { do: 'goto', path: '/spa/a' }, 'go-5')
  await execute(page, { do: 'goto', path: '/spa/b' }, 'go-6')
  await expect
    .poll(() => statuses(page))
    .toContainEqual(expect.objectContaining({ state: 'arrived', id: 'go-6' }))
  expect(
    (await statuses(page)).filter(({ id }) => id === 'go-5').map(({ state }) => state),
  ).toEqual(['navigating', 'failed'])
})

test('a goto whose page was left before it could go goes on from the next page', async () => {
  const page = await openSite()
  // As it is when a goto reaches a page that the browser is leaving for an earlier one.
  await widgetOf(page)
  await page.evaluate(() => {
    const journey = { id: 'go-7', kind: 'goto', path: '/thanks' }
    sessionStorage.setItem(
      'surehand.bridge',
      JSON.stringify({ commands: [['go-7', null]], journey }),
    )
  })
  await page.goto(`${pages.site.origin}/roses`)
  await page.waitForURL('**/thanks')
  await expect
    .poll(() => statuses(page))
    .toContainEqual(expect.objectContaining({ state: 'arrived', id: 'go-7', title: 'Thanks' }))
})

test('a submit that led over another site is answered where the visitor comes back', async () => {
  const page = await openSite()
  await widgetOf(page)
  await page.evaluate(() => {
    const journey = { id: 's-away', kind: 'submit' }
    const commands = [['s-away', null]]
    sessionStorage.setItem('surehand.bridge', JSON.stringify({ commands, journey }))
  })
  await page.goto(`${pages.evil.origin}/`)
  await page.goto(`${pages.site.origin}/thanks`)
  await execute(page, { do: 'clearHighlights' })
  await expect
    .poll(() => statuses(page))
    .toContainEqual(expect.objectContaining({ state: 'arrived', id: 's-away', title: 'Thanks' }))
})

test('a highlight fades and leaves the page as it was', async () => {
  const page = await openSite()
  const before = await page.locator('main').innerHTML()
  expect(await execute(page, { do: 'highlight', selector: 'cart.open' })).toMatchObject({
    type: 'result',
  })
  const outline = (): Promise<string> =>
    page.locator('[data-action="cart.open"]').evaluate((one) => getComputedStyle(one).outlineStyle)
  expect(await outline()).toBe('solid')
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
  expect(await outline()).toBe('none')
  expect(await page.locator('main').innerHTML()).toBe(before)
})

test('a missing element is answered with candidates and their landmarks', async () => {
  const page = await openSite()
  const answer = await execute(page, { do: 'highlight', selector: '#roses-link' }, 'c-1')
  expect(answer).toEqual({
    type: 'error',
    id: 'c-1',
    code: 'not_found',
    message: 'No such element.',
    candidates: [
      {
        selector: 'html>body:nth-of-type(1)>nav:nth-of-type(1)>a:nth-of-type(1)',
        name: 'Roses',
        role: 'a',
        landmark: { role: 'navigation', name: 'Shop' },
      },
    ],
  })
  const [candidate] = answer.candidates as { readonly selector: string }[]
  expect(
    await execute(page, { do: 'highlight', selector: candidate?.selector ?? '' }),
  ).toMatchObject({ type: 'result' })
})

test('scrolling reaches the bottom, an element and the top', async () => {
  const page = await openSite()
  const top = (): Promise<number> => page.evaluate(() => Math.round(scrollY))
  await execute(page, { do: 'scrollTo', to: 'bottom' })
  await expect.poll(top).toBeGreaterThan(1_000)
  await execute(page, { do: 'scrollTo', to: 'top' })
  await expect.poll(top).toBe(0)
  await execute(page, { do: 'scrollTo', selector: '#end' })
  await expect.poll(top).toBeGreaterThan(1_000)
})

test('a form is described, validated and sent as its button says, with the tokens of the page', async () => {
  const page = await openSite()
  const described = await execute(page, { do: 'describeForm', formSelector: 'contact.send' })
  expect(described).toMatchObject({
    value: {
      form: {
        method: 'post',
        enctype: 'multipart/form-data',
        action: `${pages.site.origin}/thanks`,
        fields: [
          { name: 'name', label: 'Name', value: '' },
          { name: 'topic', value: 'Question' },
        ],
        problems: [{ field: 'name', message: expect.stringMatching(/fill/i) }],
      },
    },
  })
  const submit = { do: 'submitForm', formSelector: '#contact', validate: true } as const
  expect(await execute(page, submit, 's-1')).toMatchObject({ type: 'error', code: 'invalid' })
  await execute(page, { do: 'fillField', selector: '[name=name]', value: 'Ada' })
  await execute(page, { do: 'fillField', selector: '[name=topic]', value: 'order' })
  await execute(page, { do: 'fillField', selector: '[name=copy]', value: 'true' })
  const frame = await widgetOf(page)
  await frame.evaluate((order) => void window.link.execute(order), { id: 's-2', command: submit })
  await page.waitForURL('**/thanks')
  const sent = pages.site.received.filter(({ method }) => method === 'POST')
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ path: '/thanks', type: expect.stringMatching(/^multipart/) })
  for (const [name, value] of [
    ['csrf', 'token-of-the-page'],
    ['name', 'Ada'],
    ['topic', 'o'],
    ['copy', 'yes'],
  ])
    expect(sent[0]?.body).toContain(`name="${name}"\r\n\r\n${value}\r\n`)
  // The tab has left and another page of the site is there: the same id is not sent again.
  expect(await execute(page, submit, 's-2')).toEqual({
    type: 'result',
    id: 's-2',
    value: { url: `${pages.site.origin}/thanks`, repeated: true },
  })
  expect(pages.site.received.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('a form without method is sent with GET, without validation only where that is asked for', async () => {
  const page = await openSite()
  await execute(page, { do: 'fillField', selector: '#search [name=q]', value: 'red & white' })
  const frame = await widgetOf(page)
  await frame.evaluate((order) => void window.link.execute(order), {
    id: 's-3',
    command: { do: 'submitForm', formSelector: '#search', validate: true },
  } as const)
  await page.waitForURL('**/roses?q=red+%26+white')
})

test('passwords, payment details and what the page hides are left to the visitor', async () => {
  const page = await openSite()
  for (const selector of ['#password', '#card', '[name=csrf]', '#trap', 'main'])
    expect(await execute(page, { do: 'fillField', selector, value: 'x' }), selector).toMatchObject({
      type: 'error',
      code: 'not_allowed',
    })
  expect(await page.inputValue('#password')).toBe('')
  expect(await page.inputValue('#card')).toBe('')
  pages.site.received.length = 0
  for (const formSelector of ['#pay', '#login'])
    expect(
      await execute(page, { do: 'submitForm', formSelector, validate: true }),
      formSelector,
    ).toMatchObject({ type: 'error', code: 'not_allowed' })
  expect(pages.site.received).toEqual([])
})

test('two tabs of one visitor each have a bridge of their own', async () => {
  const context = await browser.newContext()
  const one = await openTab(context, `${pages.site.origin}/`)
  const other = await openTab(context, `${pages.site.origin}/`)
  await execute(one, { do: 'goto', path: '/roses' }, 'same-id')
  await one.waitForURL('**/roses')
  expect(other.url()).toBe(`${pages.site.origin}/`)
  expect(await execute(other, { do: 'goto', path: '/thanks' }, 'same-id')).not.toHaveProperty(
    'value.repeated',
  )
})

test.each([
  ['prefetch', 'prefetch'],
  // Under DevTools, and so under test, Chromium only fetches what it would render.
  ['prerender', 'prefetch;prerender'],
] as const)(
  'a page is loaded beforehand by %s, and opened without asking the site again',
  async (mode, purpose) => {
    const path = `/${mode}`
    const purposes: unknown[] = []
    pages.site.pages.set(path, (request, response) => {
      purposes.push(request.headers['sec-purpose'])
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Next</title>')
    })
    const page = await openSite('/with-nonce')
    const states = await watchPreloading(page)
    await execute(page, { do: 'prefetch', urls: [path], mode })
    const rules = await page.locator('script[type=speculationrules]').allTextContents()
    expect(rules.map((text) => JSON.parse(text))).toEqual([
      {
        [mode]: [{ source: 'list', urls: [`${pages.site.origin}${path}`], eagerness: 'immediate' }],
      },
    ])
    await expect.poll(() => states, PATIENT).toContain(`prefetch ${path} Ready`)
    await expect.poll(() => states.join(), PATIENT).toContain(`${mode} ${path}`)
    await execute(page, { do: 'goto', path })
    await page.waitForURL(`**${path}`, PATIENT)
    expect(await page.title()).toBe('Next')
    // The only request was made before the visitor asked for the page.
    expect(purposes).toEqual([purpose])
  },
)

/** What Chromium does with the rules of a page: `prefetch /roses Ready`. */
async function watchPreloading(page: Page): Promise<readonly string[]> {
  const states: string[] = []
  const session = await page.context().newCDPSession(page)
  const pathOf = (url: string) => new URL(url).pathname
  session.on('Preload.prefetchStatusUpdated', ({ prefetchUrl, status }) =>
    states.push(`prefetch ${pathOf(prefetchUrl)} ${status}`),
  )
  session.on('Preload.prerenderStatusUpdated', ({ key, status }) =>
    states.push(`prerender ${pathOf(key.url)} ${status}`),
  )
  await session.send('Preload.enable')
  return states
}

test('the widget loads when the visitor reaches for it, and at once in a tab that has opened it', async () => {
  const page = await openSite()
  const launcher = page.getByRole('button', { name: 'Assistant' })
  const frame = page.locator('iframe')
  await launcher.waitFor()
  expect(await frame.count()).toBe(0)
  await launcher.focus()
  await widgetOf(page)
  expect(await launcher.isVisible()).toBe(true)
  expect(await frame.isVisible()).toBe(false)
  await launcher.press('Enter')
  await frame.waitFor()
  expect(await launcher.count()).toBe(0)

  await page.goto(`${pages.site.origin}/roses`)
  await frame.waitFor()
  expect(await launcher.count()).toBe(0)
})

test('a policy that knows scripts by their nonce alone is enough', async () => {
  const { site, widget, tag } = pages
  site.pages.set('/nonce', (_, response) => {
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy': `default-src 'none'; script-src 'nonce-abc'; frame-src ${widget.origin}`,
      })
      .end(`<!doctype html><title>Page</title>${tag.replace('defer', 'nonce="abc" defer')}`)
  })
  const page = await openTab(await browser.newContext(), `${site.origin}/nonce`)
  expect(await execute(page, { do: 'clearHighlights' })).toMatchObject({ type: 'result' })
  await page.context().close()
})

test('a script that does not load is loaded again', async () => {
  const page = await (await browser.newContext()).newPage()
  await hurry(page)
  await page.route('**/site/frame.js', (route) => route.abort('internetdisconnected'), { times: 1 })
  const refused = page.waitForEvent('requestfailed')
  await page.goto(`${pages.site.origin}/`)
  await page.getByRole('button', { name: 'Assistant' }).focus()
  await refused
  await page.locator('iframe').waitFor({ state: 'attached' })
  await page.context().close()
})

test('a page that is busy with its pictures all the time shows the button too', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript(() => {
    requestAnimationFrame(function draw() {
      const end = performance.now() + 40
      while (performance.now() < end);
      requestAnimationFrame(draw)
    })
  })
  await page.goto(`${pages.site.origin}/`)
  await page.getByRole('button', { name: 'Assistant' }).waitFor()
  await page.context().close()
})

test('a widget that does not answer within 5 s is removed, and opens when it is loaded again', async () => {
  const page = await (await browser.newContext()).newPage()
  await hurry(page)
  // The network is cut while the widget is loaded.
  await page.route('**/site/widget?*', (route) => route.abort('internetdisconnected'))
  await page.goto(`${pages.site.origin}/`)
  const frames = page.locator('iframe')
  // Not by the mouse: the button is removed soon after the pointer has entered it.
  await page.getByRole('button', { name: 'Assistant' }).dispatchEvent('click')
  await frames.waitFor({ state: 'attached' })
  expect(await frames.isVisible()).toBe(false)
  await expect.poll(() => frames.count()).toBe(0)
  await page.unroute('**/site/widget?*')
  expect(await execute(page, { do: 'clearHighlights' })).toMatchObject({ type: 'result' })
  // The visitor has clicked once, and need not click again.
  await expect.poll(async () => (await frames.boundingBox())?.width).toBe(400)
  await page.context().close()
})

test('a tool of a page that the browser knows no tools of is not supported', async () => {
  const page = await (await browser.newContext()).newPage()
  await hurry(page)
  const { origin } = pages.site
  await page.goto(`${origin}/roses`)
  expect(
    await execute(page, { do: 'callTool', origin, definition: '{}', input: {} }),
  ).toMatchObject({ type: 'error', code: 'unsupported' })
})
