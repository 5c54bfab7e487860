import { z } from 'zod'
import { type Start, type Subject, subject } from '../../harness/contender.ts'
import { addToCart, cartInput, cartOutput } from '../tool.ts'

export const zodCompiled: Start = async () =>
  validating(z.compile(cartInput, { strict: true }), z.compile(cartOutput, { strict: true }))

export const zodPlain: Start = async () => validating(cartInput, cartOutput)

function validating(input: typeof cartInput, output: typeof cartOutput): Subject {
  return subject({
    payload: (value) => value,
    call: async (value) => {
      const parsed = input.safeParse(value)
      if (!parsed.success) throw parsed.error
      const checked = output.safeParse(await addToCart(parsed.data))
      if (!checked.success) throw checked.error
      return checked.data
    },
    output: (answer) => answer,
  })
}
