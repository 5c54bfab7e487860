import { endpoint } from './endpoint.ts'
import { WISH } from './shop.ts'
import { createChat, post, type Talk } from './talk.ts'

type Message = { readonly content: readonly { readonly type: string; readonly text?: string }[] }

const MAX_TOKENS = 1_024

/** Messages API: all results of a turn go into one message with the role `user`. */
export async function talkToAnthropic(talk: Talk) {
  const real = {
    url: 'https://api.anthropic.com',
    keyName: 'ANTHROPIC_API_KEY',
    model: 'claude-sonnet-4-5',
  }
  const { url, key, model, label, close } = await endpoint(real)
  talk.say(`Asking ${label}`)
  const { shop, calling, answer } = createChat('anthropic', talk)
  const messages: unknown[] = [{ role: 'user', content: WISH }]
  for (;;) {
    const asked = { model, max_tokens: MAX_TOKENS, messages, tools: await calling.tools() }
    const body = { ...asked, ...(talk.delivery === 'streamed' ? { stream: true } : {}) }
    const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    const message = await post({
      provider: 'anthropic',
      url: `${url}/v1/messages`,
      headers,
      body,
      delivery: talk.delivery,
    })
    const { content } = message as Message
    const results = await answer(message)
    messages.push({ role: 'assistant', content }, ...results)
    if (results.length > 0) continue
    await close()
    return { shop, text: content.map(({ text = '' }) => text).join('') }
  }
}

if (import.meta.main)
  console.log((await talkToAnthropic({ delivery: 'streamed', say: console.log })).text)
