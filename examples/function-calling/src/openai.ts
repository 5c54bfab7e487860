import { endpoint } from './endpoint.ts'
import { WISH } from './shop.ts'
import { createChat, post, type Talk } from './talk.ts'

type Completion = {
  readonly choices: readonly [{ readonly message: { readonly content: string | null } }]
}

/** Chat completions: messages are appended until the model calls nothing more. */
export async function talkToOpenai(talk: Talk) {
  const { url, key, model, label, close } = await endpoint({
    url: 'https://api.openai.com',
    keyName: 'OPENAI_API_KEY',
    model: 'gpt-5-mini',
  })
  talk.say(`Asking ${label}`)
  const { shop, calling, answer } = createChat('openai-chat', talk)
  const messages: unknown[] = [{ role: 'user', content: WISH }]
  for (;;) {
    const body = {
      model,
      messages,
      tools: await calling.tools(),
      ...(talk.delivery === 'streamed' ? { stream: true } : {}),
    }
    const headers = { authorization: `Bearer ${key}` }
    const completion = await post({
      provider: 'openai-chat',
      url: `${url}/v1/chat/completions`,
      headers,
      body,
      delivery: talk.delivery,
    })
    const { message } = (completion as Completion).choices[0]
    const results = await answer(completion)
    messages.push(message, ...results)
    if (results.length > 0) continue
    await close()
    return { shop, text: message.content ?? '' }
  }
}

if (import.meta.main)
  console.log((await talkToOpenai({ delivery: 'streamed', say: console.log })).text)
