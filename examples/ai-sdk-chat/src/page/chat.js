import { foldChunk } from './fold-chunk.js'

// One id for the whole chat: it makes a call that is posted twice the same call.
const id = crypto.randomUUID()
let messages = []

const byId = (name) => document.getElementById(name)

byId('say').addEventListener('submit', (event) => {
  event.preventDefault()
  const text = byId('text').value
  byId('text').value = ''
  messages = [
    ...messages,
    { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] },
  ]
  post()
})

async function post() {
  show('')
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, messages }),
  })
  if (!response.ok) return show(await response.text())
  const last = messages.at(-1)
  // After an approval or a denial, the answer continues in the message with the approval request.
  const message =
    last.role === 'assistant' ? structuredClone(last) : { id: '', role: 'assistant', parts: [] }
  const before = last.role === 'assistant' ? messages.slice(0, -1) : messages
  for await (const chunk of chunksOf(response)) {
    if (chunk.type === 'error') return show(chunk.errorText)
    foldChunk(message, chunk)
    messages = [...before, message]
    show('')
  }
}

async function* chunksOf(response) {
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n')
    rest = events.pop()
    for (const event of events) {
      const data = event.startsWith('data: ') ? event.slice(6) : '[DONE]'
      if (data !== '[DONE]') yield JSON.parse(data)
    }
  }
}

function decide(part, approved) {
  messages = messages.map((message) => ({
    ...message,
    parts: message.parts.map((each) =>
      each.toolCallId === part.toolCallId
        ? { ...each, state: 'approval-responded', approval: { ...each.approval, approved } }
        : each,
    ),
  }))
  // The SDK continues once every approval request of the message is answered.
  if (!messages.at(-1).parts.some(({ state }) => state === 'approval-requested')) post()
  else show('')
}

function show(trouble) {
  byId('trouble').textContent = trouble
  byId('messages').replaceChildren(...messages.map(messageView))
}

function messageView(message) {
  const section = element('section', { className: message.role })
  const name =
    message.role === 'user'
      ? 'You'
      : `The model${message.metadata?.model ? ` (${message.metadata.model})` : ''}`
  section.append(element('h2', { textContent: name }), ...message.parts.flatMap(partView))
  return section
}

function partView(part) {
  if (part.type === 'text') return [element('p', { textContent: part.text })]
  if (part.type !== 'dynamic-tool') return []
  if (part.state === 'approval-requested') return [approvalView(part)]
  const results = {
    'output-available': part.output?.text ?? JSON.stringify(part.output?.data),
    'output-error': part.errorText,
    'output-denied': 'You denied it.',
  }
  return [
    element('pre', {
      className: 'tool',
      textContent: `${part.toolName}: ${results[part.state] ?? '…'}`,
    }),
  ]
}

function approvalView(part) {
  const lines = (part.approval.requestReason ?? '').split('\n')
  // The last line is a reference for the server.
  const text = lines.slice(0, -1).join('\n')
  const box = element('fieldset', { className: 'approval' })
  box.append(element('legend', { textContent: lines[0] }), element('pre', { textContent: text }))
  const [url] = /http:\S+/.exec(text) ?? []
  const isHere = !text.includes('not in this chat')
  if (url && !isHere)
    box.append(element('a', { href: url, target: '_blank', textContent: 'Decide it there' }))
  box.append(
    element('button', {
      className: 'yes',
      textContent: isHere ? 'Yes, do it' : 'I have decided',
      onclick: () => decide(part, true),
    }),
    element('button', { className: 'no', textContent: 'No', onclick: () => decide(part, false) }),
  )
  return box
}

function element(tag, properties) {
  return Object.assign(document.createElement(tag), properties)
}
