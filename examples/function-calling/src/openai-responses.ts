import { endpoint } from './endpoint.ts'
import { WISH } from './shop.ts'
import { createChat, post, type Talk } from './talk.ts'

type Item = { readonly type: string; readonly content?: readonly { readonly text?: string }[] }

/** Responses API: the output is appended to the input, followed by the results of the calls. */
export async function talkToResponses(talk: Talk) {
  const { url, key, model, label, close } = await endpoint({
    url: 'https://api.openai.com',
    keyName: 'OPENAI_API_KEY',
    model: 'gpt-5-mini',
  })
  talk.say(`Asking ${label}`)
  const { shop, calling, answer } = createChat('openai-responses', talk)
  const input: unknown[] = [{ role: 'user', content: WISH }]
  for (;;) {
    const body = {
      model,
      input,
      tools: await calling.tools(),
      ...(talk.delivery === 'streamed' ? { stream: true } : {}),
    }
    const headers = { authorization: `Bearer ${key}` }
    const response = await post({
      provider: 'openai-responses',
      url: `${url}/v1/responses`,
      headers,
      body,
      delivery: talk.delivery,
    })
    const { output } = response as { readonly output: readonly Item[] }
    const results = await answer(response)
    input.push(...output, ...results)
    if (results.length > 0) continue
    await close()
    const message = output.find(({ type }) => type === 'message')
    return { shop, text: (message?.content ?? []).map(({ text = '' }) => text).join('') }
  }
}

if (import.meta.main)
  console.log((await talkToResponses({ delivery: 'streamed', say: console.log })).text)
