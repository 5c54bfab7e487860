import { converse } from './converse.ts'
import { openModel } from './open-model.ts'
import { personAtTerminal, scriptedPerson } from './person.ts'
import { caller, openShop } from './shop.ts'

const SCRIPT = ['edit={"stems": 12}', 'approve']

const words = process.argv.slice(2)
const isScripted = process.stdin.isTTY !== true || words.length > 0
const say = (line: string) => console.log(line)
const person = isScripted
  ? scriptedPerson(words.length > 0 ? words : SCRIPT, say)
  : personAtTerminal()
const { runtime, orders } = openShop()
const { model, label, close } = await openModel(process.env)
try {
  const wish = 'Please order two dozen roses for the office.'
  say(`You: ${wish}`)
  const answer = await converse(wish, { runtime, caller, model, person, say })
  say(`Agent (${label}): ${answer}`)
  say(`Ordered: ${orders.length === 0 ? 'nothing' : orders.join(', ')}`)
} finally {
  person.leave()
  await close()
}
