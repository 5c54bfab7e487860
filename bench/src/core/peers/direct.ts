import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, type CartInput, type CartOutput } from '../tool.ts'

export const direct: Start = async () =>
  subject({
    payload: (input) => input as CartInput,
    call: (input) => addToCart(input),
    output: (answer: CartOutput) => answer,
  })
