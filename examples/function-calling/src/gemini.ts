import { endpoint } from './endpoint.ts'
import { WISH } from './shop.ts'
import { createChat, post, type Talk } from './talk.ts'

type Content = {
  readonly candidates: readonly [
    { readonly content: { readonly parts: readonly { readonly text?: string }[] } },
  ]
}

/** Gemini: the model's parts are appended to the contents unchanged, signatures included. */
export async function talkToGemini(talk: Talk) {
  const real = {
    url: 'https://generativelanguage.googleapis.com',
    keyName: 'GEMINI_API_KEY',
    model: 'gemini-2.5-flash',
  }
  const { url, key, model, label, close } = await endpoint(real)
  talk.say(`Asking ${label}`)
  const { shop, calling, answer } = createChat('gemini', talk)
  const contents: unknown[] = [{ role: 'user', parts: [{ text: WISH }] }]
  const method = talk.delivery === 'streamed' ? 'streamGenerateContent?alt=sse' : 'generateContent'
  for (;;) {
    const body = { contents, tools: await calling.tools() }
    const headers = { 'x-goog-api-key': key }
    const response = await post({
      provider: 'gemini',
      url: `${url}/v1beta/models/${model}:${method}`,
      headers,
      body,
      delivery: talk.delivery,
    })
    const { content } = (response as Content).candidates[0]
    const results = await answer(response)
    contents.push(content, ...results)
    if (results.length > 0) continue
    await close()
    return { shop, text: content.parts.map(({ text = '' }) => text).join('') }
  }
}

if (import.meta.main)
  console.log((await talkToGemini({ delivery: 'streamed', say: console.log })).text)
