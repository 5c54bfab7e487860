import { lastResults, type ModelScript } from '@surehand/testing'

/** What stands in for a model where there is no key for one: it follows a few words, and is labelled as emulated wherever it speaks. */
export const modelScript: ModelScript = (conversation) => {
  const results = lastResults(conversation)
  if (results.length > 0)
    return { text: results.map(({ text }) => `The shop says: ${text}`).join('\n') }
  const last = conversation.turns.at(-1)
  const said = last?.role === 'user' ? last.text : ''
  const [, product] = /(?:reserve|price of)\s+(?:an?\s+|the\s+)?(\w+)/i.exec(said) ?? []
  if (/reserve/i.test(said) && product !== undefined)
    return { calls: [{ name: 'shop__reserve', arguments: { product } }] }
  if (/price/i.test(said) && product !== undefined)
    return { calls: [{ name: 'shop__price', arguments: { product } }] }
  if (/close/i.test(said)) return { calls: [{ name: 'shop__closeAccount', arguments: {} }] }
  return { text: 'Try "price of the lamp", "reserve a lamp" or "close my account".' }
}
