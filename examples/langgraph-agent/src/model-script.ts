import { lastResults, type ModelScript } from '@surehand/testing'

/**
 * The script of the emulated model: it looks up the price, orders, and repeats the answer of the
 * shop.
 */
export const modelScript: ModelScript = (conversation) => {
  const [result] = lastResults(conversation)
  if (result === undefined)
    return { calls: [{ name: 'shop__price', arguments: { flower: 'roses' } }] }
  if (result.name === 'shop__price')
    return { calls: [{ name: 'shop__order', arguments: { flower: 'roses', stems: 24 } }] }
  return { text: `The shop says: ${result.text.split('\n')[0]}` }
}
