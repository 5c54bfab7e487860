import { randomBytes } from 'node:crypto'
import { openModel } from './open-model.ts'
import { openShop } from './shop.ts'
import { startChat } from './start-chat.ts'

const { model, label } = await openModel(process.env.OPENAI_API_KEY)
const passphrase = randomBytes(9).toString('base64url')
const { runtime } = openShop()
const { url } = await startChat({
  runtime,
  model,
  passphrase,
  port: Number(process.env.PORT ?? 4310),
})
console.log(`Chat:               ${url}`)
console.log(`Model:              ${label}`)
console.log(`Ann's passphrase:   ${passphrase}   (for irreversible actions; only she has it)`)
