import { ChatOpenAI } from '@langchain/openai'
import { type ModelScript, startModelEmulator } from '@surehand/testing'
import { modelScript } from './model-script.ts'

export type OpenedModel = {
  readonly model: ChatOpenAI
  readonly label: string
  readonly close: () => Promise<void>
}

const MODEL = 'gpt-5-mini'

/**
 * A model of OpenAI if there is an API key; otherwise an emulated one on this machine, which is
 * labelled as such.
 */
export async function openModel(
  environment: Readonly<Record<string, string | undefined>>,
  script: ModelScript = modelScript,
): Promise<OpenedModel> {
  const apiKey = environment.OPENAI_API_KEY
  if (apiKey !== undefined && apiKey !== '')
    return {
      model: new ChatOpenAI({ model: MODEL, apiKey }),
      label: MODEL,
      close: async () => undefined,
    }
  const emulator = await startModelEmulator({ script })
  const model = new ChatOpenAI({
    model: MODEL,
    apiKey: 'emulated',
    configuration: { baseURL: `${emulator.url}/v1` },
  })
  return { model, label: `${MODEL}, emulated: a script answers`, close: () => emulator.stop() }
}
