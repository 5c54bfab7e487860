import { ToolError } from '@surehand/core'
import type { VendorAccess } from '@surehand/vendors'
import { createResponse } from '../../discovery/engines/openai-responses.ts'
import { ANSWER_SCHEMA } from './model-answer.ts'
import type { ReplyModel, ReplyQuestion } from './reply-model.ts'
import { describeQuestion, READING_INSTRUCTIONS } from './write-question.ts'

/** Reads replies by OpenAI's Responses API with a structured output. */
export function openAiModel(access: VendorAccess & { readonly model: string }): ReplyModel {
  return {
    name: `openai:${access.model}`,
    async read({ tenant, question }, signal) {
      const body = writeReadingBody(access.model, question)
      const contents = await createResponse(access, { tenant, body }, signal)
      if (contents.some(({ type }) => type === 'refusal'))
        throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'OpenAI refused to read the reply.')
      return contents.map(({ text = '' }) => text).join('')
    },
  }
}

/**
 * The body of the request (developers.openai.com, guide "Structured outputs"): in strict mode the
 * model cannot write anything but the schema allows.
 */
export function writeReadingBody(model: string, question: ReplyQuestion) {
  return {
    model,
    instructions: READING_INSTRUCTIONS,
    input: describeQuestion(question),
    text: {
      format: { type: 'json_schema', name: 'reading', strict: true, schema: ANSWER_SCHEMA },
    },
  }
}
