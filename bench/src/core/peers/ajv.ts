import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, type CartInput, type CartOutput, cartInput, cartOutput } from '../tool.ts'

export const ajvCompiled: Start = async () => {
  // Zod's JSON Schema repeats each format as a pattern, so the address is checked without ajv-formats.
  const ajv = new Ajv2020({ validateFormats: false })
  const isInput = ajv.compile<CartInput>(z.toJSONSchema(cartInput, { io: 'input' }))
  const isOutput = ajv.compile<CartOutput>(z.toJSONSchema(cartOutput))
  return subject({
    payload: (input): unknown => input,
    call: async (input) => {
      if (!isInput(input)) throw new Error(ajv.errorsText(isInput.errors))
      const output: unknown = await addToCart(input)
      if (!isOutput(output)) throw new Error(ajv.errorsText(isOutput.errors))
      return output
    },
    output: (answer) => answer,
  })
}
