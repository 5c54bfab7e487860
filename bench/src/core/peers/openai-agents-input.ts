import { z } from 'zod'
import { cartInput } from '../tool.ts'

/** OpenAI's strict mode has no optional fields, only nullable ones. */
export const openAiInput = cartInput.extend({ notes: z.string().max(400).nullable() })
