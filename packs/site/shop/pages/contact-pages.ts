import { z } from 'zod'
import { parse } from '../api/read-body.ts'
import { Refusal } from '../refusal.ts'
import { answerOnce } from '../store/answer-once.ts'
import { html } from '../web/html.ts'
import { readForm } from '../web/read-form.ts'
import { seeOther } from '../web/respond.ts'
import type { Visit } from '../web/route.ts'
import { field } from './field.ts'
import { formSecrets, renderPage } from './layout.ts'
import { alert } from './parts.ts'

const Message = z.object({
  name: z.string().min(1).max(120),
  email: z.email().max(254),
  text: z.string().min(1).max(4000),
})
const PICTURES = ['image/png', 'image/jpeg', 'image/webp']
const MAX_PICTURE_BYTES = 1024 * 1024

/**
 * The contact form. Its buttons override the form: the preview is a GET, and a picture needs
 * multipart.
 */
export function contactPage(visit: Visit, problem?: string): Response {
  const { url } = visit
  const value = (name: string) => url.searchParams.get(name) ?? undefined
  const main = html`<div class="wrap narrow"><header class="page-head"><h1>Write to us</h1><p class="lead">We answer between customers, mostly on the same day.</p></header>
${url.searchParams.has('sent') && html`<p class="good" role="status">Thank you. Your message has arrived.</p>`}${alert(problem)}
<form class="stack" action="/contact" method="post" data-action="contact.form">${formSecrets(visit)}
${field({ name: 'name', label: 'Name', action: 'contact.name', autocomplete: 'name', value: value('name'), maxlength: 120 })}
${field({ name: 'email', label: 'E-mail', action: 'contact.email', type: 'email', autocomplete: 'email', value: value('email') })}
<div class="field"><label for="text">Message</label><textarea id="text" name="text" rows="6" maxlength="4000" required data-action="contact.text">${value('text') ?? ''}</textarea></div>
<div class="field"><label for="picture">Picture <span class="small">(optional: a flower, a tear, a pattern)</span></label><input id="picture" name="picture" type="file" accept="${PICTURES.join(',')}" data-action="contact.picture"></div>
<p class="buttons"><button type="submit" data-action="contact.send">Send</button>
<button class="quiet" type="submit" formenctype="multipart/form-data" data-action="contact.sendWithPicture">Send with the picture</button>
<button class="quiet" type="submit" formmethod="get" formaction="/contact/preview" data-action="contact.preview">Preview</button></p></form></div>`
  return renderPage(visit, {
    title: 'Write to us',
    description: 'Questions about flowers, clothes and orders.',
    main,
    ...(problem !== undefined && { status: 400 }),
  })
}

export function contactPreviewPage(visit: Visit): Response {
  // The form's hidden fields come along with a GET. They are removed from the address bar.
  const clean = new URL(visit.url)
  for (const name of ['_csrf', '_key', 'picture']) clean.searchParams.delete(name)
  if (clean.href !== visit.url.href) return seeOther(clean.pathname + clean.search)
  const value = (name: string) => (visit.url.searchParams.get(name) ?? '').slice(0, 4000)
  const main = html`<div class="wrap narrow"><header class="page-head"><h1>Preview</h1></header>
<article class="letter-preview"><p class="small">From ${value('name')}, ${value('email')}</p><p class="pre">${value('text')}</p></article>
<form class="stack" action="/contact" method="post" data-action="contact.form">${formSecrets(visit)}<input type="hidden" name="name" value="${value('name')}"><input type="hidden" name="email" value="${value('email')}"><input type="hidden" name="text" value="${value('text')}"><p class="buttons"><button type="submit" data-action="contact.send">Send</button> <a href="/contact" data-action="nav.open">Back</a></p></form></div>`
  return renderPage(visit, { title: 'Preview', description: '', main, isPrivate: true })
}

export async function submitMessage(visit: Visit): Promise<Response> {
  const { shop } = visit
  const form = await readForm(visit)
  try {
    const message = parse(
      Message,
      { name: form.text('name'), email: form.text('email'), text: form.text('text') },
      'message',
    )
    const picture = form.file('picture')
    if (
      picture !== undefined &&
      (!PICTURES.includes(picture.type) || picture.size > MAX_PICTURE_BYTES)
    )
      throw new Refusal('invalid_request', 'A picture is a PNG, JPEG or WebP of at most 1 MB.')
    answerOnce(shop, { key: form.key, request: '/contact' }, () => {
      shop.store.run(
        `insert into messages (message_id, name, email, text, file_name, file_bytes, created_at)
         values (?, ?, ?, ?, ?, ?, ?)`,
        shop.newId('message'),
        message.name,
        message.email,
        message.text,
        picture?.name.slice(0, 200) ?? null,
        picture?.size ?? null,
        shop.now(),
      )
      return { status: 303, body: null }
    })
    return seeOther('/contact?sent=1')
  } catch (thrown) {
    if (thrown instanceof Refusal) return contactPage(visit, thrown.message)
    throw thrown
  }
}

export async function subscribe(visit: Visit): Promise<Response> {
  const form = await readForm(visit)
  const email = parse(z.email().max(254), form.text('email'), 'email')
  visit.shop.store.run(
    'insert into subscribers (email, created_at) values (?, ?) on conflict do nothing',
    email.toLowerCase(),
    visit.shop.now(),
  )
  return seeOther('/newsletter')
}

export function subscribedPage(visit: Visit): Response {
  const main = html`<div class="wrap narrow"><h1>You are on the list</h1><p class="lead">The next letter comes on the first of the month. As this is a demo, it does not.</p><p><a class="button" href="/" data-action="nav.home">Back to the shop</a></p></div>`
  return renderPage(visit, { title: 'Subscribed', description: '', main, isPrivate: true })
}
