import { createOpenAI } from '@ai-sdk/openai'
import { startModelEmulator } from '@surehand/testing'
import type { LanguageModel } from 'ai'
import { modelScript } from './model-script.ts'

export type OpenedModel = {
  readonly model: LanguageModel
  readonly label: string
  readonly close: () => Promise<void>
}

const MODEL = 'gpt-5-mini'

/**
 * A model of OpenAI if there is an API key; otherwise an emulator of its API on this machine, with
 * a script instead of a model.
 */
export async function openModel(apiKey: string | undefined): Promise<OpenedModel> {
  if (apiKey !== undefined && apiKey !== '')
    return { model: createOpenAI({ apiKey })(MODEL), label: MODEL, close: async () => undefined }
  const emulator = await startModelEmulator({ script: modelScript })
  const openai = createOpenAI({ apiKey: 'emulated', baseURL: `${emulator.url}/v1` })
  return {
    model: openai(MODEL),
    label: `${MODEL}-emulated (no OPENAI_API_KEY: a script answers)`,
    close: () => emulator.stop(),
  }
}
