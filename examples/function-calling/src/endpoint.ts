import { lastResults, type ModelScript, startModelEmulator } from '@surehand/testing'

/** Where a model is asked. */
export type Endpoint = {
  readonly url: string
  readonly key: string
  readonly model: string
  readonly label: string
  readonly close: () => Promise<void>
}

type Real = { readonly url: string; readonly keyName: string; readonly model: string }

/** The vendor's own API where its key is in the environment; otherwise an emulator on this machine, which says so. */
export async function endpoint({ url, keyName, model }: Real): Promise<Endpoint> {
  const key = process.env[keyName]
  const chosen = process.env.MODEL ?? model
  if (key !== undefined && key !== '')
    return { url, key, model: chosen, label: `${chosen} at ${url}`, close: async () => undefined }
  const emulator = await startModelEmulator({ script: modelScript })
  const label = `an EMULATED model: its words are a script, no model was asked (set ${keyName} to ask ${model})`
  return { url: emulator.url, key: 'emulated', model, label, close: emulator.stop }
}

/** What the emulated model wants, one step after the other: two calls at once, a write, and one that a person has to agree to. */
const modelScript: ModelScript = (conversation) => {
  const done = conversation.turns.filter(({ role }) => role === 'tool').length
  const [told] = lastResults(conversation)
  switch (done) {
    case 0:
      return {
        calls: [
          { name: 'shop__price', arguments: { drink: 'tea' } },
          { name: 'shop__price', arguments: { drink: 'coffee' } },
        ],
      }
    case 1:
      return {
        calls: [{ name: 'shop__order', arguments: { drink: 'tea', cups: 2 } }],
        text: 'Ordering the tea.',
      }
    case 2:
      return { calls: [{ name: 'shop__refund', arguments: { order: 7 } }] }
    default:
      return {
        text: `Tea and coffee are priced, the tea is ordered, and about the refund I was told: ${told?.text}`,
      }
  }
}
