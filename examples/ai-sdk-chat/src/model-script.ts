import { lastResults, type ModelScript } from '@surehand/testing'

/**
 * The script of the emulated model that is used without an API key: it reacts to a few words, and
 * its answers are labelled as emulated.
 */
export const modelScript: ModelScript = (conversation) => {
  const results = lastResults(conversation)
  if (results.length > 0)
    return { text: results.map(({ text }) => `The shop says: ${text}`).join('\n') }
  const last = conversation.turns.at(-1)
  const text = last?.role === 'user' ? last.text : ''
  const [, product] = /(?:reserve|price of)\s+(?:an?\s+|the\s+)?(\w+)/i.exec(text) ?? []
  if (/reserve/i.test(text) && product !== undefined)
    return { calls: [{ name: 'shop__reserve', arguments: { product } }] }
  if (/price/i.test(text) && product !== undefined)
    return { calls: [{ name: 'shop__price', arguments: { product } }] }
  if (/close/i.test(text)) return { calls: [{ name: 'shop__closeAccount', arguments: {} }] }
  return { text: 'Try "price of the lamp", "reserve a lamp" or "close my account".' }
}
