import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import { geminiAccess, openAiAccess } from '../../discovery/engines/engine-access.ts'
import { readMarketSettings } from '../../market-settings.ts'
import { geminiModel } from './gemini-model.ts'
import { openAiModel } from './openai-model.ts'
import type { ReplyModel } from './reply-model.ts'

type Given = Pick<PackGiven, 'setting' | 'secret' | 'fetch'>

/** The model that the operator has set; undefined where replies are read without one. */
export function chooseReplyModel(given: Given): ReplyModel | undefined {
  const { replyModel } = readMarketSettings(given.setting)
  if (replyModel === undefined) return undefined
  const { engine, model } = replyModel
  const access = engine === 'openai' ? openAiAccess(given) : geminiAccess(given)
  if (access === undefined) return modelWithoutKey(`${engine}:${model}`)
  return engine === 'openai' ? openAiModel({ ...access, model }) : geminiModel({ ...access, model })
}

// It fails at each reply, so that every timeline says why no model has read it.
function modelWithoutKey(name: string): ReplyModel {
  return {
    name,
    read: async () => {
      throw new ToolError('TOOL_CONFIGURATION_ERROR', `The key for ${name} is not set.`)
    },
  }
}
