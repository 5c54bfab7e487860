import type { VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import { generateContent } from '../../discovery/engines/gemini-generate.ts'
import { ANSWER_SCHEMA } from './model-answer.ts'
import type { ReplyModel } from './reply-model.ts'
import { describeQuestion, READING_INSTRUCTIONS } from './write-question.ts'

const Candidate = z.object({
  content: z
    .object({
      parts: z.array(z.object({ text: z.string().default(''), thought: z.boolean().optional() })),
    })
    .optional(),
})

/** Reads replies by Gemini's generateContent with a structured output (ai.google.dev). */
export function geminiModel(access: VendorAccess & { readonly model: string }): ReplyModel {
  return {
    name: `gemini:${access.model}`,
    async read({ tenant, question }, signal) {
      const body = {
        systemInstruction: { parts: [{ text: READING_INSTRUCTIONS }] },
        contents: [{ role: 'user', parts: [{ text: describeQuestion(question) }] }],
        generationConfig: {
          responseMimeType: 'application/json',
          responseJsonSchema: ANSWER_SCHEMA,
        },
      }
      const order = { tenant, body, candidate: Candidate }
      const parts = (await generateContent(access, order, signal))?.content?.parts ?? []
      return parts.flatMap(({ text, thought }) => (thought === true ? [] : [text])).join('')
    },
  }
}
