import { lastResults, type ModelScript, startModelEmulator } from '@surehand/testing'

/** The API of a model. */
export type Endpoint = {
  readonly url: string
  readonly key: string
  readonly model: string
  readonly label: string
  readonly close: () => Promise<void>
}

type Real = { readonly url: string; readonly keyName: string; readonly model: string }

/**
 * The vendor's API if its key is in the environment; otherwise an emulator on this machine, which
 * the label says.
 */
export async function endpoint({ url, keyName, model }: Real): Promise<Endpoint> {
  const key = process.env[keyName]
  const chosen = process.env.MODEL ?? model
  if (key !== undefined && key !== '')
    return { url, key, model: chosen, label: `${chosen} at ${url}`, close: async () => undefined }
  const emulator = await startModelEmulator({ script: modelScript })
  const label = `an EMULATED model: a script answers (set ${keyName} to use ${model})`
  return { url: emulator.url, key: 'emulated', model, label, close: emulator.stop }
}

/**
 * The script of the emulated model: two calls at once, a write, and a call that requires approval.
 */
const modelScript: ModelScript = (conversation) => {
  const done = conversation.turns.filter(({ role }) => role === 'tool').length
  const [result] = lastResults(conversation)
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
        text: `Tea and coffee are priced, the tea is ordered, and the refund answered: ${result?.text}`,
      }
  }
}
