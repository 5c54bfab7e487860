import { visibleText } from '@surehand/core/host'
import { edgeError, readForm } from '@surehand/edge'
import type { HttpContext } from '../http-env.ts'
import {
  type NotificationForm,
  type NotificationView,
  notificationForm,
  pushSubscription,
  type TestedChannel,
} from '../notification-settings.ts'
import { requireNotifications } from '../routes/notifications.ts'
import { type Html, html } from './html.ts'
import { page } from './page.ts'
import { renderText } from './render-value.ts'
import {
  askToSignIn,
  findSignedInPerson,
  type Pages,
  type SignedInPerson,
  verifyFormSeal,
} from './signed-in-person.ts'

const PATH = '/notifications'
const SEAL = 'notifications'
const FORM_BYTES = 65_536

/** `GET /notifications`: how the person hears of what waits for them. */
export async function showNotifications(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const view = await requireNotifications(pages.surface).get(person.caller)
  return settingsResponse(view, person, pages, {})
}

/** `POST /notifications`: the forms of that page, each with the name of its action. */
export async function submitNotifications(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined)
    return askToSignIn(
      context,
      'Your session has expired, and nothing was changed. Sign in and change it again.',
    )
  const { surface } = pages
  const form = await readForm(context.get('request'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
    clock: surface.clock,
  })
  verifyFormSeal(form, person, SEAL, pages)
  const { caller } = person
  const api = requireNotifications(surface)
  switch (form.get('action')) {
    case 'save': {
      const read = notificationForm().safeParse(readSettings(form))
      const view = read.success ? await api.set(caller, read.data) : await api.get(caller)
      const problems = read.error?.issues.map(({ path, message }) => `${path.join(' ')} ${message}`)
      const result = read.success ? { saved: true } : { problems: problems ?? [] }
      return settingsResponse(view, person, pages, result)
    }
    case 'subscribe': {
      const device = pushSubscription().parse(JSON.parse(form.get('subscription') ?? ''))
      return settingsResponse(await api.subscribe(caller, device), person, pages, { saved: true })
    }
    case 'unsubscribe': {
      const view = await api.unsubscribe(caller, form.get('device') ?? '')
      return settingsResponse(view, person, pages, { saved: true })
    }
    case 'test': {
      const tested = await api.test(caller)
      return settingsResponse(await api.get(caller), person, pages, { tested })
    }
    default:
      throw edgeError('malformed', 'The form names no action. Open the page again.')
  }
}

// An empty field removes the channel. Slack's address is a password: it is not shown again, and a
// field that stays empty keeps it, unless the person removes it.
function readSettings(form: URLSearchParams): NotificationForm {
  const text = (name: string): string => (form.get(name) ?? '').trim()
  const slack = text('slack')
  const target = /^https?:/.test(slack) ? { webhook_url: slack } : { user: slack }
  return {
    email: text('email') || null,
    webhook_url: text('webhook_url') || null,
    requests: text('requests') === 'all' ? 'all' : 'mine',
    action_links: form.get('action_links') !== null,
    ...(form.get('remove_slack') === null
      ? slack === ''
        ? {}
        : { slack: target }
      : { slack: null }),
  }
}

type Result = {
  readonly saved?: boolean
  readonly problems?: readonly string[]
  readonly tested?: readonly TestedChannel[]
}

function settingsResponse(
  view: NotificationView,
  person: SignedInPerson,
  { surface, sessions }: Pages,
  result: Result,
): Response {
  const seal = sessions.seal(person.session, SEAL)
  const body = html`<main>
<h1>Notifications</h1>
<p>When a decision or a question waits for you, this server writes to the channels below. A message only leads to the page where you decide.</p>
${resultNote(view, result)}
<form method="post" action="${PATH}">
<input type="hidden" name="seal" value="${seal}"><input type="hidden" name="action" value="save">
<label for="email">E-mail</label><input type="email" id="email" name="email" value="${view.email ?? ''}" autocomplete="email">
<label for="slack">Slack</label>
<p class="hint" id="slack.hint">${view.slack === null ? undefined : html`Set: ${renderText(visibleText(view.slack))}. Leave the field empty to keep it. `}The address of an incoming webhook, or your member id, such as U024BE7LH.</p>
<input type="text" id="slack" name="slack" aria-describedby="slack.hint" autocomplete="off">
${view.slack === null ? undefined : checkbox('remove_slack', 'Remove Slack', false)}
<label for="webhook_url">Your own webhook</label>
<input type="url" id="webhook_url" name="webhook_url" value="${view.webhook_url ?? ''}" autocomplete="off">
<fieldset class="choices"><legend>Which requests</legend>
${radio('mine', 'My own, and those that need an approver like me', view.requests)}
${radio('all', "Everyone's, if I may decide them", view.requests)}</fieldset>
<fieldset class="choices"><legend>Links in messages</legend>
${checkbox('action_links', 'With a link that denies, or approves what can be undone, without signing in', view.action_links)}</fieldset>
<div class="answers"><button class="yes">Save</button></div>
</form>
<h2>Browsers</h2>
${devices(view, seal)}
<form method="post" action="${PATH}" data-push="${requireNotifications(surface).pushKey}" hidden>
<input type="hidden" name="seal" value="${seal}"><input type="hidden" name="action" value="subscribe"><input type="hidden" name="subscription" value="">
<div class="answers"><button>Notify this browser</button></div></form>
<noscript><p class="small">To add this browser, allow scripts for this page.</p></noscript>
<h2>Try it</h2>
<form method="post" action="${PATH}"><input type="hidden" name="seal" value="${seal}"><input type="hidden" name="action" value="test"><div class="answers"><button>Send a test message</button></div></form>
<p class="small">Signed in as ${renderText(visibleText(person.caller.principal))}.</p>
</main>`
  const status = result.problems === undefined ? 200 : 400
  return page(body, { title: 'Notifications', script: 'push', status })
}

function resultNote(view: NotificationView, { saved, problems, tested }: Result): Html | undefined {
  if (problems !== undefined)
    return html`<div class="danger" role="alert"><p>Nothing was changed.</p><ul>${problems.map((problem) => html`<li>${renderText(visibleText(problem))}</li>`)}</ul></div>`
  const secret = view.webhook_secret
  if (secret !== undefined)
    return html`<div class="done" role="status"><p>Saved. Messages to your webhook are signed with this secret. It is shown only this once:</p><pre><code>${secret}</code></pre></div>`
  if (saved) return html`<div class="done" role="status"><p>Saved.</p></div>`
  if (tested === undefined) return undefined
  const rows = tested.map(
    ({ channel, sent, trouble }) =>
      html`<li>${channel}: ${sent ? 'sent' : renderText(visibleText(trouble ?? 'not sent'))}</li>`,
  )
  return html`<div class="note" role="status">${rows.length === 0 ? html`<p>There is no channel yet.</p>` : html`<ul>${rows}</ul>`}</div>`
}

function devices({ devices: known }: NotificationView, seal: string): Html {
  if (known.length === 0) return html`<p>No browser is notified.</p>`
  const rows = known.map(
    ({ id, name, service }) =>
      html`<li>${renderText(visibleText(name))} <span class="small">(${service})</span><form method="post" action="${PATH}"><input type="hidden" name="seal" value="${seal}"><input type="hidden" name="action" value="unsubscribe"><input type="hidden" name="device" value="${id}"><div class="answers"><button>Remove ${renderText(visibleText(name))}</button></div></form></li>`,
  )
  return html`<ul class="list">${rows}</ul>`
}

function radio(value: string, label: string, chosen: string): Html {
  return html`<label class="choice" for="requests.${value}"><input type="radio" id="requests.${value}" name="requests" value="${value}"${value === chosen ? html` checked` : undefined}>${label}</label>`
}

function checkbox(name: string, label: string, isChecked: boolean): Html {
  return html`<label class="choice" for="${name}"><input type="checkbox" id="${name}" name="${name}"${isChecked ? html` checked` : undefined}>${label}</label>`
}
